import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '#contract/admin.ts';
import { getTestSettings, listCreatedTests, updateTest } from '#contract/authoring.ts';
import { ROLE } from '#contract/auth.ts';
import { getBankFacets, listBank } from '#contract/bank.ts';
import { downloadFile, uploadPicture } from '#contract/files.ts';
import { addMembers, getGroup, joinGroup, listGroups, setJoinCode } from '#contract/groups.ts';
import type { Ownership, Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import {
  getBankShares,
  getTestShares,
  setBankShares,
  setGroupShares,
  setTestShares,
  type ShareLevel,
} from '#contract/sharing.ts';
import { makeScene, sampleCall, type Scene } from '#tests/calls.ts';
import { errorOf, makeGroup } from '#tests/school.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { type TestServer, testServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const shareTest = (scene: Scene, level: ShareLevel, userId = scene.users.otherTeacher.userId) =>
  server.send(
    setTestShares,
    { params: { id: scene.testId }, body: { shares: [{ userId, level }] } },
    { as: scene.teacher },
  );

const shareGroup = (scene: Scene, groupId = scene.groupId) =>
  server.send(
    setGroupShares,
    {
      params: { groupId },
      body: { shares: [{ userId: scene.users.otherTeacher.userId, level: 'edit' }] },
    },
    { as: scene.teacher },
  );

/** The lowest level that reaches a test's call; calls of others are unreachable for a colleague. */
const NEEDED: Readonly<Partial<Record<Ownership, readonly ShareLevel[]>>> = {
  attemptReader: ['results', 'grade', 'edit'],
  testReader: ['results', 'grade', 'edit'],
  testViewer: ['results', 'grade', 'edit'],
  attemptGrader: ['grade', 'edit'],
  testGrader: ['grade', 'edit'],
  testEditor: ['edit'],
  bodyTestEditor: ['edit'],
  testOwner: [],
  attemptOwner: [],
};
const LEVELS: readonly ShareLevel[] = ['results', 'grade', 'edit'];
const ofTests = routes.filter(({ ownership }) => NEEDED[ownership] !== undefined);
const matrix = ofTests.flatMap((route) =>
  LEVELS.map((level) => [route.name, level, route] as const),
);

/** Whether the call passed the check of access: what a call refuses for another reason is no 404. */
const isLetIn = (status: number) => status < 500 && ![401, 403, 404].includes(status);

test.each(matrix)('%s called by a colleague with the level %s', async (_, level, route: Route) => {
  const scene = await makeScene(server);
  expect((await shareTest(scene, level)).status).toBe(200);
  const { status, text } = await server.send(route, sampleCall(route, scene, server), {
    as: scene.users.otherTeacher,
  });
  // Nobody but students to whom it is assigned takes a test.
  const isStart = route.name === 'startAttempt';
  const isExpected = !isStart && (NEEDED[route.ownership] ?? []).includes(level);
  expect(isLetIn(status), `${status} ${text}`).toBe(isExpected);
});

const ofGroups = routes.filter(({ ownership }) => ownership.startsWith('group'));

test.each(ofGroups.map((route) => [route.name, route] as const))(
  '%s called by a colleague of the class',
  async (_, route) => {
    const scene = await makeScene(server);
    expect((await shareGroup(scene)).status).toBe(200);
    const { status, text } = await server.send(route, sampleCall(route, scene, server), {
      as: scene.users.otherTeacher,
    });
    expect(isLetIn(status), `${status} ${text}`).toBe(route.ownership === 'groupEditor');
  },
);

test('access ends with the share, and for an account that is no teacher any more', async () => {
  const scene = await makeScene(server);
  const { otherTeacher } = scene.users;
  const read = () =>
    server.send(getTestSettings, { params: { id: scene.testId } }, { as: otherTeacher });
  await shareTest(scene, 'edit');
  expect((await read()).status).toBe(200);
  await server.pool.query('update users set role = $2 where id = $1', [
    otherTeacher.userId,
    ROLE.student,
  ]);
  expect((await read()).status).toBe(403);
  await server.pool.query('update users set role = $2 where id = $1', [
    otherTeacher.userId,
    ROLE.teacher,
  ]);
  await server.send(
    setTestShares,
    { params: { id: scene.testId }, body: { shares: [] } },
    { as: scene.teacher },
  );
  expect((await read()).status).toBe(404);
});

test('a shared test is listed with its owner and the level, and stays out of a stranger’s list', async () => {
  const scene = await makeScene(server);
  await shareTest(scene, 'grade');
  const list = async (as: TestUser) =>
    (await server.send(listCreatedTests, {}, { as })).body.items.map(({ id, level }) => ({
      id,
      level,
    }));
  expect(await list(scene.users.otherTeacher)).toEqual([{ id: scene.testId, level: 'grade' }]);
  expect(await list(scene.teacher)).toContainEqual({ id: scene.testId, level: 'owner' });
  expect(await list(await server.user({ role: ROLE.teacher }))).toEqual([]);
});

test('shares go to teachers alone, each once, and never to the owner', async () => {
  const scene = await makeScene(server);
  const refused = await shareTest(scene, 'edit', scene.student.userId);
  expect(refused.status).toBe(400);
  expect(errorOf(refused).details).toEqual({
    fields: [{ field: 'shares', message: expect.stringContaining('преподавателю') }],
  });
  const own = await shareTest(scene, 'edit', scene.teacher.userId);
  expect(own.body).toEqual({ items: [], total: 0 });
  const one = { userId: scene.users.otherTeacher.userId, level: 'edit' as const };
  const twice = await server.send(
    setTestShares,
    { params: { id: scene.testId }, body: { shares: [one, one] } },
    { as: scene.teacher },
  );
  expect(twice.status).toBe(400);
});

test('the log of acts has who got and who lost which access', async () => {
  const scene = await makeScene(server);
  const { otherTeacher, admin } = scene.users;
  await shareTest(scene, 'results');
  await shareTest(scene, 'edit');
  await server.send(
    setTestShares,
    { params: { id: scene.testId }, body: { shares: [] } },
    { as: scene.teacher },
  );
  await shareGroup(scene);
  const { body } = await server.send(
    listAudit,
    { query: { personId: otherTeacher.userId } },
    { as: admin },
  );
  const acts = body.items.map(({ act, details, actor }) => [act, details, actor?.userId]);
  const by = scene.teacher.userId;
  expect(acts).toEqual(
    expect.arrayContaining([
      ['accessGiven', { of: 'test', level: 'results' }, by],
      ['accessGiven', { of: 'test', level: 'edit' }, by],
      ['accessTaken', { of: 'test', level: 'edit' }, by],
      ['accessGiven', { of: 'group', level: 'edit', id: scene.groupId }, by],
    ]),
  );
});

describe('a shared class', () => {
  test('is listed, and can be assigned to a test of the colleague', async () => {
    const scene = await makeScene(server);
    const { otherTeacher } = scene.users;
    const testId = (await makeScene(server)).testId;
    await server.pool.query('update tests set owner_id = $2 where id = $1', [
      testId,
      otherTeacher.userId,
    ]);
    const assign = () =>
      server.send(
        updateTest,
        { body: { id: testId, version: 1, assignedGroupIds: [scene.groupId] } },
        { as: otherTeacher },
      );
    expect((await assign()).status).toBe(400);
    await shareGroup(scene);
    const listed = await server.send(listGroups, {}, { as: otherTeacher });
    expect(listed.body.items).toMatchObject([{ groupId: scene.groupId, level: 'edit' }]);
    expect((await assign()).status).toBe(200);
  });

  test('gives no right over the passwords of students from classes that are not shared', async () => {
    const scene = await makeScene(server);
    const { otherTeacher } = scene.users;
    const shared = await makeGroup(server, scene.teacher, []);
    await shareGroup(scene, shared);
    // A student who joined another class of the owner by its code.
    const student = await server.user({ userName: 'Зоя Котова' });
    const joined = await server.send(
      setJoinCode,
      { params: { groupId: scene.groupId }, body: { enabled: true } },
      { as: scene.teacher },
    );
    const code = joined.body.joinCode ?? '';
    expect((await server.send(joinGroup, { body: { code } }, { as: student })).status).toBe(200);
    await server.send(
      addMembers,
      { params: { groupId: shared }, body: { userIds: [student.userId] } },
      { as: otherTeacher },
    );
    const seen = await server.send(getGroup, { params: { groupId: shared } }, { as: otherTeacher });
    expect(seen.body.members).toMatchObject([
      { userId: student.userId, mayResetPassword: false, email: '' },
    ]);
  });
});

describe('a shared bank', () => {
  const share = (scene: Scene) =>
    server.send(
      setBankShares,
      { body: { shares: [{ userId: scene.users.otherTeacher.userId, level: 'results' }] } },
      { as: scene.teacher },
    );

  test('is read by the colleague without the names of tests, and by nobody else', async () => {
    const scene = await makeScene(server);
    const query = { bankOf: scene.teacher.userId };
    const list = (as: TestUser) => server.send(listBank, { query }, { as });
    expect((await list(scene.users.otherTeacher)).status).toBe(404);
    await share(scene);
    const seen = await list(scene.users.otherTeacher);
    expect(seen.body.items.map(({ entryId }) => entryId)).toContain(scene.entryId);
    expect(seen.body.items.flatMap(({ uses }) => uses)).toEqual([]);
    const facets = await server.send(getBankFacets, { query }, { as: scene.users.otherTeacher });
    expect(facets.body.shared.map(({ userId }) => userId)).toEqual([scene.teacher.userId]);
    expect((await list(await server.user({ role: ROLE.teacher }))).status).toBe(404);
  });

  test('shows its pictures to the colleague', async () => {
    const scene = await makeScene(server);
    const bytes = SAMPLES['image/jpeg'];
    const sent = await server.send(uploadPicture, { bytes }, { as: scene.teacher });
    expect(sent.status, sent.text).toBe(200);
    const { key } = sent.body;
    const see = () =>
      server.send(downloadFile, { params: { key } }, { as: scene.users.otherTeacher });
    expect((await see()).status).toBe(404);
    await share(scene);
    expect((await see()).status).toBe(200);
  });

  test('names its colleagues to the owner', async () => {
    const scene = await makeScene(server);
    await share(scene);
    const shares = await server.send(getBankShares, {}, { as: scene.teacher });
    expect(shares.body.items).toEqual([
      { userId: scene.users.otherTeacher.userId, userName: 'Другой Учитель', level: 'results' },
    ]);
    const ofTest = await server.send(
      getTestShares,
      { params: { id: scene.testId } },
      { as: scene.teacher },
    );
    expect(ofTest.body).toEqual({ items: [], total: 0 });
  });
});
