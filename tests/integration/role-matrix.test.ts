import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { fastifyPath } from '#server/http/handle.ts';
import { expectedOf } from '#tests/allowed.ts';
import { EVERYBODY, makeScene, sampleCall, type Scene } from '#tests/calls.ts';
import { errorOf } from '#tests/school.ts';
import { type TestServer, testServer, urlOf } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Routes outside the contract: pages and endpoints for machines. */
const BESIDE_THE_WIRE = [
  /^GET \/metrics$/,
  /^GET \/api\/openapi\.json$/,
  /^POST \/api\/csp-reports$/,
  /^(GET|HEAD) \/api\/docs/,
];

/** The scene of the last call, unless that call changed it. */
let unchanged: Scene | null = null;

const matrix = routes.flatMap((route) => EVERYBODY.map((who) => [route.name, who, route] as const));

test.each(matrix)('%s called by %s', async (_, who, route) => {
  const scene = unchanged ?? (await makeScene(server));
  unchanged = null;
  const as = who === 'none' ? undefined : scene.users[who];
  const answered = await server.send(route, sampleCall(route, scene, server), as ? { as } : {});
  if (route.method === 'GET' || answered.status >= 400) unchanged = scene;
  const wanted = expectedOf(route, who);
  // An unknown e-mail is no sign-in: the call itself was allowed.
  const isLetIn =
    answered.status < 500 &&
    (![401, 403, 404].includes(answered.status) || errorOf(answered).code === 'BAD_CREDENTIALS');
  expect(isLetIn ? 'in' : answered.status, answered.text).toBe(wanted);
});

test('a foreign id and one that does not exist are answered alike', async () => {
  const scene = await makeScene(server);
  const owned = routes.filter(({ ownership }) => ownership !== 'none');
  for (const route of owned) {
    const theirs = await server.send(route, sampleCall(route, scene, server), {
      as: scene.users.otherTeacher,
    });
    const nowhere = {
      ...scene,
      testId: server.deps.newId(),
      attemptId: server.deps.newId(),
      offerId: server.deps.newId(),
      fileId: server.deps.newId(),
      groupId: server.deps.newId(),
      entryId: server.deps.newId(),
      templateId: server.deps.newId(),
      projectId: server.deps.newId(),
      sessionId: server.deps.newId(),
      passkeyId: server.deps.newId(),
    };
    const nothing = await server.send(route, sampleCall(route, nowhere, server), {
      as: scene.users.otherTeacher,
    });
    const essenceOf = ({ code, message, details }: ReturnType<typeof errorOf>) => ({
      code,
      message,
      details,
    });
    expect(essenceOf(errorOf(theirs)), route.name).toEqual(essenceOf(errorOf(nothing)));
  }
});

/** Kinds of ownership in the path; a template's unknown id creates a new one. */
const OWNED_BY_PATH = new Set<Route['ownership']>([
  'attemptOwner',
  'attemptReader',
  'attemptGrader',
  'attemptEditor',
  'testReader',
  'testViewer',
  'testGrader',
  'testEditor',
  'testOwner',
  'groupEditor',
  'groupOwner',
]);
const withBody = routes.filter(
  ({ body, bodyType, ownership }) =>
    body !== undefined && (bodyType ?? 'json') === 'json' && OWNED_BY_PATH.has(ownership),
);

test('the calls with a body of an owner are known', () => {
  expect(withBody.length).toBeGreaterThan(10);
});

test.each(withBody.map((route) => [route.name, route] as const))(
  '%s refuses a stranger before it reads the body',
  async (_, route) => {
    const scene = unchanged ?? (await makeScene(server));
    unchanged = scene;
    const { params } = sampleCall(route, scene, server) as { params: Record<string, unknown> };
    const { status, text } = await server.raw({
      method: route.method,
      url: urlOf(route, { params }),
      headers: { 'content-type': 'application/json' },
      payload: '{ this is no JSON',
      token: scene.users.otherTeacher.token,
    });
    expect(status, text).toBe(404);
  },
);

describe('the wire and the server', () => {
  test('every route that is declared has a handler', () => {
    expect(server.app.declaredRoutes.map(({ name }) => name).toSorted()).toEqual(
      routes.map(({ name }) => name).toSorted(),
    );
  });

  test('every route that the server knows is declared', () => {
    const declared = new Set(routes.map(({ method, path }) => `${method} ${fastifyPath(path)}`));
    const undeclared = server.app.registeredRoutes.filter(
      (route) => !declared.has(route) && !BESIDE_THE_WIRE.some((known) => known.test(route)),
    );
    expect(undeclared).toEqual([]);
  });
});
