import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { setLifecycle, updateTest } from '#contract/authoring.ts';
import { pickFromBank } from '#contract/bank.ts';
import { getDraft, saveDraft } from '#contract/drafts.ts';
import { getFile } from '#contract/files.ts';
import { uploadPicture } from '#contract/pictures.ts';
import { correctKey } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { errorOf, makeSchool, makeTest, Q, smallTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';
import { cpuMs } from '#tests/cpu.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ poolSize: 20 });
});
afterAll(() => server.close());

const teacherOf = () => server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The answer is the number itself. */
const numbered = (number: number, variantOf?: string): Question => ({
  questionId: id(number),
  kind: 'open',
  input: 'number',
  text: `Вариант ${number}`,
  points: 2,
  accepted: [{ text: String(number), share: 1 }],
  tolerance: 0,
  ...(variantOf === undefined ? {} : { variantOf }),
});

const keyed = (question: Question, answer: string): Question =>
  question.kind === 'open' ? { ...question, accepted: [{ text: answer, share: 1 }] } : question;

const save = async (as: TestUser, testId: string, questions: Question[], draftVersion = 1) =>
  server.send(
    saveDraft,
    {
      params: { id: testId },
      body: {
        draftVersion,
        order: questions.map(({ questionId }) => questionId),
        changed: questions,
      },
    },
    { as },
  );

/** A published test with three variants of one question, and the id of its content. */
async function varied(students: readonly TestUser[]) {
  const teacher = await teacherOf();
  const testId = await makeTest(server, teacher, {
    questions: [numbered(1)],
    lifecycle: 'draft',
    students,
    attemptsCount: 3,
  });
  const pool = id(900);
  await save(teacher, testId, [
    numbered(1),
    ...[11, 12, 13].map((n) => numbered(n, pool)),
    numbered(2),
  ]);
  await server.send(
    setLifecycle,
    { params: { id: testId }, body: { lifecycle: 'active' } },
    { as: teacher },
  );
  const current = await one<{ contentId: string }>(
    server.pool,
    'select content_id as "contentId" from tests where id = $1',
    [testId],
  );
  return { teacher, testId, contentId: current?.contentId ?? '' };
}

test('unclosed brackets do not block the server', async () => {
  const teacher = await teacherOf();
  const testId = await makeTest(server, teacher, { lifecycle: 'draft' });
  const brackets = '['.repeat(20_000);
  const question: Question = {
    questionId: Q.single,
    kind: 'variant',
    multiple: false,
    shuffle: false,
    scoring: 'partial',
    text: brackets,
    points: 1,
    options: ['[]('.repeat(6_000), '![]('.repeat(5_000), brackets].map((text, index) => ({
      optionId: `${index}`,
      text,
      isRight: index === 0,
    })),
  };
  const from = cpuMs();
  const reply = await save(teacher, testId, [question]);
  expect(reply.status, reply.text).toBe(200);
  expect(cpuMs() - from).toBeLessThan(4_000);
});

test("a surrogate pair where the bank's text is cut causes no failure", async () => {
  const teacher = await teacherOf();
  const testId = await makeTest(server, teacher, { lifecycle: 'draft' });
  const question: Question = {
    ...numbered(1),
    kind: 'open',
    input: 'line',
    tolerance: 0,
    text: 'а'.repeat(19_998),
    accepted: [{ text: '😀😀', share: 1 }],
  };
  const reply = await save(teacher, testId, [question]);
  expect(reply.status, reply.text).toBe(200);
});

