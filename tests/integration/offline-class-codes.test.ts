import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteTest } from '#contract/authoring.ts';
import { deleteGroup } from '#contract/groups.ts';
import {
  changeStartCode,
  getStartCode,
  listCodeClasses,
  makeClassCode,
  removeClassCode,
  revealStartCode,
} from '#contract/offers.ts';
import { listReadiness } from '#contract/readiness.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { ofClass, OfflineDevice, renewCode, showCode } from '#tests/offline-device.ts';
import { errorOf, makeGroup, makeSchool, makeTest, type School } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;

/** A test assigned to two classes, each with a student, and to `student` by name. */
interface Classes extends School {
  /** In the order of their ids. */
  readonly groups: readonly [string, string];
  readonly anna: TestUser;
  readonly boris: TestUser;
}

const assign = ({ testId }: Pick<School, 'testId'>, groupId: string) =>
  execute(
    server.pool,
    'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, $4)',
    [server.deps.newId(), testId, groupId, server.clock.now],
  );

async function makeClasses(): Promise<Classes> {
  const { teacher, student } = await makeSchool(server);
  const testId = await makeTest(server, teacher, { offlineStart: true, students: [student] });
  const [anna, boris] = [await server.user(), await server.user()];
  const first = await makeGroup(server, teacher, [anna], '9А');
  const second = await makeGroup(server, teacher, [boris], '9Б');
  await assign({ testId }, first);
  await assign({ testId }, second);
  return { teacher, student, testId, anna, boris, groups: [first, second] };
}

const makeCode = ({ testId, teacher }: School, groupId: string) =>
  server.send(makeClassCode, { params: { id: testId, groupId } }, { as: teacher });

const removeCode = ({ testId, teacher }: School, groupId: string) =>
  server.send(removeClassCode, { params: { id: testId, groupId } }, { as: teacher });

const stateOf = async ({ testId, teacher }: School, groupId?: string) =>
  (
    await server.send(
      getStartCode,
      { params: { id: testId }, query: ofClass(groupId) },
      { as: teacher },
    )
  ).body;

async function move({ userId }: TestUser, from: string | null, to: string | null): Promise<void> {
  await execute(server.pool, 'delete from group_members where group_id = $1 and user_id = $2', [
    from,
    userId,
  ]);
  if (to !== null)
    await execute(
      server.pool,
      `insert into group_members (group_id, user_id, via, added_at) values ($1, $2, 'code', $3)`,
      [to, userId, server.clock.now],
    );
}

async function offered({ testId }: School, student: TestUser): Promise<OfflineDevice> {
  const device = new OfflineDevice(server, student);
  const reply = await device.fetch(testId);
  expect(reply.status, reply.text).toBe(200);
  return device;
}

/** The salt of an offer names its code. */
const saltOf = ({ ownOffer }: OfflineDevice) => ownOffer.code.salt;

