import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { logout } from '#contract/auth.ts';
import { ErrorBody } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import { JSON_BODY_BYTES } from '#contract/limits.ts';
import { saveAnswer, uploadChunk } from '#contract/passing.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { execute, one } from '#server/db/query.ts';
import { makeScene, sampleCall, type Scene } from '#tests/calls.ts';
import { errorOf, RIGHT } from '#tests/school.ts';
import { type Answered, type TestServer, type TestUser, testServer, urlOf } from '#tests/server.ts';

let server: TestServer;
let scene: Scene;
let leaver: TestUser;
beforeAll(async () => {
  server = await testServer();
  scene = await makeScene(server);
  leaver = await server.user();
});
/** One account makes all these calls: slow enough for its limit, and within the attempt of the scene. */
const BETWEEN_TESTS_MS = 500;
beforeEach(async () => {
  server.clock.now = new Date(server.clock.now.getTime() + BETWEEN_TESTS_MS);
  // A random value may be a valid requirement, which would close every other call to the administrator.
  await execute(server.pool, 'delete from factor_requirements');
});
afterAll(() => server.close());

const json = { 'content-type': 'application/json' };

/**
 * Problems of a refusal: it must be 4xx, in the uniform error body, Russian, and reveal no internals. Empty
 * when none.
 */
function faultIn(answered: Answered<unknown>, what: string): string {
  const { status, text, headers } = answered;
  const finding = `${what}: ${status} ${text.slice(0, 300)}`;
  if (status < 400 || status >= 500) return finding;
  const body = v.safeParse(v.strictObject(ErrorBody.entries), answered.body);
  const isFit =
    body.success &&
    /[а-яё]/.test(body.output.message) &&
    body.output.requestId === headers['x-request-id'] &&
    !/node_modules|at .*\.ts|select |insert /.test(text);
  return isFit ? '' : finding;
}

/** The same for input that may turn out valid. */
const faultUnlessGood = (answered: Answered<unknown>, what: string): string =>
  answered.status === 200 ? '' : faultIn(answered, what);

interface Parts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  bytes?: Uint8Array;
}
const partsOf = (route: Route) => sampleCall(route, scene, server) as Parts;

/** The token that gets furthest into the route; a logout has a sign-in of its own. */
const insider = (route: Route): TestUser =>
  route === logout
    ? leaver
    : route.access === 'admin'
      ? scene.users.admin
      : route.access === 'teacher'
        ? scene.users.teacher
        : scene.users.student;

const send = (
  route: Route,
  payload: string | Buffer | undefined,
  headers: Record<string, string> = json,
) =>
  server.raw({
    method: route.method,
    url: urlOf(route, partsOf(route)),
    headers,
    ...(payload === undefined ? {} : { payload }),
    ...(route.access === 'anyone' ? {} : { token: insider(route).token }),
  });

const withJsonBody = routes
  .filter(({ body, bodyType }) => body && bodyType !== 'form')
  .map((route) => [route.name, route] as const);
const withoutBody = routes
  .filter(({ bodyType }) => bodyType === 'none')
  .map((route) => [route.name, route] as const);
const withParams = routes
  .filter(({ params }) => params)
  .map((route) => [route.name, route] as const);

