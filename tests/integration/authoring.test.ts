import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { NotReadyDetails } from '#contract/errors.ts';
import {
  createTest,
  deleteTest,
  duplicateTest,
  getTestSettings,
  listCreatedTests,
  setLifecycle,
  updateTest,
  type UpdateTestBody,
} from '#contract/authoring.ts';
import { getPassing } from '#contract/tests.ts';
import { getTest } from '#contract/full-test.ts';
import { getFile } from '#contract/files.ts';
import { finishAttempt, startAttempt } from '#contract/passing.ts';
import { getAttemptPreview } from '#contract/results.ts';
import type { Question } from '#contract/questions.ts';
import { execute, one, rows } from '#server/db/query.ts';
import {
  errorOf,
  makeGroup,
  makeSchool,
  makeTest,
  Q,
  RIGHT,
  smallTest,
  TestDevice,
} from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const NEW_TEST = {
  name: 'Новый тест',
  description: '',
  theme: '',
  difficulty: '',
  attemptsCount: 1,
  startTestTime: '2026-03-02T06:00:00.000Z',
  endTestTime: '2026-04-02T06:00:00.000Z',
  passTestTime: '10:00:00',
  maxPoints: 0,
} as const;

const teacherOf = () => server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });

async function made(as: TestUser, body: object = NEW_TEST): Promise<string> {
  const reply = await server.send(createTest, { body: { ...NEW_TEST, ...body } }, { as });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function settingsOf(as: TestUser, id: string) {
  const reply = await server.send(getTestSettings, { params: { id } }, { as });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

/** Sends a change of the present version. */
async function change(as: TestUser, id: string, fields: Partial<UpdateTestBody>) {
  const { version } = await settingsOf(as, id);
  return server.send(updateTest, { body: { id, version, ...fields } }, { as });
}

const fieldsOf = (reply: { body: unknown; text: string }) =>
  (reply.body as { details: { fields: { field: string; message: string }[] } }).details.fields;

const contents = (testId: string) =>
  rows<{ id: string }>(
    server.pool,
    'select id from test_contents where test_id = $1 order by created_at, id',
    [testId],
  );

describe('a new test', () => {
  test('is a draft of its author from the default payload, and its reply is the id', async () => {
    const teacher = await teacherOf();
    const id = await made(teacher);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await settingsOf(teacher, id)).toMatchObject({
      id,
      lifecycle: 'draft',
      version: 1,
      ownerId: teacher.userId,
      name: 'Новый тест',
      attemptsCount: 1,
      passTestTime: '10:00:00',
      maxPoints: 0,
      totalQuestions: 0,
      lateWindow: '00:15:00',
      countedAttempt: 'best',
      visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'afterClose' },
    });
  });

  test.each([
    ['an end before its start', { endTestTime: '2026-03-01T06:00:00.000Z' }, 'endTestTime'],
    ['an end at its start', { endTestTime: NEW_TEST.startTestTime }, 'endTestTime'],
    ['no time to pass it', { passTestTime: '00:00:00' }, 'passTestTime'],
    ['no attempts', { attemptsCount: 0 }, 'attemptsCount'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a name that nobody sees', { name: '\u200B' }, 'name'],
    ['a year of nonsense', { endTestTime: '9999-01-01T00:00:00.000Z' }, 'endTestTime'],
  ])('with %s is refused at the field', async (_, fields, field) => {
    const teacher = await teacherOf();
    const reply = await server.send(
      createTest,
      { body: { ...NEW_TEST, ...fields } },
      { as: teacher },
    );
    expect(reply.status).toBe(400);
    expect(fieldsOf(reply)).toEqual([
      { field, message: expect.stringMatching(/[а-я]/) as unknown as string },
    ]);
  });
});

describe('a change', () => {
  test('leaves absent fields unchanged, ignores sent points and records its author', async () => {
    const teacher = await teacherOf();
    const admin = await server.user({ role: ROLE.admin, userName: 'Администратор' });
    const id = await made(teacher);
    const questions = await change(teacher, id, { questions: smallTest, maxPoints: 999 });
    expect(questions.status, questions.text).toBe(200);
    const reply = await change(admin, id, { name: 'Силы', topic: 'Динамика', openToAll: true });
    expect(reply.body).toMatchObject({ version: 3 });
    expect(await settingsOf(teacher, id)).toMatchObject({
      name: 'Силы',
      topic: 'Динамика',
      openToAll: true,
      description: '',
      maxPoints: 17,
      totalQuestions: 6,
    });
    const by = await one(server.pool, 'select updated_by from tests where id = $1', [id]);
    expect(by).toEqual({ updated_by: admin.userId });
  });

  test('of a stale version changes nothing and reports time and author of the last change', async () => {
    const teacher = await teacherOf();
    const id = await made(teacher);
    const { version } = await settingsOf(teacher, id);
    await change(teacher, id, { name: 'Первое' });
    const stale = await server.send(
      updateTest,
      { body: { id, version, name: 'Второе', questions: smallTest } },
      { as: teacher },
    );
    expect([stale.status, errorOf(stale).code]).toEqual([409, 'STALE_VERSION']);
    expect(errorOf(stale).details).toEqual({
      version: version + 1,
      updatedAt: server.clock.now.toISOString(),
      updatedBy: 'О. В. Лаптева',
    });
    expect(await settingsOf(teacher, id)).toMatchObject({ name: 'Первое', totalQuestions: 0 });
  });

  test('made by many at the same moment is stored once, the others get a conflict', async () => {
    const teacher = await teacherOf();
    const id = await made(teacher);
    const { version } = await settingsOf(teacher, id);
    const names = Array.from({ length: 8 }, (_, number) => `Название ${number}`);
    const replies = await Promise.all(
      names.map((name) =>
        server.send(updateTest, { body: { id, version, name } }, { as: teacher }),
      ),
    );
    const won = replies.flatMap(({ status }, number) => (status === 200 ? [number] : []));
    expect(won).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(await settingsOf(teacher, id)).toMatchObject({
      name: names[won[0] ?? -1],
      version: version + 1,
    });
  });

  test('of questions creates a new content only if they differ; attempts retain their pinned one', async () => {
    const { teacher, student, testId } = await makeSchool(server, { attemptsCount: 2 });
    const device = new TestDevice(server, student);
    await device.start(testId);
    const before = await contents(testId);
    await change(teacher, testId, { questions: smallTest });
    expect(await contents(testId)).toEqual(before);
    const fewer = smallTest.slice(0, 2);
    await change(teacher, testId, { questions: fewer });
    expect((await contents(testId)).map(({ id }) => id)).toEqual(
      expect.arrayContaining(before.map(({ id }) => id)),
    );
    expect(await settingsOf(teacher, testId)).toMatchObject({ totalQuestions: 2, maxPoints: 3 });
    const running = await server.send(getTest, { params: { id: testId } }, { as: student });
    expect(running.body.questions).toHaveLength(6);
    expect((await device.answer(RIGHT.matching)).body.outcome).toBe('stored');
  });

  test('that would break the questions of a published test is refused with what is missing', async () => {
    const { teacher, testId } = await makeSchool(server);
    const reply = await change(teacher, testId, { questions: [] });
    expect([reply.status, errorOf(reply).code]).toEqual([409, 'TEST_NOT_READY']);
    expect(await settingsOf(teacher, testId)).toMatchObject({ totalQuestions: 6 });
  });

  test('names at most fifty of the problems of a published test', async () => {
    const { teacher, testId } = await makeSchool(server);
    const [open] = smallTest;
    const blank = Array.from({ length: 60 }, () => ({
      ...open,
      questionId: server.deps.newId(),
      text: ' ',
    })) as Question[];
    const reply = await change(teacher, testId, { questions: blank });
    const { details } = errorOf(reply);
    expect(v.parse(NotReadyDetails, details).problems).toHaveLength(50);
    expect(Buffer.byteLength(JSON.stringify(reply.body))).toBeLessThan(20_480);
  });

  test('of a draft deletes unpinned contents, an hour later, all but the last two', async () => {
    const teacher = await teacherOf();
    const id = await made(teacher);
    await change(teacher, id, { questions: smallTest.slice(0, 1) });
    server.clock.advance(3_700_000);
    await change(teacher, id, { questions: smallTest.slice(0, 2) });
    // The first, empty one is deleted; the one replaced by this save may still be being read.
    expect(await contents(id)).toHaveLength(2);
  });
});

describe('contradictions are refused at the field, and nothing is written:', () => {
  test('end before start, whichever of the two is sent', async () => {
    const teacher = await teacherOf();
    const id = await made(teacher);
    const late = await change(teacher, id, { startTestTime: '2026-05-01T06:00:00.000Z' });
    expect(late.status).toBe(400);
    expect(fieldsOf(late)).toEqual([
      { field: 'endTestTime', message: 'Окончание должно быть позже начала' },
    ]);
    const both = await change(teacher, id, {
      startTestTime: '2026-05-01T06:00:00.000Z',
      endTestTime: null,
    });
    expect(both.status).toBe(200);
  });

  test('a late window beyond its bounds', async () => {
    const teacher = await teacherOf();
    const id = await made(teacher);
    const reply = await change(teacher, id, { lateWindow: '200:00:00' });
    expect(fieldsOf(reply)).toEqual([{ field: 'lateWindow', message: 'Не больше 7 дней' }]);
    expect((await change(teacher, id, { lateWindow: '00:00:00' })).status).toBe(200);
  });

  test('fewer attempts than already made, in general and for one person', async () => {
    const { teacher, student, testId } = await makeSchool(server, { attemptsCount: 3 });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const device = new TestDevice(server, student);
      await device.start(testId);
      await device.finish();
    }
    expect(await settingsOf(teacher, testId)).toMatchObject({ attempts: 2, mostAttempts: 2 });
    const fewer = await change(teacher, testId, { attemptsCount: 1, name: 'Иначе' });
    expect(fieldsOf(fewer)).toEqual([
      { field: 'attemptsCount', message: 'Уже сделано: 2 попытки. Меньше поставить нельзя' },
    ]);
    const { userId } = student;
    const personal = await change(teacher, testId, {
      personalTerms: [{ userId, extraMinutes: 0, attemptsCount: 1 }],
    });
    expect(fieldsOf(personal)).toEqual([
      {
        field: 'personalTerms.0.attemptsCount',
        message: 'Уже сделано: 2 попытки. Меньше поставить нельзя',
      },
    ]);
    expect(await settingsOf(teacher, testId)).toMatchObject({
      name: 'Законы Ньютона',
      attemptsCount: 3,
      personalTerms: [],
    });
    const own = await change(teacher, testId, {
      attemptsCount: 1,
      personalTerms: [{ userId, extraMinutes: 10, attemptsCount: 2 }],
    });
    expect(own.status, own.text).toBe(200);
  });

  test('deleted people and classes, or the class of a colleague', async () => {
    const { teacher, student, testId } = await makeSchool(server);
    const colleague = await server.user({ role: ROLE.teacher, userName: 'Коллега' });
    const theirs = await makeGroup(server, colleague, [student], '8Б');
    const gone = server.deps.newId();
    const reply = await change(teacher, testId, {
      assignedUserIds: [student.userId, gone],
      assignedGroupIds: [theirs],
      personalTerms: [{ userId: gone, extraMinutes: 5, attemptsCount: null }],
    });
    expect(reply.status).toBe(400);
    expect(fieldsOf(reply)).toEqual([
      { field: 'assignedUserIds', message: 'Ученика больше нет: уберите его из списка' },
      {
        field: 'assignedGroupIds',
        message: 'Класса больше нет, или он не ваш: уберите его из списка',
      },
      { field: 'personalTerms.0.userId', message: 'Ученика больше нет: уберите его из списка' },
    ]);
    const admin = await server.user({ role: ROLE.admin, userName: 'Администратор' });
    expect((await change(admin, testId, { assignedGroupIds: [theirs] })).status).toBe(200);
    const retained = await change(teacher, testId, { assignedGroupIds: [theirs] });
    expect(retained.status, 'what an admin assigned stays assignable').toBe(200);
  });

  test('one person twice among the personal terms', async () => {
    const { teacher, student, testId } = await makeSchool(server);
    const term = { userId: student.userId, extraMinutes: 5, attemptsCount: null };
    const reply = await change(teacher, testId, { personalTerms: [term, term] });
    expect(fieldsOf(reply)).toEqual([
      { field: 'personalTerms', message: 'Ученик указан дважды: оставьте одну строку' },
    ]);
  });
});

