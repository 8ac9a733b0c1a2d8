import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportAudit } from '#contract/admin.ts';
import {
  addTime,
  decideHeld,
  deleteAttempt,
  gradeItem,
  restoreAttempt,
} from '#contract/attempts.ts';
import { login, ROLE } from '#contract/auth.ts';
import { register } from '#contract/registration.ts';
import { deleteTest, setLifecycle, updateTest } from '#contract/authoring.ts';
import { addTimeToMany } from '#contract/board.ts';
import { getLostTime, giveTimeBack } from '#contract/lost-time.ts';
import { recordUptime } from '#server/board/uptime.ts';
import { publishDraft, saveDraft } from '#contract/drafts.ts';
import { correctKey, decideTestHeld } from '#contract/grading.ts';
import { createPupils, resetPupilPassword } from '#contract/groups.ts';
import { HEADER } from '#contract/headers.ts';
import { changePassword, exportOwnData, updateProfile } from '#contract/profile.ts';
import type { Question } from '#contract/questions.ts';
import { exportStatistics } from '#contract/statistics.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { contentsOf } from '#tests/backups.ts';
import { makeScene, type Scene } from '#tests/calls.ts';
import { makeTest, Q, smallTest, TestDevice } from '#tests/school.ts';
import { type Answered, type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let passwordHash: string;
const PASSWORD = 'Kolokolchik7';
beforeAll(async () => {
  server = await testServer();
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => server.close());

/** The key of the single choice inverted. */
const otherKey: Question[] = smallTest.map((question) =>
  question.kind === 'variant' && question.questionId === Q.single
    ? { ...question, options: question.options.map((o) => ({ ...o, isRight: !o.isRight })) }
    : question,
);
const [, otherSingle] = otherKey;
if (!otherSingle) throw new Error('the small test has no single choice');

interface Expectation {
  actor: TestUser;
  /** Kind and id. */
  subject: readonly [string, string] | null;
  person: string | null;
  details?: object;
}

interface ActCase {
  /** As the log names it. */
  act: string;
  /** Preconditions of the act. */
  prepare?: (scene: Scene) => Promise<unknown>;
  run: (scene: Scene) => Promise<Answered<unknown>>;
  expected: (scene: Scene) => Expectation | Promise<Expectation>;
}

async function finish({ student, testId, attemptId }: Scene): Promise<void> {
  const device = new TestDevice(server, student);
  await device.start(testId, { [HEADER.takeOver]: attemptId });
  await device.finish();
}

const byTeacher = ({ teacher, attemptId, student }: Scene, details: object): Expectation => ({
  actor: teacher,
  subject: ['attempt', attemptId],
  person: student.userId,
  details,
});
const onTest = ({ teacher, testId }: Scene, details: object = {}): Expectation => ({
  actor: teacher,
  subject: ['test', testId],
  person: null,
  details,
});
const ofOneself = (actor: TestUser, details: object = {}): Expectation => ({
  actor,
  subject: ['user', actor.userId],
  person: actor.userId,
  details,
});
const setPasswordOf = ({ userId }: TestUser) =>
  execute(server.pool, 'update users set password_hash = $2 where id = $1', [userId, passwordHash]);
const gradeEssay = ({ teacher, attemptId }: Scene, points: number | null) =>
  server.send(
    gradeItem,
    { params: { attemptId }, body: { questionId: Q.essay, points, comment: 'Верно' } },
    { as: teacher },
  );
const archive = ({ teacher, testId }: Scene) =>
  server.send(
    setLifecycle,
    { params: { id: testId }, body: { lifecycle: 'archived' } },
    { as: teacher },
  );

/** A test of the scene's teacher without attempts, besides the scene's. */
const bareTests = new WeakMap<Scene, string>();

const CASES: Readonly<Record<string, ActCase>> = {
  'a sign-in': {
    act: 'signedIn',
    prepare: ({ student }) => setPasswordOf(student),
    run: ({ student }) =>
      server.send(login, { body: { email: student.email, password: PASSWORD } }),
    expected: ({ student }) => ofOneself(student),
  },
  'students that a teacher makes': {
    act: 'userCreated',
    run: ({ groupId, teacher }) =>
      server.send(
        createPupils,
        { params: { groupId }, body: { key: server.deps.newId(), names: ['Иванова Мария'] } },
        { as: teacher },
      ),
    expected: async ({ groupId, teacher }) => {
      const made = await one<{ id: string }>(
        server.pool,
        `select user_id as id from group_members where group_id = $1 and via = 'generated'`,
        [groupId],
      );
      const id = made?.id ?? '';
      return { actor: teacher, subject: ['user', id], person: id, details: { role: 0 } };
    },
  },
  'a password that a teacher resets': {
    act: 'passwordReset',
    run: ({ groupId, teacher, student }) =>
      server.send(
        resetPupilPassword,
        { params: { groupId, userId: student.userId } },
        { as: teacher },
      ),
    expected: ({ teacher, student }) => ({ ...ofOneself(student), actor: teacher }),
  },
  'a new name of one’s own': {
    act: 'userChanged',
    run: ({ users }) =>
      server.send(updateProfile, { body: { userName: 'Имя Иное' } }, { as: users.otherStudent }),
    expected: ({ users }) => ofOneself(users.otherStudent, { fields: 'name' }),
  },
  'a new password of one’s own': {
    act: 'passwordChanged',
    prepare: ({ teacher }) => setPasswordOf(teacher),
    run: ({ teacher }) =>
      server.send(
        changePassword,
        { body: { currentPassword: PASSWORD, newPassword: 'Kolokolchik8' } },
        { as: teacher },
      ),
    expected: ({ teacher }) => ofOneself(teacher),
  },
  'the deletion of a test': {
    act: 'testDeleted',
    prepare: async (scene) => bareTests.set(scene, await makeTest(server, scene.teacher)),
    run: (scene) =>
      server.send(
        deleteTest,
        { params: { id: bareTests.get(scene) ?? '' } },
        { as: scene.teacher },
      ),
    expected: (scene) => ({
      ...onTest(scene),
      subject: ['test', bareTests.get(scene) ?? ''],
    }),
  },
  'the deletion of a test with attempts': {
    act: 'testArchived',
    run: ({ teacher, testId }) =>
      server.send(deleteTest, { params: { id: testId } }, { as: teacher }),
    expected: (scene) => onTest(scene),
  },
  'an archived test': { act: 'testArchived', run: archive, expected: (scene) => onTest(scene) },
  'a test brought back': {
    act: 'testRestored',
    prepare: archive,
    run: ({ teacher, testId }) =>
      server.send(
        setLifecycle,
        { params: { id: testId }, body: { lifecycle: 'active' } },
        { as: teacher },
      ),
    expected: (scene) => onTest(scene),
  },
  'a corrected key': {
    act: 'keyCorrected',
    prepare: finish,
    run: ({ teacher, testId }) =>
      server.send(
        correctKey,
        { params: { id: testId }, body: { question: otherSingle, reason: 'Верен другой вариант' } },
        { as: teacher },
      ),
    expected: (scene) => onTest(scene, { rescored: 1 }),
  },
  'keys of a published test that are changed at once': {
    act: 'keyChanged',
    run: ({ teacher, testId }) =>
      server.send(
        updateTest,
        { body: { id: testId, version: 1, questions: otherKey } },
        { as: teacher },
      ),
    expected: (scene) => onTest(scene, { questions: 1 }),
  },
  'keys of a published test that come from the working copy': {
    act: 'keyChanged',
    prepare: ({ teacher, testId }) =>
      server.send(
        saveDraft,
        {
          params: { id: testId },
          body: {
            draftVersion: 1,
            order: smallTest.map(({ questionId }) => questionId),
            changed: [otherSingle],
          },
        },
        { as: teacher },
      ),
    run: ({ teacher, testId }) =>
      server.send(
        publishDraft,
        { params: { id: testId }, body: { draftVersion: 2 } },
        { as: teacher },
      ),
    expected: (scene) => onTest(scene, { questions: 1 }),
  },
  'a grade': {
    act: 'gradeChanged',
    prepare: finish,
    run: (scene) => gradeEssay(scene, 3),
    expected: (scene) => byTeacher(scene, { to: 3 }),
  },
  'a changed grade': {
    act: 'gradeChanged',
    prepare: async (scene) => {
      await finish(scene);
      await gradeEssay(scene, 3);
    },
    run: (scene) => gradeEssay(scene, 2),
    expected: (scene) => byTeacher(scene, { from: 3, to: 2 }),
  },
  'a withdrawn grade': {
    act: 'gradeChanged',
    prepare: async (scene) => {
      await finish(scene);
      await gradeEssay(scene, 3);
    },
    run: (scene) => gradeEssay(scene, null),
    expected: (scene) => byTeacher(scene, { from: 3 }),
  },
  'a decision on held answers of an attempt': {
    act: 'heldDecided',
    run: ({ teacher, attemptId, heldId }) =>
      server.send(
        decideHeld,
        { params: { attemptId }, body: { operationIds: [heldId], decision: 'accepted' } },
        { as: teacher },
      ),
    expected: (scene) => byTeacher(scene, { decision: 'accepted', answers: 1 }),
  },
  'a decision on held answers of a test': {
    act: 'heldDecided',
    run: ({ teacher, testId, heldId }) =>
      server.send(
        decideTestHeld,
        { params: { id: testId }, body: { operationIds: [heldId], decision: 'refused' } },
        { as: teacher },
      ),
    expected: (scene) => byTeacher(scene, { decision: 'refused', answers: 1 }),
  },
  'minutes for one': {
    act: 'timeAdded',
    run: ({ teacher, attemptId }) =>
      server.send(addTime, { params: { attemptId }, body: { minutes: 5 } }, { as: teacher }),
    expected: (scene) => byTeacher(scene, { minutes: 5 }),
  },
  'minutes for many': {
    act: 'timeAdded',
    run: ({ teacher, testId, attemptId }) =>
      server.send(
        addTimeToMany,
        {
          params: { id: testId },
          body: { key: server.deps.newId(), minutes: 7, attemptIds: [attemptId] },
        },
        { as: teacher },
      ),
    expected: (scene) => byTeacher(scene, { minutes: 7 }),
  },
  'minutes back': {
    act: 'timeAdded',
    prepare: async ({ teacher, testId }) => {
      await recordUptime(server.pool, server.clock.now);
      server.clock.advance(3 * 60_000);
      await recordUptime(server.pool, server.clock.now);
      // The first call after a while renews the sign-in.
      await server.send(getLostTime, { params: { id: testId } }, { as: teacher });
    },
    run: ({ teacher, testId, attemptId }) =>
      server.send(
        giveTimeBack,
        {
          params: { id: testId },
          body: { key: server.deps.newId(), attemptIds: [attemptId], withSilence: false },
        },
        { as: teacher },
      ),
    expected: (scene) => byTeacher(scene, { minutes: 3, reasons: 'outage' }),
  },
  'the deletion of an attempt': {
    act: 'attemptDeleted',
    run: ({ teacher, attemptId }) =>
      server.send(deleteAttempt, { params: { attemptId } }, { as: teacher }),
    expected: (scene) => byTeacher(scene, {}),
  },
  'the return of an attempt': {
    act: 'attemptRestored',
    prepare: ({ teacher, attemptId }) =>
      server.send(deleteAttempt, { params: { attemptId } }, { as: teacher }),
    run: ({ teacher, attemptId }) =>
      server.send(restoreAttempt, { params: { attemptId } }, { as: teacher }),
    expected: (scene) => byTeacher(scene, {}),
  },
  'an export of statistics': {
    act: 'statisticsExported',
    run: ({ teacher, testId }) =>
      server.send(
        exportStatistics,
        { params: { id: testId }, query: { format: 'xlsx' } },
        { as: teacher },
      ),
    expected: (scene) => onTest(scene, { format: 'xlsx' }),
  },
  'an export of one’s own data': {
    act: 'userExported',
    run: ({ student }) => server.send(exportOwnData, {}, { as: student }),
    expected: ({ student }) => ofOneself(student),
  },
  'an export of the log': {
    act: 'auditExported',
    run: ({ users }) => server.send(exportAudit, {}, { as: users.admin }),
    expected: ({ users }) => ({ actor: users.admin, subject: null, person: null, details: {} }),
  },
};

const acts = (act: string) =>
  rows<Record<string, unknown>>(
    server.pool,
    `select at, actor_id as actor, subject_kind as kind, subject_id as subject, person_id as person,
       details from audit_log where act = $1 order by at, id`,
    [act],
  );

describe.each(Object.entries(CASES))('%s', (_, { act, prepare, run, expected }) => {
  test('is in the log with author, subject and time', async () => {
    const scene = await makeScene(server);
    await prepare?.(scene);
    const before = (await acts(act)).length;
    server.clock.advance(1_000);
    const answered = await run(scene);
    expect(answered.status, answered.text).toBe(200);
    const { actor, subject, person, details } = await expected(scene);
    expect((await acts(act)).slice(before)).toEqual([
      {
        at: server.clock.now,
        actor: actor.userId,
        kind: subject?.[0] ?? null,
        subject: subject?.[1] ?? null,
        person,
        details: details ?? {},
      },
    ]);
  });

  test('is not done when the log cannot be written', async () => {
    const scene = await makeScene(server);
    await prepare?.(scene);
    const before = await contentsOf(server.pool);
    await execute(
      server.pool,
      `create function refuse_acts() returns trigger language plpgsql as
         $$ begin raise exception 'the log is closed'; end $$;
       create trigger refuse_acts before insert on audit_log execute function refuse_acts()`,
    );
    try {
      expect((await run(scene)).status).toBe(500);
    } finally {
      await execute(server.pool, 'drop function refuse_acts cascade');
    }
    expect(await contentsOf(server.pool)).toEqual(before);
  });
});

test('what changes nothing is not logged', async () => {
  const scene = await makeScene(server);
  const { teacher, users, attemptId, testId } = scene;
  await finish(scene);
  const again = [
    () => gradeEssay(scene, 3),
    () => gradeEssay(scene, null),
    () => server.send(deleteAttempt, { params: { attemptId } }, { as: teacher }),
    () => server.send(restoreAttempt, { params: { attemptId } }, { as: teacher }),
    () => archive(scene),
    () => server.send(deleteTest, { params: { id: testId } }, { as: teacher }),
    () =>
      server.send(
        updateProfile,
        { body: { userName: 'Ученик Новый' } },
        { as: users.otherStudent },
      ),
  ];
  // Identical acts of an hour share a row, which counts them.
  const logged = () =>
    one(server.pool, 'select count(*) as entries, sum(times) as acts from audit_log');
  for (const call of again) {
    expect((await call()).status).toBe(200);
    const before = await logged();
    expect((await call()).status).toBe(200);
    expect(await logged()).toEqual(before);
  }
});

test('new wording of a published test, and its drafts, are no change of a key', async () => {
  const { teacher, testId } = await makeScene(server);
  const reworded = smallTest.map((question) => ({
    ...question,
    text: `${question.text} (кратко)`,
  }));
  const before = (await acts('keyChanged')).length;
  const update = (id: string, questions: Question[]) =>
    server.send(updateTest, { body: { id, version: 1, questions } }, { as: teacher });
  expect((await update(testId, reworded)).status).toBe(200);
  const draft = await makeTest(server, teacher, { lifecycle: 'draft' });
  expect((await update(draft, otherKey)).status).toBe(200);
  expect(await acts('keyChanged')).toHaveLength(before);
});

test('a registration is in the log, with one row', async () => {
  const body = { userName: 'Ольга Белова', email: 'belova@school.test', password: PASSWORD };
  const { userId } = (await server.send(register, { body })).body.user;
  const own = await rows(
    server.pool,
    'select act, actor_id as actor, address from audit_log where person_id = $1',
    [userId],
  );
  expect(own).toEqual([{ act: 'userRegistered', actor: userId, address: '127.0.0.1' }]);
});

test("an administrator's account is logged like others", async () => {
  const admin = await server.user({ role: ROLE.admin });
  await server.send(updateProfile, { body: { userName: 'Завуч' } }, { as: admin });
  const own = await rows(server.pool, 'select act from audit_log where actor_id = $1', [
    admin.userId,
  ]);
  expect(own).toEqual([{ act: 'userChanged' }]);
});