describe('the code of a class', () => {
  test('replaces the offers of its students alone', async () => {
    const school = await makeClasses();
    const { groups, teacher, testId, anna, boris, student } = school;
    const before = await Promise.all([anna, boris, student].map((one) => offered(school, one)));
    expect(new Set(before.map(saltOf)).size).toBe(1);
    expect(await stateOf(school)).toMatchObject({ offers: 3 });
    const made = await makeCode(school, groups[1]);
    expect(made.body).toMatchObject({ code: null, showFrom: null, offers: 0, begun: 0 });
    expect(await stateOf(school)).toMatchObject({ offers: 2 });
    const after = await Promise.all([anna, boris, student].map((one) => offered(school, one)));
    const isSame = after.map(
      ({ ownOffer }, index) => ownOffer.offerId === before[index]?.ownOffer.offerId,
    );
    expect(isSame).toEqual([true, false, true]);
    expect(await stateOf(school, groups[1])).toMatchObject({ offers: 1 });
    const listed = await server.send(listCodeClasses, { params: { id: testId } }, { as: teacher });
    const owner = teacher.userName;
    expect(listed.body.items).toEqual([
      { groupId: groups[0], name: '9А', owner, hasCode: false },
      { groupId: groups[1], name: '9Б', owner, hasCode: true },
    ]);
  });

  test('is made once, by thirty who ask together, and logged without a name', async () => {
    const school = await makeClasses();
    const [groupId] = school.groups;
    const made = await Promise.all(Array.from({ length: 30 }, () => makeCode(school, groupId)));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200]));
    await showCode(server, school, groupId);
    expect(await makeCode(school, groupId)).toMatchObject({
      status: 200,
      body: await stateOf(school, groupId),
    });
    await renewCode(server, school, groupId);
    await removeCode(school, groupId);
    const logged = await rows(
      server.pool,
      `select act, details, times from audit_log where subject_id = $1 order by at, id`,
      [school.testId],
    );
    expect(logged).toEqual(
      ['startCodeMade', 'startCodeShown', 'startCodeRenewed', 'startCodeRemoved'].map((act) => ({
        act,
        details: { groupId },
        times: 1,
      })),
    );
  });

  test('is in no reply before it is shown, and has a moment of its own', async () => {
    const school = await makeClasses();
    const { testId, teacher } = school;
    const [groupId] = school.groups;
    await makeCode(school, groupId);
    const from = new Date(server.clock.now.getTime() + MINUTE);
    const body = { showFrom: from.toISOString() };
    const of = { params: { id: testId }, query: ofClass(groupId) };
    await server.send(changeStartCode, { ...of, body }, { as: teacher });
    expect(await stateOf(school)).toMatchObject({ showFrom: null });
    const early = await server.send(revealStartCode, of, { as: teacher });
    expect(errorOf(early).code).toBe('CODE_NOT_YET');
    const ofTest = await showCode(server, school);
    server.clock.advance(MINUTE);
    expect(await stateOf(school, groupId)).toMatchObject({ code: null, shownAt: null });
    const own = await showCode(server, school, groupId);
    expect(own).toMatch(/^[CHKMPTX2-9]{12}$/);
    expect(own).not.toBe(ofTest);
    expect(await stateOf(school)).toMatchObject({ code: ofTest });
  });

  test('does not exist for a class that the test is not assigned to, or without one', async () => {
    const school = await makeClasses();
    const { groups, testId, teacher } = school;
    const other = await makeGroup(server, teacher, [school.anna], '10А');
    for (const id of [other, server.deps.newId()]) {
      expect((await makeCode(school, id)).status).toBe(404);
      expect((await removeCode(school, id)).status).toBe(404);
    }
    const own = await server.send(
      getStartCode,
      { params: { id: testId }, query: { groupId: groups[0] } },
      { as: teacher },
    );
    expect(own.status).toBe(404);
    expect((await removeCode(school, groups[0])).status).toBe(404);
    expect(
      await rows(server.pool, 'select 1 from start_codes where test_id = $1', [testId]),
    ).toHaveLength(1);
  });
});

describe('a student', () => {
  test('of a class with a code cannot open the offer with the code of another class or of the test', async () => {
    const school = await makeClasses();
    const [first, second] = school.groups;
    await makeCode(school, first);
    await makeCode(school, second);
    const boris = await offered(school, school.boris);
    const anna = await offered(school, school.anna);
    for (const leaked of [await showCode(server, school, first), await showCode(server, school)])
      await expect(boris.open(leaked)).rejects.toThrow();
    await boris.open(await showCode(server, school, second));
    await expect(anna.open(await showCode(server, school, second))).rejects.toThrow();
  });

  test('in two such classes has the code of the one with the smaller id', async () => {
    const school = await makeClasses();
    const [first, second] = school.groups;
    await move(school.anna, null, second);
    await makeCode(school, second);
    const one = await offered(school, school.anna);
    const boris = await offered(school, school.boris);
    expect(saltOf(one)).toBe(saltOf(boris));
    await makeCode(school, first);
    const other = await offered(school, school.anna);
    expect(saltOf(other)).not.toBe(saltOf(boris));
    await other.open(await showCode(server, school, first));
  });

  test('has the test’s code if the test is not assigned to the class, or no longer', async () => {
    const school = await makeClasses();
    const [first] = school.groups;
    await makeCode(school, first);
    await move(school.student, null, first);
    const inClass = await offered(school, school.student);
    await execute(server.pool, 'delete from assignments where test_id = $1 and group_id = $2', [
      school.testId,
      first,
    ]);
    const byName = await offered(school, school.student);
    expect(saltOf(byName)).not.toBe(saltOf(inClass));
    await byName.open(await showCode(server, school));
  });

  test('who was moved gets another offer, and a begin of the former one is held', async () => {
    const school = await makeClasses();
    const [first, second] = school.groups;
    await makeCode(school, first);
    await makeCode(school, second);
    const former = await offered(school, school.anna);
    const code = await showCode(server, school, first);
    await move(school.anna, first, second);
    expect(await stateOf(school, first)).toMatchObject({ offers: 0 });
    await former.open(code);
    server.clock.advance(5 * MINUTE);
    const next = await offered(school, school.anna);
    await expect(next.open(code)).rejects.toThrow();
    // It lies before the next offer, and after the move.
    expect((await former.begin(4 * MINUTE)).body.beginHold).toBe('replacedOffer');
  });
});