test('assignments and personal terms are replaced as sets', async () => {
  const { teacher, student, testId } = await makeSchool(server);
  const boris = await server.user({ userName: 'Борис Орлов' });
  const groupId = await makeGroup(server, teacher, [student, boris]);
  await change(teacher, testId, {
    assignedUserIds: [boris.userId, boris.userId],
    assignedGroupIds: [groupId],
    personalTerms: [{ userId: student.userId, extraMinutes: 20, attemptsCount: 2 }],
  });
  expect(await settingsOf(teacher, testId)).toMatchObject({
    assignedUsers: [{ userId: boris.userId, userName: 'Борис Орлов' }],
    assignedGroups: [{ groupId, name: '9А', owner: teacher.userName, memberCount: 2 }],
    personalTerms: [{ userId: student.userId, extraMinutes: 20, attemptsCount: 2 }],
  });
  await change(teacher, testId, { assignedUserIds: [], personalTerms: [] });
  expect(await settingsOf(teacher, testId)).toMatchObject({
    assignedUsers: [],
    assignedGroups: [{ groupId }],
    personalTerms: [],
  });
});

test('an earlier end or a shorter time never moves the deadline of a running attempt', async () => {
  const { teacher, student, testId } = await makeSchool(server);
  const device = new TestDevice(server, student);
  const started = await device.start(testId);
  const reply = await change(teacher, testId, {
    endTestTime: new Date(server.clock.now.getTime() + 60_000).toISOString(),
    passTestTime: '00:01:00',
    lateWindow: '00:00:00',
    attemptsCount: 1,
  });
  expect(reply.status, reply.text).toBe(200);
  const running = await server.send(
    getPassing,
    { params: { attemptId: device.attemptId } },
    { as: student },
  );
  expect(running.body.deadline).toBe(started.body.deadline);
  expect(running.body.countsUntil).toBe(started.body.countsUntil);
});

