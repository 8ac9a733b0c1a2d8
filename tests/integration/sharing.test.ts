import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handOverTeaching, listAudit } from '#contract/admin.ts';
import { deleteTest, getTestSettings, listCreatedTests, updateTest } from '#contract/authoring.ts';
import { ROLE } from '#contract/auth.ts';
import { getBankFacets, listBank } from '#contract/bank.ts';
import { getDraft, saveDraft } from '#contract/drafts.ts';
import { downloadFile } from '#contract/files.ts';
import { uploadPicture } from '#contract/pictures.ts';
import { addMembers, getGroup, joinGroup, listGroups, setJoinCode } from '#contract/groups.ts';
import type { Question } from '#contract/questions.ts';
import type { Ownership, Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import {
  getBankShares,
  getTestShares,
  changeBankShares,
  changeGroupShares,
  changeTestShares,
  type ShareLevel,
} from '#contract/sharing.ts';
import { indexUnknownTests } from '#server/bank/index-job.ts';
import { makeScene, sampleCall, type Scene } from '#tests/calls.ts';
import { getTest } from '#contract/full-test.ts';
import { errorOf, makeGroup, makeTest, smallTest } from '#tests/school.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { type TestServer, testServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const shareTest = (scene: Scene, level: ShareLevel, userId = scene.users.otherTeacher.userId) =>
  server.send(
    changeTestShares,
    { params: { id: scene.testId }, body: { given: [{ userId, level }], taken: [] } },
    { as: scene.teacher },
  );

const shareGroup = (scene: Scene, groupId = scene.groupId) =>
  server.send(
    changeGroupShares,
    {
      params: { groupId },
      body: { given: [{ userId: scene.users.otherTeacher.userId, level: 'edit' }], taken: [] },
    },
    { as: scene.teacher },
  );

/** The lowest level that reaches a test's call; calls of others are unreachable for a colleague. */
const NEEDED: Readonly<Partial<Record<Ownership, readonly ShareLevel[]>>> = {
  attemptReader: ['results', 'grade', 'edit'],
  testReader: ['results', 'grade', 'edit'],
  testViewer: ['results', 'grade', 'edit'],
  attemptGrader: ['grade', 'edit'],
  attemptEditor: ['edit'],
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
  // Only students with the assignment may start a test.
  const isStart = ['startAttempt', 'makeOffer', 'reportReadiness'].includes(route.name);
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
  // Students may call this one, too.
  const readTest = await server.send(
    getTest,
    { params: { id: scene.testId } },
    { as: otherTeacher },
  );
  expect(readTest.status).toBe(404);
  await server.pool.query('update users set role = $2 where id = $1', [
    otherTeacher.userId,
    ROLE.teacher,
  ]);
  await server.send(
    changeTestShares,
    {
      params: { id: scene.testId },
      body: { given: [], taken: [scene.users.otherTeacher.userId] },
    },
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

test('of shared tests the editable ones alone are listed on request, and none of the archive', async () => {
  const scene = await makeScene(server);
  const { otherTeacher, admin } = scene.users;
  const edited = await makeTest(server, scene.teacher, { lifecycle: 'draft' });
  const archived = await makeTest(server, otherTeacher, { lifecycle: 'archived' });
  await shareTest({ ...scene, testId: edited }, 'edit');
  await shareTest(scene, 'grade');
  const list = async (as: TestUser, query: { editable?: '1' }) =>
    (await server.send(listCreatedTests, { query }, { as })).body;
  expect((await list(otherTeacher, {})).total).toBe(3);
  expect(await list(otherTeacher, { editable: '1' })).toMatchObject({
    items: [{ id: edited, isOwn: false }],
    total: 1,
  });
  // An administrator has every right, yet not every test is the administrator's own.
  await shareTest(scene, 'results', admin.userId);
  expect((await list(admin, { editable: '1' })).items).toMatchObject([
    { id: scene.testId, level: 'owner', isOwn: false, owner: scene.teacher.userName },
  ]);
  expect((await list(scene.teacher, {})).items.every(({ isOwn }) => isOwn)).toBe(true);
  expect((await list(otherTeacher, {})).items).toContainEqual(
    expect.objectContaining({ id: archived, isOwn: true }),
  );
});

test('shares go to teachers alone, each once, and never to the owner', async () => {
  const scene = await makeScene(server);
  const refused = await shareTest(scene, 'edit', scene.student.userId);
  expect(refused.status).toBe(400);
  expect(errorOf(refused).details).toEqual({
    fields: [{ field: 'given', message: expect.stringContaining('преподавателю') }],
  });
  const blocked = await server.user({ role: ROLE.teacher, userName: 'Бывший Учитель' });
  await server.pool.query('update users set blocked_at = $2 where id = $1', [
    blocked.userId,
    server.clock.now,
  ]);
  expect((await shareTest(scene, 'edit', blocked.userId)).status).toBe(400);
  const own = await shareTest(scene, 'edit', scene.teacher.userId);
  expect(own.body).toMatchObject({ items: [], total: 0 });
  const one = { userId: scene.users.otherTeacher.userId, level: 'edit' as const };
  const twice = await server.send(
    changeTestShares,
    { params: { id: scene.testId }, body: { given: [one, one], taken: [] } },
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
    changeTestShares,
    {
      params: { id: scene.testId },
      body: { given: [], taken: [scene.users.otherTeacher.userId] },
    },
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
  expect(body.items.map(({ subject }) => subject)).toContainEqual(
    expect.objectContaining({ kind: 'group', id: scene.groupId, name: '9А' }),
  );
  expect(acts).toEqual(
    expect.arrayContaining([
      ['accessGiven', { of: 'test', level: 'results' }, by],
      ['accessGiven', { of: 'test', level: 'edit' }, by],
      ['accessTaken', { of: 'test', level: 'edit' }, by],
      ['accessGiven', { of: 'group', level: 'edit' }, by],
    ]),
  );
});

test('who has which terms is read by those who may set them', async () => {
  const scene = await makeScene(server);
  const assigned = async (as: TestUser) =>
    (await server.send(getTestSettings, { params: { id: scene.testId } }, { as })).body
      .assignedUsers.length;
  await shareTest(scene, 'grade');
  expect(await assigned(scene.teacher)).toBe(1);
  expect(await assigned(scene.users.otherTeacher)).toBe(0);
  await shareTest(scene, 'edit');
  expect(await assigned(scene.users.otherTeacher)).toBe(1);
});

test('what an administrator archives is no colleague’s to bring back', async () => {
  const scene = await makeScene(server);
  const { otherTeacher, admin } = scene.users;
  await shareTest(scene, 'edit');
  await shareGroup(scene);
  const erased = await server.send(
    handOverTeaching,
    { params: { userId: scene.teacher.userId }, body: { successorId: null } },
    { as: admin },
  );
  expect(erased.status, erased.text).toBe(200);
  const read = await server.send(
    getTestSettings,
    { params: { id: scene.testId } },
    { as: otherTeacher },
  );
  const group = await server.send(
    getGroup,
    { params: { groupId: scene.groupId } },
    { as: otherTeacher },
  );
  expect([read.status, group.status]).toEqual([404, 404]);
});

test('changes by others meanwhile stay: only differences are sent', async () => {
  const scene = await makeScene(server);
  const third = await server.user({ role: ROLE.teacher });
  await shareTest(scene, 'edit');
  await server.send(
    changeTestShares,
    {
      params: { id: scene.testId },
      body: { given: [], taken: [scene.users.otherTeacher.userId] },
    },
    { as: scene.users.admin },
  );
  // The owner's dialog, open since before, adds another colleague.
  const saved = await shareTest(scene, 'grade', third.userId);
  expect(saved.body.items.map(({ userId }) => userId)).toEqual([third.userId]);
});

test('who loses access to one test can still open others, and other colleagues can open it', async () => {
  const scene = await makeScene(server);
  const { otherTeacher, admin } = scene.users;
  const third = await server.user({ role: ROLE.teacher, userName: 'Третий Учитель' });
  const second = { ...scene, testId: await makeTest(server, scene.teacher) };
  for (const shared of [scene, second])
    for (const { userId } of [otherTeacher, third]) await shareTest(shared, 'grade', userId);
  const take = { params: { id: scene.testId }, body: { given: [], taken: [otherTeacher.userId] } };
  await server.send(changeTestShares, take, { as: scene.teacher });
  const sharedWith = async (id: string) => {
    const { body } = await server.send(getTestShares, { params: { id } }, { as: admin });
    return body.items.map(({ userId }) => userId).toSorted();
  };
  expect(await sharedWith(scene.testId)).toEqual([third.userId]);
  expect(await sharedWith(second.testId)).toEqual([otherTeacher.userId, third.userId].toSorted());
});

test('a hand-over beside changes of access refuses neither', async () => {
  const scene = await makeScene(server);
  const others = [scene.users.otherTeacher, await server.user({ role: ROLE.teacher })];
  for (let round = 0; round < 6; round += 1) {
    const [from, to] = round % 2 === 0 ? [scene.teacher, others[1]] : [others[1], scene.teacher];
    if (!from || !to) throw new Error('no teachers');
    const [changed, handedOver] = await Promise.all([
      server.send(
        changeTestShares,
        {
          params: { id: scene.testId },
          body: {
            given: [{ userId: others[0]?.userId ?? '', level: round % 2 === 0 ? 'edit' : 'grade' }],
            taken: [],
          },
        },
        { as: scene.users.admin },
      ),
      server.send(
        handOverTeaching,
        { params: { userId: from.userId }, body: { successorId: to.userId } },
        { as: scene.users.admin },
      ),
    ]);
    expect([changed.status, handedOver.status], changed.text + handedOver.text).toEqual([200, 200]);
  }
});

test('a colleague who edits a test rewrites no question of the owner’s bank', async () => {
  const scene = await makeScene(server);
  await shareTest(scene, 'edit');
  const as = scene.users.otherTeacher;
  const params = { id: scene.testId };
  const draft = await server.send(getDraft, { params }, { as });
  const [first] = draft.body.questions;
  if (!first) throw new Error('an empty test');
  const copy = {
    ...first,
    questionId: server.deps.newId(),
    text: 'Переписано коллегой',
    origin: { kind: 'bank' as const, entryId: scene.entryId },
  };
  const order = [...draft.body.questions.map(({ questionId }) => questionId), copy.questionId];
  const save = (draftVersion: number, changed: readonly Question[], by: TestUser) =>
    server.send(
      saveDraft,
      { params, body: { draftVersion, order, changed: [...changed] } },
      { as: by },
    );
  const saved = await save(draft.body.draftVersion, [copy], as);
  expect(saved.status, saved.text).toBe(200);
  const again = await save(saved.body.draftVersion, [{ ...copy, points: 2 }], scene.teacher);
  expect(again.status, again.text).toBe(200);
  const stored = await server.pool.query(
    'select entry_id as "entryId", question ->> \'text\' as text from bank_entries where owner_id = $1',
    [scene.teacher.userId],
  );
  const texts = new Map(stored.rows.map(({ entryId, text }) => [entryId, text]));
  expect(texts.get(scene.entryId)).toBe(first.text === '' ? '' : smallTest[0]?.text);
  expect(texts.get(copy.questionId)).toBe('Переписано коллегой');
});

describe('a shared class', () => {
  test('leaves the tests of a colleague who lost access', async () => {
    const scene = await makeScene(server);
    const { otherTeacher } = scene.users;
    const testId = (await makeScene(server)).testId;
    await server.pool.query('update tests set owner_id = $2 where id = $1', [
      testId,
      otherTeacher.userId,
    ]);
    await shareGroup(scene);
    const body = { id: testId, version: 1, assignedGroupIds: [scene.groupId] };
    expect((await server.send(updateTest, { body }, { as: otherTeacher })).status).toBe(200);
    await server.send(
      changeGroupShares,
      { params: { groupId: scene.groupId }, body: { given: [], taken: [otherTeacher.userId] } },
      { as: scene.teacher },
    );
    const settings = await server.send(
      getTestSettings,
      { params: { id: testId } },
      { as: otherTeacher },
    );
    expect(settings.body.assignedGroups).toEqual([]);
    const { version } = settings.body;
    const assigned = await server.send(
      updateTest,
      { body: { ...body, version } },
      { as: otherTeacher },
    );
    expect(assigned.status).toBe(400);
  });

  test('stays assigned to everybody else’s tests, and the colleague’s other classes to theirs', async () => {
    const scene = await makeScene(server);
    const { otherTeacher, admin } = scene.users;
    const third = await server.user({ role: ROLE.teacher, userName: 'Третий Учитель' });
    const own = await makeGroup(server, otherTeacher, []);
    const assign = async (owner: TestUser, groupIds: string[]) => {
      const id = await makeTest(server, owner);
      for (const groupId of groupIds)
        await server.pool.query(
          'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, $4)',
          [server.deps.newId(), id, groupId, server.clock.now],
        );
      return id;
    };
    await shareGroup(scene);
    const theirs = await assign(otherTeacher, [scene.groupId, own]);
    const others = [];
    for (const owner of [scene.teacher, third, admin])
      others.push(await assign(owner, [scene.groupId]));
    await server.send(
      changeGroupShares,
      { params: { groupId: scene.groupId }, body: { given: [], taken: [otherTeacher.userId] } },
      { as: scene.teacher },
    );
    const classesOf = async (id: string) => {
      const { body } = await server.send(getTestSettings, { params: { id } }, { as: admin });
      return body.assignedGroups.map(({ groupId }) => groupId);
    };
    expect(await classesOf(theirs)).toEqual([own]);
    for (const id of others) expect(await classesOf(id)).toEqual([scene.groupId]);
  });

  test('stays assigned to the tests of an administrator who loses access', async () => {
    const scene = await makeScene(server);
    const { admin } = scene.users;
    const id = await makeTest(server, admin);
    await server.pool.query(
      'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, $4)',
      [server.deps.newId(), id, scene.groupId, server.clock.now],
    );
    const change = (body: { given: { userId: string; level: 'edit' }[]; taken: string[] }) =>
      server.send(
        changeGroupShares,
        { params: { groupId: scene.groupId }, body },
        { as: scene.teacher },
      );
    await change({ given: [{ userId: admin.userId, level: 'edit' }], taken: [] });
    await change({ given: [], taken: [admin.userId] });
    const { body } = await server.send(getTestSettings, { params: { id } }, { as: admin });
    expect(body.assignedGroups).toHaveLength(1);
  });

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
      changeBankShares,
      {
        body: {
          given: [{ userId: scene.users.otherTeacher.userId, level: 'results' }],
          taken: [],
        },
      },
      { as: scene.teacher },
    );

  test('is read only by the colleague, without the names of tests', async () => {
    const scene = await makeScene(server);
    await indexUnknownTests(server.pool);
    const query = { bankOf: scene.teacher.userId };
    const list = (as: TestUser) => server.send(listBank, { query }, { as });
    expect((await list(scene.users.otherTeacher)).status).toBe(404);
    await share(scene);
    const seen = await list(scene.users.otherTeacher);
    expect(seen.body.items.map(({ entryId }) => entryId)).toContain(scene.entryId);
    const named = (reply: typeof seen) => reply.body.items.flatMap(({ uses }) => uses);
    expect(named(await list(scene.teacher))).not.toEqual([]);
    expect(named(seen)).toEqual([]);
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

  test('leaves the colleague the pictures of questions copied from it', async () => {
    const scene = await makeScene(server);
    const { otherTeacher, admin } = scene.users;
    const third = await server.user({ role: ROLE.teacher });
    const bytes = SAMPLES['image/jpeg'];
    const { key } = (await server.send(uploadPicture, { bytes }, { as: scene.teacher })).body;
    const see = async (as: TestUser) =>
      (await server.send(downloadFile, { params: { key } }, { as })).status;
    /** A colleague's test with a single question that shows the picture. */
    const show = async (students: readonly TestUser[] = []) => {
      const testId = await makeTest(server, otherTeacher, { lifecycle: 'draft', students });
      const params = { id: testId };
      const draft = await server.send(getDraft, { params }, { as: otherTeacher });
      const [question] = smallTest.map((each) => ({ ...each, text: `![угол](file:${key})` }));
      if (!question) throw new Error('no question');
      const { draftVersion } = draft.body;
      const body = { draftVersion, order: [question.questionId], changed: [question] };
      const saved = await server.send(saveDraft, { params, body }, { as: otherTeacher });
      expect(saved.status, saved.text).toBe(200);
      return testId;
    };
    await share(scene);
    const testId = await show();
    await server.send(
      changeBankShares,
      { body: { given: [], taken: [otherTeacher.userId] } },
      { as: scene.teacher },
    );
    const deleted = await server.send(deleteTest, { params: { id: testId } }, { as: otherTeacher });
    expect(deleted.status, deleted.text).toBe(200);
    expect(await see(otherTeacher)).toBe(200);
    // The question is in the colleague's bank: it can be shown and shared again.
    expect(await see(third)).toBe(404);
    await server.send(
      changeBankShares,
      { body: { given: [{ userId: third.userId, level: 'results' }], taken: [] } },
      { as: otherTeacher },
    );
    expect(await see(third)).toBe(200);
    await show();
    // The person who gets the bank also gets its pictures.
    const passed = await server.send(
      handOverTeaching,
      { params: { userId: otherTeacher.userId }, body: { successorId: third.userId } },
      { as: admin },
    );
    expect(passed.status, passed.text).toBe(200);
    expect([await see(third), await see(otherTeacher)]).toEqual([200, 404]);
  });

  test('is closed once its owner teaches no more', async () => {
    const scene = await makeScene(server);
    await share(scene);
    await server.pool.query('update users set role = $2 where id = $1', [
      scene.teacher.userId,
      ROLE.student,
    ]);
    const as = scene.users.otherTeacher;
    const query = { bankOf: scene.teacher.userId };
    expect((await server.send(listBank, { query }, { as })).status).toBe(404);
    expect((await server.send(getBankFacets, {}, { as })).body.shared).toEqual([]);
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
    expect(ofTest.body).toEqual({ items: [], total: 0, ownerId: scene.teacher.userId });
  });
});