describe('a begin', () => {
  test('before the showing of the own code is held, though another class’s code was shown', async () => {
    const school = await makeClasses();
    const [first, second] = school.groups;
    await makeCode(school, first);
    await makeCode(school, second);
    const boris = await offered(school, school.boris);
    const anna = await offered(school, school.anna);
    const shown = await showCode(server, school, first);
    await showCode(server, school);
    const unshown = await one<{ code: string }>(
      server.pool,
      'select code from start_codes where test_id = $1 and group_id = $2',
      [school.testId, second],
    );
    server.clock.advance(5 * MINUTE);
    await anna.open(shown);
    await boris.open(unshown?.code ?? '');
    expect((await anna.begin(2 * MINUTE)).body.beginHold).toBeUndefined();
    expect((await boris.begin(2 * MINUTE)).body.beginHold).toBe('beforeCode');
    expect(await stateOf(school, first)).toMatchObject({ begun: 1 });
    expect(await stateOf(school)).toMatchObject({ begun: 0 });
  });

  test('of unknown time counts from the showing of the own code', async () => {
    const school = await makeClasses();
    const [first] = school.groups;
    await makeCode(school, first);
    const anna = await offered(school, school.anna);
    await showCode(server, school);
    server.clock.advance(10 * MINUTE);
    const shownAt = server.clock.now.toISOString();
    await anna.open(await showCode(server, school, first));
    server.clock.advance(10 * MINUTE);
    expect((await anna.begin('unknown')).body).toMatchObject({ startedAt: shownAt });
  });

  test('with the test’s code counts before the class got its own, and is held after it', async () => {
    const school = await makeClasses();
    const { groups, anna, boris } = school;
    await move(boris, groups[1], groups[0]);
    const [early, late] = [await offered(school, anna), await offered(school, boris)];
    const code = await showCode(server, school);
    await early.open(code);
    await late.open(code);
    server.clock.advance(5 * MINUTE);
    await makeCode(school, groups[0]);
    server.clock.advance(5 * MINUTE);
    // Renewing it does not move the moment from which it is the right one.
    await renewCode(server, school, groups[0]);
    server.clock.advance(5 * MINUTE);
    expect((await early.begin(12 * MINUTE)).body.beginHold).toBeUndefined();
    expect((await late.begin(8 * MINUTE)).body.beginHold).toBe('replacedOffer');
  });
});