describe('publishing', () => {
  const setTo = (as: TestUser, id: string, lifecycle: 'draft' | 'active' | 'archived') =>
    server.send(setLifecycle, { params: { id }, body: { lifecycle } }, { as });

  test('names what is missing and publishes once it is there', async () => {
    const teacher = await teacherOf();
    const id = await made(teacher);
    const empty = await setTo(teacher, id, 'active');
    expect([empty.status, errorOf(empty).code]).toEqual([409, 'TEST_NOT_READY']);
    expect(errorOf(empty).details).toEqual({
      problems: [{ questionId: null, message: 'В тесте нет вопросов: добавьте хотя бы один' }],
    });
    const wrong = smallTest.slice(4, 5).map((question): Question => ({ ...question, text: '' }));
    await change(teacher, id, { questions: wrong });
    expect(errorOf(await setTo(teacher, id, 'active')).details).toEqual({
      problems: [{ questionId: Q.file, message: 'Вопрос 1: нет текста' }],
    });
    await change(teacher, id, { questions: smallTest });
    expect((await setTo(teacher, id, 'active')).body).toMatchObject({ lifecycle: 'active' });
    expect((await setTo(teacher, id, 'draft')).body).toMatchObject({ lifecycle: 'draft' });
    const { version } = await settingsOf(teacher, id);
    await setTo(teacher, id, 'archived');
    expect(await settingsOf(teacher, id), 'the version guards the fields alone').toMatchObject({
      lifecycle: 'archived',
      version,
    });
  });

  test('a test with attempts cannot become a draft again, but can be archived and restored', async () => {
    const { teacher, student, testId } = await makeSchool(server);
    await new TestDevice(server, student).start(testId);
    const draft = await setTo(teacher, testId, 'draft');
    expect([draft.status, errorOf(draft).code]).toEqual([409, 'TEST_HAS_ATTEMPTS']);
    expect((await setTo(teacher, testId, 'archived')).status).toBe(200);
    expect((await setTo(teacher, testId, 'active')).body).toMatchObject({ lifecycle: 'active' });
  });
});

