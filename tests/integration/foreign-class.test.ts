import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeItem } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import type { CallInput, Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { execute } from '#server/db/query.ts';
import { makeScene, sampleCall, type Scene } from '#tests/calls.ts';
import { makeGroup, Q, RIGHT, TestDevice } from '#tests/school.ts';
import { type TestServer, testServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const filtered = routes.filter(({ query, path }) => {
  // The class names a code there, and one without a code is 404.
  if (path.includes('/start-code')) return false;
  const entries = query && 'entries' in query ? query.entries : null;
  return typeof entries === 'object' && entries !== null && 'groupId' in entries;
});

test('calls with a class filter are those of statistics, grading and held begins', () => {
  expect(filtered.map(({ name }) => name).sort()).toEqual([
    'exportStatistics',
    'getAnalysis',
    'getStatistics',
    'listGrading',
    'listHolds',
    'listMissing',
    'listTestHeld',
  ]);
});

/** A scene with a finished attempt that has waiting, held and missing answers. */
async function workedScene(): Promise<Scene> {
  const scene = await makeScene(server);
  const device = new TestDevice(server, scene.student);
  await device.start(scene.testId, { [HEADER.takeOver]: scene.attemptId });
  await device.answer(RIGHT.single);
  await device.answer({ questionId: Q.essay, kind: 'open', text: 'Опыт' });
  await device.finish();
  await execute(
    server.pool,
    `insert into stray_operations (user_id, attempt_id, id, headers, body, received_at)
     values ($1, $2, $3, '{}', $4, $5)`,
    [
      scene.student.userId,
      server.deps.newId(),
      server.deps.newId(),
      JSON.stringify(RIGHT.single),
      server.clock.now,
    ],
  );
  const body = { questionId: Q.essay, points: 3, comment: '' };
  const params = { attemptId: scene.attemptId };
  await server.send(gradeItem, { params, body }, { as: scene.teacher });
  return scene;
}

/** The reply without its time. */
async function reply(route: Route, scene: Scene, groupId: string, who: 'teacher' | 'admin') {
  const sample = sampleCall(route, scene, server) as { query?: object };
  const input = { ...sample, query: { ...sample.query, groupId } } as CallInput<Route>;
  const { status, text } = await server.send(route, input, { as: scene.users[who] });
  return { status, text };
}

test.each(filtered.map((route) => [route.name, route] as const))(
  "%s treats another teacher's class as nonexistent, with any members",
  async (_, route) => {
    const scene = await workedScene();
    const foreign = await makeGroup(server, scene.users.otherTeacher, [scene.student], '10Б');
    for (const who of ['teacher', 'admin'] as const) {
      const unknown = await reply(route, scene, server.deps.newId(), who);
      expect(unknown.status).toBe(200);
      expect(await reply(route, scene, foreign, who)).toEqual(unknown);
      expect(await reply(route, scene, scene.groupId, who)).not.toEqual(unknown);
    }
    // Once assigned, it is a class of this test.
    await execute(
      server.pool,
      'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, $4)',
      [server.deps.newId(), scene.testId, foreign, server.clock.now],
    );
    const own = await reply(route, scene, scene.groupId, 'teacher');
    expect(await reply(route, scene, foreign, 'teacher')).toEqual(own);
  },
);
