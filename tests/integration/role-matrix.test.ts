import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { fastifyPath } from '#server/http/handle.ts';
import { EVERYBODY, makeScene, sampleCall, type Who } from '#tests/calls.ts';
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

/** Whether the call is allowed; 401 no sign-in, 403 not this role, 404 not the owner. */
type Expected = 'in' | 401 | 403 | 404;

const TEACHERS: ReadonlySet<Who> = new Set(['teacher', 'otherTeacher', 'admin']);
const MAY_TOUCH: Readonly<Record<Route['ownership'], ReadonlySet<Who>>> = {
  none: new Set(EVERYBODY),
  attemptOwner: new Set<Who>(['student']),
  attemptReader: new Set<Who>(['student', 'teacher', 'admin']),
  attemptTeacher: new Set<Who>(['teacher', 'admin']),
  testReader: new Set<Who>(['student', 'teacher', 'admin']),
  testEditor: new Set<Who>(['teacher', 'admin']),
  bodyTestEditor: new Set<Who>(['teacher', 'admin']),
  groupEditor: new Set<Who>(['teacher', 'admin']),
  bankOwner: new Set<Who>(['teacher']),
  templateOwner: new Set<Who>(['teacher']),
  projectEditor: new Set<Who>(['student', 'admin']),
  bodyProjectEditor: new Set<Who>(['student', 'admin']),
  ownSession: new Set<Who>(['student']),
  ownPasskey: new Set<Who>(['teacher']),
  file: new Set<Who>(['student', 'teacher', 'admin']),
};

/** Those who may read a test without passing it. */
const REFUSED_AS_NO_STUDENT = new Set(['startAttempt/teacher', 'startAttempt/admin']);

function expected(route: Route, who: Who): Expected {
  if (route.access === 'anyone') return 'in';
  if (who === 'none') return 401;
  if (route.access === 'admin' && who !== 'admin') return 403;
  if (route.access === 'teacher' && !TEACHERS.has(who)) return 403;
  if (REFUSED_AS_NO_STUDENT.has(`${route.name}/${who}`)) return 403;
  return MAY_TOUCH[route.ownership].has(who) ? 'in' : 404;
}

const matrix = routes.flatMap((route) => EVERYBODY.map((who) => [route.name, who, route] as const));

test.each(matrix)('%s called by %s', async (_, who, route) => {
  const scene = await makeScene(server);
  const as = who === 'none' ? undefined : scene.users[who];
  const answered = await server.send(route, sampleCall(route, scene, server), as ? { as } : {});
  const wanted = expected(route, who);
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
    const told = ({ code, message, details }: ReturnType<typeof errorOf>) => ({
      code,
      message,
      details,
    });
    expect(told(errorOf(theirs)), route.name).toEqual(told(errorOf(nothing)));
  }
});

/** Owners whom the path names; a template's unknown id makes a new one. */
const OWNED_BY_PATH = new Set<Route['ownership']>([
  'attemptOwner',
  'attemptReader',
  'attemptTeacher',
  'testReader',
  'testEditor',
  'groupEditor',
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
    const scene = await makeScene(server);
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