describe('deleting', () => {
  test('removes a test without attempts', async () => {
    const { teacher, testId } = await makeSchool(server);
    const reply = await server.send(deleteTest, { params: { id: testId } }, { as: teacher });
    expect(reply.body).toEqual({ outcome: 'deleted' });
    const gone = await server.send(getTestSettings, { params: { id: testId } }, { as: teacher });
    expect(gone.status).toBe(404);
  });

  test('archives a test with attempts and their results', async () => {
    const { teacher, student, testId } = await makeSchool(server);
    const device = new TestDevice(server, student);
    await device.start(testId);
    const reply = await server.send(deleteTest, { params: { id: testId } }, { as: teacher });
    expect(reply.body).toEqual({ outcome: 'archived' });
    expect(await settingsOf(teacher, testId)).toMatchObject({ lifecycle: 'archived', attempts: 1 });
    expect((await device.finish()).status).toBe(200);
  });
});

test('a copy is a draft of the caller with its own questions and pictures and no assignments', async () => {
  const teacher = await teacherOf();
  const admin = await server.user({ role: ROLE.admin, userName: 'Администратор' });
  const student = await server.user();
  const picture = server.deps.newId();
  const text = `Рисунок ![угол](file:${picture}) и ![чужой](file:${server.deps.newId()})`;
  const pictured = smallTest.map((question, index): Question =>
    index === 0 ? { ...question, text } : question,
  );
  const source = await makeTest(server, teacher, {
    questions: pictured,
    students: [student],
    openToAll: true,
  });
  await execute(
    server.pool,
    `insert into pictures (key, test_id, mime_type, bytes, created_at)
     values ($1, $2, 'image/png', $3, $4)`,
    [picture, source, Buffer.from('картинка'), server.clock.now],
  );
  const reply = await server.send(duplicateTest, { params: { id: source } }, { as: admin });
  expect(reply.status, reply.text).toBe(200);
  const id = reply.body;
  expect(await settingsOf(admin, id)).toMatchObject({
    lifecycle: 'draft',
    ownerId: admin.userId,
    name: 'Копия: Законы Ньютона',
    openToAll: false,
    assignedUsers: [],
    totalQuestions: 6,
    maxPoints: 17,
    attempts: 0,
  });
  const copy = await server.send(getTest, { params: { id } }, { as: admin });
  const ids = copy.body.questions.map(({ questionId }) => questionId);
  expect(new Set([...ids, ...smallTest.map(({ questionId }) => questionId)]).size).toBe(12);
  const copied = copy.body.questions[0]?.text ?? '';
  expect(copied).not.toContain(picture);
  const key = /угол\]\(file:([0-9a-f-]{36})\)/.exec(copied)?.[1] ?? '';
  await server.send(deleteTest, { params: { id: source } }, { as: teacher });
  const shown = await server.send(getFile, { query: { path: key } }, { as: admin });
  expect(Buffer.from(shown.body.item1, 'base64').toString()).toBe('картинка');
});

