import { expect, test, vi } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { health, PRODUCT } from '#contract/health.ts';
import { getUpload, saveAnswer, uploadChunk } from '#contract/passing.ts';
import { getPassing } from '#contract/tests.ts';
import type { ReplyFacts } from './facts.ts';
import { ApiFailure, UNKNOWN_FAILURE } from './failure.ts';
import type { CallerConfig } from './exchange.ts';
import { createCaller } from './request.ts';

const ID = '0197f0a0-0000-7000-8000-000000000001';
const FILE = '0197f0a0-0000-7000-8000-000000000002';
const serverTime = '2026-05-21T07:42:00.000Z';
const well = { status: 'ok', product: PRODUCT, serverTime };

interface Sent {
  url: string;
  init: RequestInit;
  headers: Headers;
}

function scripted(
  answer: (sent: Sent) => Response | Promise<Response>,
  config: Partial<CallerConfig> = {},
) {
  const sent: Sent[] = [];
  const caller = createCaller({
    baseUrl: 'https://school.example',
    appVersion: '1.2.3',
    token: () => 'secret',
    ...config,
    fetch: async (input, init = {}) => {
      const url = input instanceof Request ? input.url : input.toString();
      const one = { url, init, headers: new Headers(init.headers) };
      sent.push(one);
      return answer(one);
    },
  });
  return { caller, sent };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

async function failureOf(promise: Promise<unknown>): Promise<ApiFailure> {
  const error: unknown = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof ApiFailure)) throw new Error('expected an ApiFailure');
  return error;
}

test('sends bearer, version, cookies and JSON in UTF-8, and follows no redirect', async () => {
  const { caller, sent } = scripted(() => json({}, 500));
  const body = { questionId: ID, kind: 'open' as const, text: 'ёж' };
  await failureOf(caller(saveAnswer, { params: { id: ID }, body }));
  expect(sent[0]?.url).toBe(`https://school.example/api/TestPassing/${ID}/answer`);
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer secret');
  expect(sent[0]?.headers.get(HEADER.appVersion)).toBe('1.2.3');
  expect(sent[0]?.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(sent[0]?.init).toMatchObject({
    credentials: 'include',
    redirect: 'manual',
    method: 'POST',
  });
  expect(sent[0]?.init.body).toBe(JSON.stringify(body));
});

test('a call that anyone may make carries no bearer', async () => {
  const { caller, sent } = scripted(() => json(well));
  await caller(health, {});
  expect(sent[0]?.headers.has('authorization')).toBe(false);
});

test('a token passed with the call replaces the caller’s own', async () => {
  const { caller, sent } = scripted(() => json({}, 500));
  await failureOf(caller(getUpload, { params: { id: ID, fileId: FILE } }, { token: 'other' }));
  await failureOf(caller(getUpload, { params: { id: ID, fileId: FILE } }, { token: null }));
  expect(sent.map((one) => one.headers.get('authorization'))).toEqual(['Bearer other', null]);
});

test.each([
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 0],
  [-1, 0],
  [1.5, 0],
  [null, 0],
])('a reply with the attempt state %s is parsed, and the state is %i', async (text, state) => {
  const passing = {
    userTestId: ID,
    testId: ID,
    title: 'Законы Ньютона',
    attemptNumber: 1,
    attemptsCount: 1,
    state: text,
    leftTestTime: '00:24:51',
    startedAt: serverTime,
    deadline: serverTime,
    countsUntil: serverTime,
    finishedAt: null,
    serverTime,
  };
  const { caller } = scripted(() => json(passing));
  const { reply } = await caller(getPassing, { params: { attemptId: ID } });
  expect(reply).toEqual({ ...passing, state });
});

test('raw bytes are sent unchanged, with the query in the URL', async () => {
  const { caller, sent } = scripted(() =>
    json({ fileId: FILE, received: 3, size: 3, complete: true }),
  );
  const query = {
    offset: 0,
    size: 3,
    sha256: 'a'.repeat(64),
    name: 'ё 1.pdf',
    mimeType: 'x/y',
    questionId: ID,
  };
  const bytes = new Uint8Array([1, 2, 3]);
  const result = await caller(uploadChunk, { params: { id: ID, fileId: FILE }, query, bytes });
  expect(result.reply.received).toBe(3);
  expect(sent[0]?.init.body).toEqual(bytes);
  expect(new URL(sent[0]?.url ?? '').searchParams.get('name')).toBe('ё 1.pdf');
});

test('passes the protocol’s headers to listeners, refusals included', async () => {
  const facts: ReplyFacts[] = [];
  const headers = {
    [HEADER.serverTime]: serverTime,
    [HEADER.serverEpoch]: '2',
    [HEADER.activeStream]: ID,
  };
  const refusal = { code: 'GONE', message: 'Попытка удалена', requestId: 'r' };
  const { caller } = scripted(() => json(refusal, 410, headers), {
    onReply: (one) => facts.push(one),
  });
  const failure = await failureOf(caller(getPassing, { params: { attemptId: ID } }));
  expect(facts[0]).toMatchObject({
    route: 'getPassing',
    status: 410,
    serverTime: Date.parse(serverTime),
    serverEpoch: 2,
    activeStream: ID,
  });
  expect(failure).toMatchObject({
    kind: 'refused',
    status: 410,
    code: 'GONE',
    message: 'Попытка удалена',
  });
});

