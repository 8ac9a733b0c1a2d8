import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eraseUser,
  getTeaching,
  handOverTeaching,
  listAdminUsers,
  listAudit,
  setUserBlocked,
} from '#contract/admin.ts';
import { gradeItem } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { createTest, getTestSettings, listCreatedTests, updateTest } from '#contract/authoring.ts';
import { listBank, saveBankEntry } from '#contract/bank.ts';
import { getBoard } from '#contract/board.ts';
import { getDraft } from '#contract/drafts.ts';
import { uploadPicture } from '#contract/pictures.ts';
import { listGrading } from '#contract/grading.ts';
import { getGroup, listGroups } from '#contract/groups.ts';
import { startAttempt } from '#contract/passing.ts';
import type { Question } from '#contract/questions.ts';
import { getResult } from '#contract/results.ts';
import { listTemplates } from '#contract/templates.ts';
import { newTestPayload } from '#domain/new-test.ts';
import { passTeaching } from '#server/admin/teaching.ts';
import { execute, one, rows, transaction } from '#server/db/query.ts';
import { makeScene, type Scene } from '#tests/calls.ts';
import { errorOf, makeGroup, makeTest, Q, smallTest, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';
import { HEADER } from '#contract/headers.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';

let server: TestServer;
let admin: TestUser;
beforeAll(async () => {
  server = await testServer();
  admin = await server.user({ role: ROLE.admin, userName: 'Первый Администратор' });
});
afterAll(() => server.close());

const newTeacher = (userName: string) => server.user({ role: ROLE.teacher, userName });
const handOver = (userId: string, successorId: string | null, as = admin) =>
  server.send(handOverTeaching, { params: { userId }, body: { successorId } }, { as });
const teachingOf = async (userId: string) =>
  (await server.send(getTeaching, { params: { userId } }, { as: admin })).body;
const erase = (userId: string, query: { successorId?: string; archive?: '1' } = {}) =>
  server.send(eraseUser, { params: { userId }, query }, { as: admin });
const actsOn = async (subjectId: string) =>
  (await server.send(listAudit, { query: { pageSize: 100 } }, { as: admin })).body.items
    .filter(({ subject, act }) => subject?.id === subjectId && !act.startsWith('sign'))
    .map(({ act, actor, details }) => [act, actor?.userId, details]);
const bankOf = async (as: TestUser) =>
  (await server.send(listBank, { query: { pageSize: 100 } }, { as })).body.items;
const open = (text: string): Question => ({
  questionId: server.deps.newId(),
  kind: 'open',
  input: 'line',
  text,
  points: 1,
  accepted: [{ text: 'ответ', share: 1 }],
  tolerance: 0,
});
const put = (as: TestUser, entryId: string, question: Question) =>
  server.send(saveBankEntry, { params: { entryId }, body: { question, theme: '' } }, { as });
const NOTHING = { tests: 0, groups: 0, bankEntries: 0, templates: 0 };

describe('what a teacher owned, passed to a successor', () => {
  let scene: Scene;
  let successor: TestUser;
  let device: TestDevice;
  let counted: Awaited<ReturnType<typeof teachingOf>>;
  let passed: Awaited<ReturnType<typeof handOver>>;

  beforeAll(async () => {
    scene = await makeScene(server);
    successor = await newTeacher('Преемник');
    device = new TestDevice(server, scene.student);
    await device.start(scene.testId, { [HEADER.takeOver]: scene.attemptId });
    await device.answer({ questionId: Q.essay, kind: 'open', text: 'Опыт' });
    counted = await teachingOf(scene.teacher.userId);
    passed = await handOver(scene.teacher.userId, successor.userId);
  });

  test('is counted before and after', () => {
    const counts = { tests: 1, groups: 1, bankEntries: 1, templates: 1 };
    expect(counted).toMatchObject({ ...counts, runningAttempts: 1 });
    expect([passed.status, passed.body]).toEqual([200, counts]);
  });

  test('is the successor’s: tests, classes, bank and templates', async () => {
    const as = successor;
    const params = { id: scene.testId };
    const created = await server.send(listCreatedTests, {}, { as });
    expect(created.body.items.map(({ id }) => id)).toEqual([scene.testId]);
    expect((await server.send(getTestSettings, { params }, { as })).status).toBe(200);
    const body = { id: scene.testId, version: 1, name: 'Новое название' };
    expect((await server.send(updateTest, { body }, { as })).status).toBe(200);
    const group = await server.send(getGroup, { params: { groupId: scene.groupId } }, { as });
    expect(group.body.members.map(({ userId }) => userId)).toEqual([scene.student.userId]);
    expect((await bankOf(as)).map(({ entryId }) => entryId)).toContain(scene.entryId);
    const templates = (await server.send(listTemplates, {}, { as })).body.items;
    expect(templates.map(({ templateId }) => templateId)).toEqual([scene.templateId]);
  });

  test('is no longer the teacher’s', async () => {
    const as = scene.teacher;
    const params = { id: scene.testId };
    const answers = [
      await server.send(getDraft, { params }, { as }),
      await server.send(getBoard, { params }, { as }),
      await server.send(listGrading, { params }, { as }),
      await server.send(getGroup, { params: { groupId: scene.groupId } }, { as }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await bankOf(as)).toEqual([]);
    expect(await teachingOf(as.userId)).toMatchObject(NOTHING);
  });

  test('goes on for a student in the middle of it, on the successor’s board and in his queue', async () => {
    const as = successor;
    const params = { id: scene.testId };
    const board = await server.send(getBoard, { params }, { as });
    expect(board.body.rows).toMatchObject([{ userId: scene.student.userId }]);
    await device.finish();
    const queue = await server.send(listGrading, { params }, { as });
    expect(queue.body.items.map(({ questionId }) => questionId)).toContain(Q.essay);
    const { attemptId } = device;
    const body = { questionId: Q.essay, points: 4, comment: 'Верно' };
    const graded = await server.send(gradeItem, { params: { attemptId }, body }, { as });
    expect(graded.status, graded.text).toBe(200);
    const result = await server.send(getResult, { params: { attemptId } }, { as: scene.student });
    expect(result.body.items.find(({ questionId }) => questionId === Q.essay)?.points).toBe(4);
  });

  test('is logged once for both, by numbers; a repeat passes nothing', async () => {
    expect((await handOver(scene.teacher.userId, successor.userId)).body).toEqual(NOTHING);
    const details = { tests: 1, groups: 1, bankEntries: 1, templates: 1 };
    expect(await actsOn(scene.teacher.userId)).toEqual([['teachingPassed', admin.userId, details]]);
    expect(await actsOn(successor.userId)).toEqual([['teachingReceived', admin.userId, details]]);
  });
});

test('a successor is another teacher or administrator who is not blocked', async () => {
  const teacher = await newTeacher('Уходящий');
  const testId = await makeTest(server, teacher);
  const student = await server.user();
  const blocked = await newTeacher('Закрытый');
  const params = { userId: blocked.userId };
  await server.send(setUserBlocked, { params, body: { isBlocked: true } }, { as: admin });
  const gone = await newTeacher('Стёртый');
  await makeGroup(server, gone, [student]);
  await erase(gone.userId);
  const refused = [student, blocked, gone, teacher, { userId: server.deps.newId() }];
  for (const { userId: successorId } of refused) {
    const answers = [
      await handOver(teacher.userId, successorId),
      await erase(teacher.userId, { successorId }),
    ];
    for (const answer of answers)
      expect([answer.status, errorOf(answer).details]).toEqual([
        400,
        { fields: [{ field: 'successorId', message: expect.stringContaining('Выберите') }] },
      ]);
  }
  const { successors } = await teachingOf(teacher.userId);
  const offered = new Set(successors.map(({ userId }) => userId));
  expect(refused.filter(({ userId }) => offered.has(userId))).toEqual([]);
  expect(offered.has(admin.userId)).toBe(true);
  const owner = await one(server.pool, 'select owner_id from tests where id = $1', [testId]);
  expect(owner).toEqual({ owner_id: teacher.userId });
  expect((await handOver(server.deps.newId(), admin.userId)).status).toBe(404);
});

describe('a bank that meets another', () => {
  test('loses neither of two questions of one entry that differ', async () => {
    const [teacher, successor] = [await newTeacher('Уходящий'), await newTeacher('Преемник')];
    const [same, other, removed] = [server.deps.newId(), server.deps.newId(), server.deps.newId()];
    const question = open('Одинаковый');
    for (const as of [teacher, successor]) await put(as, same, question);
    await put(teacher, other, open('Как у прежнего'));
    await put(successor, other, open('Как у преемника'));
    await put(teacher, removed, open('Только у прежнего'));
    await put(successor, removed, open('Снятый преемником'));
    await execute(
      server.pool,
      'update bank_entries set removed_at = now() where owner_id = $1 and entry_id = $2',
      [successor.userId, removed],
    );
    expect((await handOver(teacher.userId, successor.userId)).body.bankEntries).toBe(3);
    const bank = await bankOf(successor);
    expect(bank.map(({ question: { text } }) => text).toSorted()).toEqual([
      'Как у преемника',
      'Как у прежнего',
      'Одинаковый',
      'Только у прежнего',
    ]);
    for (const { entryId, question: of } of bank) expect(of.questionId).toBe(entryId);
  });

  test('knows the tests of its questions, and the same picture of both', async () => {
    const [teacher, successor] = [await newTeacher('Уходящий'), await newTeacher('Преемник')];
    const body = { ...newTestPayload(server.clock.now), questions: [open('Из теста')] };
    const { body: testId } = await server.send(createTest, { body }, { as: teacher });
    const bytes = SAMPLES['image/png'];
    const keys: string[] = [];
    for (const as of [teacher, successor])
      keys.push((await server.send(uploadPicture, { bytes }, { as })).body.key);
    const passed = await handOver(teacher.userId, successor.userId);
    expect(passed.status, passed.text).toBe(200);
    expect(await bankOf(successor)).toMatchObject([{ usesCount: 1, uses: [{ testId }] }]);
    const pictures = await rows<{ owner: string }>(
      server.pool,
      'select owner_id as owner from pictures where key = any($1)',
      [keys],
    );
    expect(pictures.map(({ owner }) => owner)).toEqual([successor.userId, successor.userId]);
    const again = await server.send(uploadPicture, { bytes }, { as: successor });
    expect(again.body.key).toBe(keys[1]);
  });
});

test('students save while their test passes; one who starts then gets it afterwards', async () => {
  const [teacher, successor] = [await newTeacher('Уходящий'), await newTeacher('Преемник')];
  const [early, late] = [await server.user(), await server.user()];
  const testId = await makeTest(server, teacher, { students: [early, late] });
  const first = new TestDevice(server, early);
  await first.start(testId);
  const passing = { deps: server.deps, actorId: admin.userId, userId: teacher.userId };
  const starting = await transaction(server.pool, async (client) => {
    await passTeaching(client, { ...passing, now: server.clock.now }, successor.userId);
    const saved = await first.answer({ questionId: Q.essay, kind: 'open', text: 'Опыт' });
    expect(saved.status, saved.text).toBe(200);
    return { started: new TestDevice(server, late).start(testId) };
  });
  expect((await starting.started).status).toBe(200);
  const board = await server.send(getBoard, { params: { id: testId } }, { as: successor });
  expect(board.body.rows.map(({ userId }) => userId).toSorted()).toEqual(
    [early.userId, late.userId].toSorted(),
  );
});

describe('what is archived', () => {
  test('accepts no new attempts or members; running attempts end, and all data stays', async () => {
    const scene = await makeScene(server);
    const { teacher, testId, groupId, student, users } = scene;
    const draft = await makeTest(server, teacher, { lifecycle: 'draft' });
    await execute(server.pool, 'update tests set open_to_all = true where id = $1', [testId]);
    const device = new TestDevice(server, student);
    await device.start(testId, { [HEADER.takeOver]: scene.attemptId });
    const archived = await handOver(teacher.userId, null);
    expect([archived.status, archived.body]).toEqual([
      200,
      { tests: 2, groups: 1, bankEntries: 1, templates: 1 },
    ]);
    const late = await server.send(
      startAttempt,
      { params: { id: testId } },
      { as: users.otherStudent },
    );
    expect([late.status, errorOf(late).code]).toEqual([409, 'TEST_CLOSED']);
    expect((await device.answer({ questionId: Q.essay, kind: 'open', text: 'Опыт' })).status).toBe(
      200,
    );
    expect((await device.finish()).status).toBe(200);
    const created = await server.send(listCreatedTests, {}, { as: teacher });
    expect(created.body.items.map(({ id, lifecycle }) => [id, lifecycle]).toSorted()).toEqual(
      [testId, draft].map((id) => [id, 'archived']).toSorted(),
    );
    const groups = await server.send(listGroups, {}, { as: teacher });
    expect(groups.body.items).toMatchObject([{ groupId, memberCount: 1, joinCode: null }]);
    expect((await handOver(teacher.userId, null)).status).toBe(200);
    expect(await actsOn(teacher.userId)).toEqual([
      ['teachingArchived', admin.userId, { tests: 2, groups: 1 }],
    ]);
    expect(await actsOn(testId)).toEqual([['testArchived', admin.userId, {}]]);
  });
});

describe('an erased teacher', () => {
  const owners = async (...ids: string[]) =>
    (
      await rows<{ owner: string }>(
        server.pool,
        `select owner_id as owner from tests where id = any($1)
         union all select owner_id from groups where id = any($1)`,
        [ids],
      )
    ).map(({ owner }) => owner);
  const userRow = (userId: string) =>
    one<{ email: string }>(server.pool, 'select email from users where id = $1', [userId]);

  test('leaves everything to the successor, and no row of an own', async () => {
    const [teacher, successor] = [await newTeacher('Уходящий'), await newTeacher('Преемник')];
    const testId = await makeTest(server, teacher);
    const groupId = await makeGroup(server, teacher, []);
    await put(teacher, server.deps.newId(), open('Вопрос банка'));
    const erased = await erase(teacher.userId, { successorId: successor.userId });
    expect(erased.status, erased.text).toBe(200);
    expect(await owners(testId, groupId)).toEqual([successor.userId, successor.userId]);
    // The questions of the test come into the bank, too: it was older than the bank.
    expect((await bankOf(successor)).length).toBe(1 + smallTest.length);
    expect(await userRow(teacher.userId)).toBeNull();
    expect((await actsOn(teacher.userId)).map(([act]) => act).toSorted()).toEqual([
      'teachingPassed',
      'userErased',
    ]);
  });

  test('leaves a nameless archive, which passes to a successor later', async () => {
    const [teacher, successor] = [await newTeacher('Уходящий'), await newTeacher('Преемник')];
    const testId = await makeTest(server, teacher);
    const groupId = await makeGroup(server, teacher, []);
    await put(teacher, server.deps.newId(), open('Вопрос архива'));
    const { userId } = teacher;
    expect((await erase(userId, { archive: '1' })).status).toBe(200);
    expect(await userRow(userId)).toEqual({ email: `${userId}@erased.invalid` });
    const listed = (state: 'all' | 'erased') =>
      server.send(listAdminUsers, { query: { state, pageSize: 100 } }, { as: admin });
    const isIn = async (state: 'all' | 'erased') =>
      (await listed(state)).body.items.find((each) => each.userId === userId);
    expect(await isIn('all')).toBeUndefined();
    expect(await isIn('erased')).toMatchObject({
      ownsTeaching: true,
      erasedAt: expect.any(String),
    });
    expect(await teachingOf(userId)).toMatchObject({ tests: 1, groups: 1, bankEntries: 1 });
    const passed = await handOver(userId, successor.userId);
    expect([passed.status, passed.body.tests]).toEqual([200, 1]);
    expect(await owners(testId, groupId)).toEqual([successor.userId, successor.userId]);
    expect((await bankOf(successor)).map(({ question }) => question.text)).toContain(
      'Вопрос архива',
    );
    expect(await isIn('erased')).toBeUndefined();
    expect(await userRow(userId)).toBeNull();
  });

  test('with only a bank leaves it in the archive', async () => {
    const teacher = await newTeacher('Уходящий');
    await put(teacher, server.deps.newId(), open('Единственный'));
    expect((await erase(teacher.userId, { archive: '1' })).status).toBe(200);
    expect(await teachingOf(teacher.userId)).toMatchObject({ ...NOTHING, bankEntries: 1 });
  });

  test('who owned nothing is gone whatever was chosen', async () => {
    const teacher = await newTeacher('Уходящий');
    expect((await erase(teacher.userId, { archive: '1' })).status).toBe(200);
    expect(await userRow(teacher.userId)).toBeNull();
    expect(await actsOn(teacher.userId)).toMatchObject([['userErased', admin.userId, {}]]);
  });
});

test('passing goes on beside calls that write, and every test has one owner’s bank', async () => {
  const [teacher, successor] = [await newTeacher('Уходящий'), await newTeacher('Преемник')];
  const payload = (text: string) => ({
    ...newTestPayload(server.clock.now),
    questions: [open(text)],
  });
  for (let number = 0; number < 3; number += 1)
    await server.send(createTest, { body: payload(`До ${number}`) }, { as: teacher });
  const during = [0, 1, 2].map((number) =>
    server.send(createTest, { body: payload(`Во время ${number}`) }, { as: teacher }),
  );
  const both = [handOver(teacher.userId, successor.userId), handOver(teacher.userId, admin.userId)];
  const statuses = (await Promise.all([...during, ...both])).map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 200));
  const strays = await rows(
    server.pool,
    `select 1 from tests t join bank_uses u on u.test_id = t.id where u.owner_id <> t.owner_id`,
  );
  expect(strays).toEqual([]);
});