describe('the list of created tests', () => {
  test("shows own tests with their current figures; admins see everyone's on request", async () => {
    const { teacher, student, testId } = await makeSchool(server, { attemptsCount: 3 });
    const admin = await server.user({ role: ROLE.admin, userName: 'Администратор' });
    const over = new TestDevice(server, student);
    await over.start(testId);
    await over.answer({ questionId: Q.essay, kind: 'open', text: 'Опыт с трубкой' });
    await over.answer(RIGHT.open);
    await over.finish();
    await over.answer(RIGHT.single);
    const running = new TestDevice(server, await server.user());
    await change(teacher, testId, { openToAll: true });
    await running.start(testId);
    const { body } = await server.send(listCreatedTests, {}, { as: teacher });
    expect(body.total).toBe(1);
    expect(body.items[0]).toMatchObject({
      id: testId,
      status: 'active',
      lifecycle: 'active',
      subject: 'Физика',
      totalQuestions: 6,
      totalPoints: 17,
      attempts: 2,
      runningAttempts: 1,
      pendingGrades: 1,
      heldAnswers: 1,
      running: null,
    });
    const own = await server.send(listCreatedTests, {}, { as: admin });
    expect(own.body).toEqual({ items: [], total: 0 });
    const all = await server.send(
      listCreatedTests,
      { query: { everyones: '1', searchQuery: 'лаптева', pageSize: 100 } },
      { as: admin },
    );
    expect(all.body.items.map(({ id }) => id)).toContain(testId);
    const finished = await server.send(
      finishAttempt,
      { params: { id: running.attemptId } },
      { as: running.student },
    );
    expect(finished.status).toBe(200);
  });

  test('is searched, filtered, sorted and paged on the server, with archived tests last', async () => {
    const teacher = await teacherOf();
    const names = ['Ёлочные задачи', 'Ежедневные 100%', 'Ядро'];
    for (const [index, name] of names.entries()) {
      server.clock.advance(1_000);
      await made(teacher, { name, theme: index === 2 ? 'physics' : 'math' });
    }
    const titles = async (query: object) => {
      const reply = await server.send(listCreatedTests, { query }, { as: teacher });
      expect(reply.status, reply.text).toBe(200);
      return { titles: reply.body.items.map(({ title }) => title), total: reply.body.total };
    };
    expect((await titles({})).titles).toEqual(names.toReversed());
    expect((await titles({ sortOrder: 'name' })).titles).toEqual([
      'Ежедневные 100%',
      'Ёлочные задачи',
      'Ядро',
    ]);
    expect((await titles({ searchQuery: '100%' })).titles).toEqual(['Ежедневные 100%']);
    expect((await titles({ searchQuery: '%' })).titles).toEqual(['Ежедневные 100%']);
    expect((await titles({ subject: 'physics' })).titles).toEqual(['Ядро']);
    expect(await titles({ pageSize: 2, page: 2 })).toEqual({
      titles: ['Ёлочные задачи'],
      total: 3,
    });
    const { body } = await server.send(listCreatedTests, {}, { as: teacher });
    const newest = body.items[0]?.id ?? '';
    await server.send(
      setLifecycle,
      { params: { id: newest }, body: { lifecycle: 'archived' } },
      { as: teacher },
    );
    expect((await titles({})).titles.at(-1)).toBe('Ядро');
    expect((await titles({ status: 'archived' })).titles).toEqual(['Ядро']);
  });
});