test('row 22: HTML, redirects, empty replies and foreign errors are not ours and yield no facts', async () => {
  const onReply = vi.fn<(facts: ReplyFacts) => void>();
  const replies = [
    new Response('<html>Войдите в сеть</html>', {
      status: 200,
      headers: { 'content-type': 'text/html' },
    }),
    new Response(null, { status: 302, headers: { location: 'http://portal.example/' } }),
    new Response('', { status: 200 }),
    new Response(null, { status: 204 }),
    new Response('<h1>502 Bad Gateway</h1>', { status: 502 }),
    json({ error: 'nope' }, 403),
  ];
  for (const reply of replies) {
    const { caller } = scripted(() => reply, { onReply });
    const failure = await failureOf(caller(health, {}));
    expect(failure.kind).toBe('notOurs');
    expect(failure.message).toBe(UNKNOWN_FAILURE);
  }
  expect(onReply).not.toHaveBeenCalled();
});

test('JSON of another shape is malformed', async () => {
  const { caller } = scripted(() => json({ ...well, product: 'something else' }));
  expect((await failureOf(caller(health, {}))).kind).toBe('malformed');
});

test('no connection is unreachable, with method, address and cause', async () => {
  const cause = new TypeError('Failed to fetch');
  const { caller } = scripted(() => Promise.reject(cause));
  const failure = await failureOf(caller(health, {}));
  expect(failure).toMatchObject({ kind: 'unreachable', method: 'GET', timedOut: false });
  expect(failure.url).toBe('https://school.example/healthz');
});

test('row 23: no complete answer in 5000 ms is a time-out with unknown effect', async () => {
  vi.useFakeTimers();
  const body = new ReadableStream({ start: () => undefined });
  const { caller } = scripted(() => new Response(body, { status: 200 }));
  const failing = failureOf(caller(health, {}));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await failing).toMatchObject({ kind: 'unreachable', timedOut: true });
  vi.useRealTimers();
});

test('row 24: Retry-After is read in seconds and as a date', async () => {
  const refusal = { code: 'TOO_MANY_REQUESTS', message: 'Подождите', requestId: 'r' };
  const wall = Date.parse(serverTime);
  const clock = { wall: () => wall, monotone: () => 0 };
  const seconds = scripted(() => json(refusal, 429, { 'retry-after': '7' }), { clock });
  expect((await failureOf(seconds.caller(health, {}))).retryAfterMs).toBe(7_000);
  const date = new Date(wall + 9_000).toUTCString();
  const dated = scripted(() => json(refusal, 429, { 'retry-after': date }), { clock });
  expect((await failureOf(dated.caller(health, {}))).retryAfterMs).toBe(9_000);
});

const HOUR = '3600';
const ownBody = { code: 'UNAVAILABLE', message: 'Подождите', requestId: 'r' };
const page = (status: number, headers: Record<string, string>) =>
  new Response('<h1>Service Unavailable</h1>', { status, headers });

test.each<[string, () => Response, number | undefined]>([
  ['503 with HTML', () => page(503, { 'retry-after': HOUR }), 30_000],
  ['429 with HTML', () => page(429, { 'retry-after': HOUR }), 30_000],
  [
    'a date of a proxy',
    () => page(503, { 'retry-after': 'Fri, 21 May 2027 07:00:00 GMT' }),
    30_000,
  ],
  ['a redirect', () => page(302, { 'retry-after': HOUR }), 30_000],
  ['JSON of another service', () => json({ error: 'busy' }, 429, { 'retry-after': HOUR }), 30_000],
  ['our shape without our time', () => json(ownBody, 503, { 'retry-after': HOUR }), 30_000],
  ['a short wait of a proxy', () => page(503, { 'retry-after': '3' }), 3_000],
])('row 24: a stranger delays by at most 30 s: %s', async (_name, reply, waitMs) => {
  const clock = { wall: () => Date.parse('2026-05-21T07:00:00.000Z'), monotone: () => 0 };
  const { caller } = scripted(reply, { clock });
  expect((await failureOf(caller(health, {}))).retryAfterMs).toBe(waitMs);
});

test.each<[string, string, number | undefined]>([
  ['an hour', HOUR, 3_600_000],
  ['more than an hour', '99999999999999999999', 3_600_000],
  ['nothing', '0', 0],
  ['a negative number', '-5', undefined],
  ['a fraction', '7.5', undefined],
  ['no number', 'NaN', undefined],
  ['words', 'soon', undefined],
  ['nothing at all', '', undefined],
  ['a date by the server’s clock', 'Thu, 21 May 2026 07:01:00 GMT', 60_000],
  ['a past date', 'Wed, 20 May 2026 07:00:00 GMT', 0],
])('row 24: our own Retry-After of %s', async (_name, value, waitMs) => {
  const headers = { 'retry-after': value, 'x-server-time': '2026-05-21T07:00:00.000Z' };
  // The device's clock is a day ahead.
  const clock = { wall: () => Date.parse('2026-05-22T07:00:00.000Z'), monotone: () => 0 };
  const { caller } = scripted(() => json(ownBody, 503, headers), { clock });
  expect((await failureOf(caller(health, {}))).retryAfterMs).toBe(waitMs);
});