test('a key correction and a start of a test with variants never deadlock', async () => {
  const student = await server.user();
  const { teacher, testId, contentId } = await varied([student]);
  const device = new TestDevice(server, student);
  await device.start(testId);
  // Like a start: the test in share mode, then the lock on the draws.
  const starting = await server.pool.connect();
  try {
    await starting.query('begin');
    await starting.query('select 1 from tests where id = $1 for share', [testId]);
    const corrected = server.send(
      correctKey,
      {
        params: { id: testId },
        body: {
          question: keyed(numbered(2), '22'),
          reason: 'Опечатка',
          dryRun: false,
        },
      },
      { as: teacher },
    );
    await expect
      .poll(async () =>
        one(
          server.pool,
          `select 1 from pg_stat_activity where datname = current_database()
             and wait_event_type = 'Lock' and query like 'update tests t set content_id%'`,
        ),
      )
      .not.toBeNull();
    await starting.query('update test_contents set draws_given = draws_given + 1 where id = $1', [
      contentId,
    ]);
    await starting.query('commit');
    const reply = await corrected;
    expect(reply.status, reply.text).toBe(200);
  } finally {
    await starting.query('rollback');
    starting.release();
  }
  const given = await rows<{ given: number }>(
    server.pool,
    `select c.draws_given as given from tests t join test_contents c on c.id = t.content_id
     where t.id = $1`,
    [testId],
  );
  expect(given).toEqual([{ given: 2 }]);
});

test('a corrected alternative stays among its alternatives in the working copy, too, whatever was sent', async () => {
  const { teacher, testId } = await varied([]);
  const reply = await server.send(
    correctKey,
    {
      params: { id: testId },
      body: { question: keyed(numbered(12), '21'), reason: 'Опечатка', dryRun: false },
    },
    { as: teacher },
  );
  expect(reply.status, reply.text).toBe(200);
  const { body } = await server.send(getDraft, { params: { id: testId } }, { as: teacher });
  expect(body.questions[2]).toEqual(keyed(numbered(12, id(900)), '21'));
  expect(body.hasUnpublished).toBe(false);
});

test('questions sent whole do not overwrite unpublished edits of another editor', async () => {
  const { teacher, testId } = await makeSchool(server);
  const [first] = smallTest as [Question];
  await save(teacher, testId, [{ ...first, text: 'Напечатано' }]);
  const reply = await server.send(
    updateTest,
    { body: { id: testId, version: 1, questions: [{ ...first, text: 'Поверх' }] } },
    { as: teacher },
  );
  expect(errorOf(reply).code).toBe('STALE_VERSION');
  const { body } = await server.send(getDraft, { params: { id: testId } }, { as: teacher });
  expect(body.questions[0]?.text).toBe('Напечатано');
});

test('access to a picture is checked once, however many tests use it', async () => {
  const teacher = await teacherOf();
  const student = await server.user();
  const sent = await server.send(uploadPicture, { bytes: SAMPLES['image/png'] }, { as: teacher });
  const { key } = sent.body;
  const testIds: string[] = [];
  for (let n = 0; n < 12; n += 1)
    testIds.push(await makeTest(server, teacher, { students: n === 11 ? [student] : [] }));
  await execute(
    server.pool,
    'insert into picture_uses (key, test_id) select $1, id from unnest($2::uuid[]) as given (id)',
    [key, testIds],
  );
  const read = async () =>
    (await server.send(getFile, { query: { path: key } }, { as: student })).status;
  expect(await read()).toBe(404);
  const device = new TestDevice(server, student);
  await device.start(testIds[11] ?? '');
  const query = vi.spyOn(server.pool, 'query');
  expect(await read()).toBe(200);
  expect(query.mock.calls.length).toBeLessThan(8);
  query.mockRestore();
});

test('a bank full of unfinished questions is drawn from in a few steps', async () => {
  const teacher = await teacherOf();
  const unready: Question = {
    ...numbered(1),
    kind: 'open',
    input: 'line',
    accepted: [{ text: '', share: 1 }],
    tolerance: 0,
  };
  await execute(
    server.pool,
    `insert into bank_entries (owner_id, entry_id, question, kind, words, updated_at)
     select $1, gen_random_uuid(), $2, 'open', '', $3 from generate_series(1, 3000)`,
    [teacher.userId, JSON.stringify(unready), server.clock.now],
  );
  const query = vi.spyOn(server.pool, 'query');
  const reply = await server.send(
    pickFromBank,
    {
      body: {
        criteria: { topics: [], tags: [], kinds: [] },
        mix: { easy: 0, medium: 0, hard: 0, any: 1 },
        seed: 'семя',
        exclude: [],
      },
    },
    { as: teacher },
  );
  expect(reply.body.shortages).toEqual([{ difficulty: 'any', wanted: 1, found: 0 }]);
  expect(query.mock.calls.length).toBeLessThan(25);
  query.mockRestore();
});