describe.each(withJsonBody)('the body of %s', (_, route) => {
  test.each([
    ['nothing', ''],
    ['broken JSON', '{"a":'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['a list', '[]'],
    ['null', 'null'],
    ['a string', '"текст"'],
    ['a number beyond all', '{"a":1e999}'],
    ['a prototype', '{"__proto__":{"role":1}}'],
    ['a constructor', '{"constructor":{"prototype":{"role":1}}}'],
    ['depth', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['deep objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['nothing it knows', '{"нет":"такого"}'],
  ])('that is %s is refused', async (what, payload) => {
    expect(faultIn(await send(route, payload), what)).toBe('');
  });

  test('too large is 413', async () => {
    const payload = JSON.stringify({ text: 'ы'.repeat(route.bodyBytes ?? JSON_BODY_BYTES) });
    const answered = await send(route, payload);
    expect(faultIn(answered, 'too large')).toBe('');
    expect([answered.status, errorOf(answered).code]).toEqual([413, 'TOO_LARGE']);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'x',
    '',
  ])('of type «%s» is 415', async (type) => {
    const payload = JSON.stringify(partsOf(route).body);
    const answered = await send(route, payload, type === '' ? {} : { 'content-type': type });
    expect(faultIn(answered, type)).toBe('');
    expect([answered.status, errorOf(answered).code]).toEqual([415, 'UNSUPPORTED_TYPE']);
  });

  test('with a field more is refused', async () => {
    const answered = await send(route, JSON.stringify({ ...partsOf(route).body, isRoot: 1 }));
    expect(faultIn(answered, 'a field more')).toBe('');
  });

  test('with any field missing or random never causes an internal error', async () => {
    const body = partsOf(route).body ?? {};
    const nonsense: unknown[] = [
      undefined,
      null,
      true,
      [],
      {},
      '',
      ' ',
      'x'.repeat(50_000),
      '\u0000',
      'а\u0000б',
      '\uD800',
      '\uDFFF\uD800',
      '💥',
      -1,
      0,
      1.5,
      2 ** 53,
      -(2 ** 31) - 1,
      1e308,
      '1e999',
      "'; drop table users; --",
      '../../etc/passwd',
      ['\u0000'],
      [[[[[]]]]],
      { $ne: null },
      Array(2_000).fill('x'),
      [{ leftId: '\u0000', rightId: 'x' }],
    ];
    const faults: string[] = [];
    for (const field of Object.keys(body))
      for (const value of nonsense) {
        const answered = await send(route, JSON.stringify({ ...body, [field]: value }));
        const what = `${field} = ${JSON.stringify(value)?.slice(0, 60)}`;
        faults.push(faultUnlessGood(answered, what));
      }
    expect(faults.filter(Boolean)).toEqual([]);
  });
});

describe.each(withoutBody)('%s, which has no body,', (_, route) => {
  test.each([
    ['a field', '{"a":1}', json],
    ['broken JSON', '{', json],
    ['a list', '[]', json],
    ['text', 'привет', { 'content-type': 'text/plain' }],
  ])('refuses %s', async (what, payload, headers) => {
    expect(faultIn(await send(route, payload, headers), what)).toBe('');
  });
});

describe.each(withParams)('the address of %s', (_, route) => {
  test.each([
    'x',
    '1',
    '%00',
    '%2e%2e%2f%2e%2e%2fetc',
    '..%2f..',
    '%F0%9F%92%A5',
    "' or 1=1 --",
    '00000000-0000-0000-0000-00000000000',
    'a'.repeat(101),
    '[object Object]',
    'null',
    '%25',
  ])('with «%s» for an id is not found', async (id) => {
    const params = Object.fromEntries(
      Object.keys(partsOf(route).params ?? {}).map((key) => [key, id]),
    );
    const url = Object.entries(params).reduce(
      (path, [key, value]) =>
        path.replace(`{${key}}`, value.includes('%') ? value : encodeURIComponent(value)),
      route.path,
    );
    const answered = await server.raw({
      method: route.method,
      url,
      token: insider(route).token,
      ...(route.body ? { headers: json, payload: JSON.stringify(partsOf(route).body) } : {}),
    });
    expect(faultIn(answered, id)).toBe('');
    expect(answered.status).toBe(404);
  });

  test('with broken percent-encoding is refused', async () => {
    const url = route.path.replaceAll(/\{\w+\}/g, '%zz');
    const answered = await server.raw({ method: route.method, url, token: insider(route).token });
    expect(faultIn(answered, url)).toBe('');
    expect(answered.status).toBe(400);
  });
});

describe('headers of operations', () => {
  const names = [
    HEADER.idempotencyKey,
    HEADER.stream,
    HEADER.epoch,
    HEADER.sequence,
    HEADER.age,
    HEADER.head,
    HEADER.seenServerTime,
    HEADER.folded,
    HEADER.receipt,
    HEADER.setAside,
    HEADER.filesSetAside,
    HEADER.finishReason,
    HEADER.takeOver,
  ];
  const values = [
    '',
    ' ',
    'x',
    '-1',
    '0',
    '1.5',
    '999999999999999',
    '1e3',
    'NaN',
    'null',
    '{}',
    '{"seal":"v1.e30.x"}',
    '{"seal":1}',
    '1-5000000',
    '5-1',
    '1,2,3,',
    ',',
    '9'.repeat(400),
    '2026-13-45T99:99:99Z',
    '275760-09-13T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '0000-01-01T00:00:00Z',
    '\u00ff\u00fe',
    '00000000-0000-0000-0000-000000000000',
  ];

  test.each(names)('%s of any random value never causes an internal error', async (name) => {
    const own = await makeScene(server);
    const faults: string[] = [];
    for (const value of values) {
      const id = own.attemptId;
      const calls = [
        {
          url: `/api/TestPassing/${id}/answer`,
          headers: json,
          payload: JSON.stringify(RIGHT.open),
        },
        { url: `/api/TestPassing/${id}/finish`, headers: {} },
        { url: `/api/TestPassing/${own.testId}/start`, headers: {} },
      ];
      for (const { url, headers, ...rest } of calls) {
        const answered = await server.raw({
          method: 'POST',
          url,
          token: own.student.token,
          headers: { ...headers, [name]: value },
          ...rest,
        });
        faults.push(faultUnlessGood(answered, `${url} ${name}: ${value}`));
      }
    }
    expect(faults.filter(Boolean)).toEqual([]);
  });
});

describe('a time that no device has', () => {
  const BEYOND = ['0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'];
  const OWN_STREAM = { [HEADER.stream]: '00000000-0000-4000-8000-00000000ff01' };

  /** The pages that show a teacher what devices say of themselves. */
  async function expectShown({ testId, attemptId, users }: Scene): Promise<void> {
    for (const url of [
      `/api/Test/${testId}/held`,
      `/api/attempts/${attemptId}/held`,
      `/api/Test/${testId}/begin-holds`,
      `/api/Test/${testId}/board`,
    ]) {
      const page = await server.raw({ method: 'GET', url, token: users.teacher.token });
      expect(page.status, `${url}: ${page.text}`).toBe(200);
    }
  }

  test.each(BEYOND)('%s is refused of a held answer and of a start', async (time) => {
    const own = await makeScene(server);
    const headers = { ...json, ...OWN_STREAM, [HEADER.seenServerTime]: time };
    const answer = await server.raw({
      method: 'POST',
      url: `/api/TestPassing/${own.attemptId}/answer`,
      token: own.student.token,
      headers: { ...headers, [HEADER.epoch]: '2', [HEADER.sequence]: '1' },
      payload: JSON.stringify(RIGHT.open),
    });
    expect(faultIn(answer, 'an answer')).toBe('');
    const start = await server.raw({
      method: 'POST',
      url: `/api/TestPassing/${own.testId}/start`,
      token: own.student.token,
      headers: { ...OWN_STREAM, [HEADER.seenServerTime]: time },
    });
    expect(faultIn(start, 'a start')).toBe('');
    await expectShown(own);
  });

  test.each([...BEYOND, '1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])(
    '%s in a file of answers keeps no page from its teacher',
    async (time) => {
      const own = await makeScene(server);
      const reply = await server.raw({
        method: 'POST',
        url: `/api/Test/${own.testId}/rescued/${own.attemptId}`,
        token: own.users.teacher.token,
        headers: json,
        payload: JSON.stringify({
          owner: own.student.userId,
          answers: [
            {
              operationId: server.deps.newId(),
              stream: server.deps.newId(),
              epoch: 1,
              sequence: 1,
              answer: RIGHT.open,
              writtenAt: time,
              seenServerTime: time,
            },
          ],
        }),
      });
      expect(faultUnlessGood(reply, time)).toBe('');
      await expectShown(own);
    },
  );
});

describe('the query of an upload', () => {
  test.each([
    ['offset', '-1'],
    ['offset', 'x'],
    ['offset', '99999999999999999999'],
    ['size', '0x10'],
    ['size', '999999999999'],
    ['sha256', 'ABC'],
    ['sha256', '\u0000'],
    ['name', ''],
    ['name', '\u0000.jpg'],
    ['name', 'x'.repeat(5_000)],
    ['mimeType', '\u0000'],
    ['questionId', '1'],
    ['questionId', '00000000-0000-4000-8000-000000000001'],
  ])('with %s = «%s» is refused', async (name, value) => {
    const parts = partsOf(uploadChunk);
    const answered = await server.raw({
      method: 'PUT',
      url: urlOf(uploadChunk, { ...parts, query: { ...parts.query, [name]: value } }),
      token: scene.student.token,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.from(parts.bytes ?? []),
    });
    expect(faultIn(answered, `${name}=${value}`)).toBe('');
  });

  test('with a parameter twice is refused', async () => {
    const answered = await server.raw({
      method: 'PUT',
      url: `${urlOf(uploadChunk, partsOf(uploadChunk))}&offset=5`,
      token: scene.student.token,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.alloc(10),
    });
    expect(faultIn(answered, 'offset twice')).toBe('');
    expect(errorOf(answered).details).toMatchObject({ fields: [{ field: 'offset' }] });
  });

  test('with too many bytes at once is 413, with JSON 415', async () => {
    const put = (type: string, bytes: number) =>
      server.raw({
        method: 'PUT',
        url: urlOf(uploadChunk, partsOf(uploadChunk)),
        token: scene.student.token,
        headers: { 'content-type': type },
        payload: Buffer.alloc(bytes),
      });
    expect((await put('application/octet-stream', 300_000)).status).toBe(413);
    expect((await put('application/json', 10)).status).toBe(415);
  });
});

test('a file is found by its key alone: no path escapes the folder', async () => {
  for (const path of [
    '../../etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    '/etc/passwd',
    'uploads/x',
    '\u0000',
    'file:///etc/passwd',
    '.',
    'x'.repeat(299),
  ]) {
    const answered = await server.raw({
      url: `/api/Files/file?path=${encodeURIComponent(path)}`,
      token: scene.student.token,
    });
    expect(faultIn(answered, path)).toBe('');
  }
});

test('an answer with characters that the database cannot store is stored, each replaced by «�»', async () => {
  const body = { ...RIGHT.open, text: 'до\u0000после\uD800' };
  const answered = await server.send(
    saveAnswer,
    { params: { id: scene.attemptId }, body },
    { as: scene.student },
  );
  expect(answered.status, answered.text).toBe(200);
  const stored = await one<{ text: string }>(
    server.pool,
    `select body ->> 'text' as text from answers where attempt_id = $1 and question_id = $2`,
    [scene.attemptId, body.questionId],
  );
  expect(stored?.text).toBe('до\uFFFDпосле\uFFFD');
});

describe('what does not exist', () => {
  test.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['POST', '/api/auth/login/'],
    ['GET', '/api/Test/my/x/y'],
    ['GET', '/nothing'],
  ])('%s %s is 404 in the one shape', async (method, url) => {
    const answered = await server.raw({ method, url });
    expect(faultIn(answered, url)).toBe('');
    expect(answered.status).toBe(404);
  });

  test.each([
    ['GET', '/api/auth/login', 'POST'],
    ['DELETE', '/api/user/users', 'GET'],
    ['PATCH', '/healthz', 'GET'],
    ['POST', '/api/TestPassing/1/files/2', 'PUT, GET'],
  ])('%s %s is 405 and says what is allowed', async (method, url, allow) => {
    const answered = await server.raw({ method, url });
    expect(faultIn(answered, url)).toBe('');
    expect([answered.status, answered.headers['allow']]).toEqual([405, allow]);
  });
});

test('none of all this caused an internal error', () => {
  expect(server.logged.filter(({ level }) => level === 50)).toEqual([]);
});