describe('a renewed or removed code of a class', () => {
  test('leaves the other codes and their offers', async () => {
    const school = await makeClasses();
    const [first, second] = school.groups;
    await makeCode(school, first);
    await makeCode(school, second);
    const codes = [await showCode(server, school), await showCode(server, school, second)];
    const before = await Promise.all(
      [school.boris, school.student, school.anna].map((one) => offered(school, one)),
    );
    const renewed = await renewCode(server, school, first);
    expect(renewed.body).toMatchObject({ code: null, shownAt: null, offers: 0 });
    expect([await showCode(server, school), await showCode(server, school, second)]).toEqual(codes);
    const after = await Promise.all(
      [school.boris, school.student, school.anna].map((one) => offered(school, one)),
    );
    const isSame = after.map(
      ({ ownOffer }, index) => ownOffer.offerId === before[index]?.ownOffer.offerId,
    );
    expect(isSame).toEqual([true, true, false]);
  });

  test('is refused once an attempt has used it, and only then', async () => {
    const school = await makeClasses();
    const [first, second] = school.groups;
    await makeCode(school, first);
    await makeCode(school, second);
    const anna = await offered(school, school.anna);
    await anna.open(await showCode(server, school, first));
    expect((await anna.begin(0)).status).toBe(200);
    for (const refused of [await renewCode(server, school, first), await removeCode(school, first)])
      expect(errorOf(refused)).toMatchObject({
        code: 'CODE_IN_USE',
        message: expect.stringContaining('уже начали тест') as string,
      });
    for (const changed of [
      await renewCode(server, school, second),
      await renewCode(server, school),
    ])
      expect(changed.status).toBe(200);
    expect((await removeCode(school, second)).status).toBe(200);
  });

  test.each(['renewed', 'removed'])(
    'counts a begin from before it was %s, and holds a later one',
    async (what) => {
      const school = await makeClasses();
      const { groups, anna, boris } = school;
      const [first, second] = groups;
      await move(boris, second, first);
      await makeCode(school, first);
      const [early, late] = [await offered(school, anna), await offered(school, boris)];
      const code = await showCode(server, school, first);
      await early.open(code);
      await late.open(code);
      server.clock.advance(5 * MINUTE);
      const change =
        what === 'renewed' ? renewCode(server, school, first) : removeCode(school, first);
      expect((await change).status).toBe(200);
      if (what === 'removed') {
        // The students have the test's code, until the class gets one again.
        await (await offered(school, anna)).open(await showCode(server, school));
        server.clock.advance(MINUTE);
        await makeCode(school, first);
      }
      server.clock.advance(5 * MINUTE);
      expect((await early.begin(8 * MINUTE)).body.beginHold).toBeUndefined();
      expect((await late.begin(4 * MINUTE)).body.beginHold).toBe('replacedOffer');
    },
  );
});

test('a deleted class takes its code, and leaves its begins and a test that may be running', async () => {
  const school = await makeClasses();
  const { teacher, testId, groups, anna, boris } = school;
  const [groupId] = groups;
  await move(boris, groups[1], groupId);
  await makeCode(school, groupId);
  const [begun, waiting] = [await offered(school, anna), await offered(school, boris)];
  const code = await showCode(server, school, groupId);
  await begun.open(code);
  await waiting.open(code);
  await begun.begin(0);
  const deleted = await server.send(deleteGroup, { params: { groupId } }, { as: teacher });
  expect(deleted.status, deleted.text).toBe(200);
  const stored = await rows(
    server.pool,
    `select b.hold, b.code_id as "codeId" from begins b where attempt_id = $1`,
    [begun.attemptId],
  );
  expect(stored).toEqual([{ hold: null, codeId: null }]);
  expect((await begun.begin(0)).body.beginHold).toBeUndefined();
  await move(boris, null, groups[1]);
  const next = await offered(school, boris);
  await next.open(await showCode(server, school));
  expect((await waiting.begin(0)).body.beginHold).toBe('replacedOffer');
  await execute(server.pool, 'delete from attempts where test_id = $1', [testId]);
  await execute(server.pool, 'update start_codes set shown_at = null where test_id = $1', [testId]);
  const gone = await server.send(deleteTest, { params: { id: testId } }, { as: teacher });
  expect(gone.body).toEqual({ outcome: 'archived' });
});

test('a device is ready with an offer of the own code alone', async () => {
  const school = await makeClasses();
  const { teacher, testId, groups, boris } = school;
  const isCurrent = async () => {
    const { body } = await server.send(listReadiness, { params: { id: testId } }, { as: teacher });
    return body.items.flatMap(({ userId, offerCurrent }) => (offerCurrent ? [userId] : []));
  };
  const people = [school.anna, boris, school.student];
  await Promise.all(people.map((one) => offered(school, one)));
  expect(new Set(await isCurrent())).toEqual(new Set(people.map(({ userId }) => userId)));
  await makeCode(school, groups[1]);
  expect(await isCurrent()).not.toContain(boris.userId);
  expect(await isCurrent()).toHaveLength(2);
  await offered(school, boris);
  expect(await isCurrent()).toHaveLength(3);
  await move(boris, groups[1], groups[0]);
  expect(await isCurrent()).not.toContain(boris.userId);
});