test('the language of a test is that of its subject until one is chosen; it goes with start, answers and copies', async () => {
  const teacher = await teacherOf();
  const student = await server.user();
  const id = await makeTest(server, teacher, { questions: smallTest, students: [student] });
  const languageOf = async () =>
    (await server.send(getTest, { params: { id } }, { as: student })).body.language;
  await change(teacher, id, { theme: 'english' });
  expect((await settingsOf(teacher, id)).language).toBe('');
  expect(await languageOf()).toBe('en');
  await change(teacher, id, { language: 'de' });
  expect((await settingsOf(teacher, id)).language).toBe('de');
  expect(await languageOf()).toBe('de');
  const wrong = await change(teacher, id, { language: 'tlh' as 'de' });
  expect(wrong.status).toBe(400);

  const started = await server.send(startAttempt, { params: { id } }, { as: student });
  expect(started.body.language).toBe('de');
  const attemptId = started.body.userTestId;
  const answers = await server.send(getAttemptPreview, { params: { attemptId } }, { as: teacher });
  expect(answers.body.language).toBe('de');

  const copy = await server.send(duplicateTest, { params: { id } }, { as: teacher });
  expect((await settingsOf(teacher, copy.body)).language).toBe('de');
  const made = await server.send(
    createTest,
    { body: { ...NEW_TEST, language: 'tt' } },
    { as: teacher },
  );
  expect((await settingsOf(teacher, made.body)).language).toBe('tt');
});

test('a copy of a test that has ended has no dates, a copy of one that goes on has them', async () => {
  const teacher = await teacherOf();
  const id = await made(teacher);
  const { startTestTime, endTestTime } = await settingsOf(teacher, id);
  const copyDates = async () => {
    const copy = await server.send(duplicateTest, { params: { id } }, { as: teacher });
    const settings = await settingsOf(teacher, copy.body);
    return [settings.startTestTime, settings.endTestTime];
  };
  expect(await copyDates()).toEqual([startTestTime, endTestTime]);
  const past = new Date(server.clock.now.getTime() - 1).toISOString();
  await execute(server.pool, 'update tests set start_time = null, end_time = $2 where id = $1', [
    id,
    past,
  ]);
  expect(await copyDates()).toEqual([null, null]);
});
