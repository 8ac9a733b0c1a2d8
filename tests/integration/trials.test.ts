import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { updateUser } from '#contract/admin.ts';
import { ROLE } from '#contract/auth.ts';
import { getTestSettings, listCreatedTests } from '#contract/authoring.ts';
import { listBank } from '#contract/bank.ts';
import { getBoard } from '#contract/board.ts';
import { correctKey, listGrading, listMissing, listTestHeld } from '#contract/grading.ts';
import { HEADER } from '#contract/headers.ts';
import { getResult, listResults } from '#contract/results.ts';
import { exportStatistics, getAnalysis, getStatistics } from '#contract/statistics.ts';
import { execute, rows } from '#server/db/query.ts';
import { indexUnknownTests } from '#server/bank/index-job.ts';
import { refreshFigures } from '#server/bank/figures.ts';
import { holdAnswer, MINUTE_MS, sit, startClass, type ClassWork } from '#tests/class-work.ts';
import { makeGroup, Q, RIGHT, smallTest, TestDevice, type PlannedTest } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';
import { readWorkbook } from '#tests/workbook.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const essay = (text: string): Answer => ({ questionId: Q.essay, kind: 'open', text });
const WRONG: Answer = { questionId: Q.single, kind: 'variant', optionIds: ['a'] };
const TRIALS = { trials: '1' } as const;

interface Tried extends ClassWork {
  /** The attempt of the teacher. */
  readonly trial: TestDevice;
}

async function begin(student: TestUser, testId: string): Promise<TestDevice> {
  const device = new TestDevice(server, student);
  const started = await device.start(testId);
  if (started.status !== 200) throw new Error(started.text);
  return device;
}

/** A student has begun a test, and its teacher tries it. */
async function tried(plan: PlannedTest = {}): Promise<Tried> {
  const work = await startClass(server, ['Алёшина Анна'], { openToAll: true, ...plan });
  return { ...work, trial: await begin(work.teacher, work.testId) };
}

const studentOf = ({ devices }: ClassWork): TestDevice => {
  const [device] = devices;
  if (!device) throw new Error('nobody has begun');
  return device;
};

const trialOf = (device: TestDevice) =>
  rows<{ trial: boolean }>(server.pool, 'select trial from attempts where id = $1', [
    device.attemptId,
  ]).then(([found]) => found?.trial);

const params = ({ testId }: ClassWork) => ({ id: testId });
const as = ({ teacher }: ClassWork) => ({ as: teacher });

describe('what a trial is', () => {
  test('an attempt of a teacher or an administrator, and none of a student', async () => {
    const work = await tried();
    const admin = await server.user({ role: ROLE.admin });
    const looked = await begin(admin, work.testId);
    expect(await Promise.all([work.trial, looked, studentOf(work)].map(trialOf))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('is decided at the start: a later change of the role does not affect it', async () => {
    const work = await tried();
    const student = studentOf(work);
    const admin = await server.user({ role: ROLE.admin });
    const change = (userId: string, role: (typeof ROLE)[keyof typeof ROLE]) =>
      server.send(updateUser, { params: { userId }, body: { role } }, { as: admin });
    expect((await change(student.student.userId, ROLE.teacher)).status).toBe(200);
    await sit(student, [RIGHT.single]);
    const owner = await server.user({ role: ROLE.admin });
    await change(work.teacher.userId, ROLE.student);
    const { body } = await server.send(
      getStatistics,
      { params: params(work), query: TRIALS },
      { as: owner },
    );
    expect(body.items.map(({ userName, trial }) => [userName, trial])).toEqual([
      ['Алёшина Анна', false],
      ['О. В. Лаптева', true],
    ]);
  });

  test('one recreated from receipts after a restore is a trial by the role of that day', async () => {
    const { trial } = await tried();
    const headers = trial.operation();
    const receipt = (await trial.answer(RIGHT.single, headers)).body;
    await server.pool.query('delete from start_keys where reply ->> $1 = $2', [
      'attemptId',
      trial.attemptId,
    ]);
    await server.pool.query('delete from attempts where id = $1', [trial.attemptId]);
    server.deps.state.epoch += 1;
    const again = { ...headers, [HEADER.receipt]: JSON.stringify(receipt) };
    expect((await trial.answer(RIGHT.single, again)).status).toBe(200);
    expect(await trialOf(trial)).toBe(true);
  });
});

describe('statistics', () => {
  const sat = async () => {
    const work = await tried({ attemptsCount: 2 });
    await sit(studentOf(work), [RIGHT.single]);
    await sit(work.trial, [RIGHT.open, RIGHT.single]);
    return work;
  };
  const pageOf = async (work: ClassWork, query: object = {}) =>
    (await server.send(getStatistics, { params: params(work), query }, as(work))).body;
  const analysisOf = async (work: ClassWork, query: object = {}) =>
    (await server.send(getAnalysis, { params: params(work), query }, as(work))).body;

  test('leave trials out and have their number; on request they show them marked', async () => {
    const work = await sat();
    const page = await pageOf(work);
    expect([page.total, page.trials]).toEqual([1, 1]);
    expect(page.items.map(({ userName, trial }) => [userName, trial])).toEqual([
      ['Алёшина Анна', false],
    ]);
    const all = await pageOf(work, TRIALS);
    expect([all.total, all.trials]).toEqual([2, 1]);
    expect(all.items.map(({ userName, trial, counted }) => [userName, trial, counted])).toEqual([
      ['Алёшина Анна', false, true],
      ['О. В. Лаптева', true, false],
    ]);
  });

  test('compute means, items and classes without trials', async () => {
    const work = await sat();
    await makeGroup(server, work.teacher, [studentOf(work).student, work.teacher], '9А');
    const without = await analysisOf(work);
    expect(without).toMatchObject({ attempts: 1, mean: 1, groups: [{ name: '9А', attempts: 1 }] });
    expect(without.items[1]).toMatchObject({ answered: 1 });
    const all = await analysisOf(work, TRIALS);
    expect(all).toMatchObject({ attempts: 2, mean: 2, groups: [{ name: '9А', attempts: 2 }] });
    expect(await analysisOf(work)).toEqual(without);
  });

  test('let no trial make the mark of a former student', async () => {
    const work = await startClass(server, ['Алёшина Анна'], { attemptsCount: 2 });
    const student = studentOf(work);
    await sit(student, [RIGHT.single]);
    await execute(server.pool, 'update users set role = $2 where id = $1', [
      student.student.userId,
      ROLE.teacher,
    ]);
    await sit(await begin(student.student, work.testId), [RIGHT.open, RIGHT.single]);
    const counted = { attempts: 'counted' } as const;
    expect((await pageOf(work, counted)).items).toMatchObject([{ points: 1, counted: true }]);
    const all = (await pageOf(work, { ...counted, ...TRIALS })).items;
    expect(all.map(({ points, counted: makes }) => [points, makes])).toEqual([
      [1, true],
      [3, false],
    ]);
  });

  test('show of a class only its own trials', async () => {
    const work = await sat();
    const groupId = await makeGroup(server, work.teacher, [studentOf(work).student], '9Б');
    expect((await pageOf(work, { groupId })).trials).toBe(0);
  });

  test.each(['csv', 'xlsx'] as const)(
    'are exported as %s without trials, or marked',
    async (format) => {
      const work = await sat();
      const tableOf = async (query: object) => {
        const { body } = await server.send(
          exportStatistics,
          { params: params(work), query: { format, ...query } },
          as(work),
        );
        const bytes = Buffer.from(body.content, 'base64');
        if (format === 'xlsx') return JSON.stringify([...readWorkbook(bytes)]);
        return bytes.toString('utf8');
      };
      const without = await tableOf({});
      expect(without).toContain('Алёшина');
      expect(without).not.toContain('Лаптева');
      expect(without).not.toContain('Пробная');
      const all = await tableOf(TRIALS);
      expect(all).toContain('Лаптева');
      expect(all).toContain('Пробная');
    },
  );
});

describe('the board', () => {
  const boardOf = async (work: ClassWork, query: object = {}) =>
    (await server.send(getBoard, { params: params(work), query }, as(work))).body;
  const listed = ({ rows: found }: Awaited<ReturnType<typeof boardOf>>) =>
    found.map(({ userName, trial, state }) => [userName, trial, state]).toSorted();

  test('shows trials only on request, and has their number', async () => {
    const work = await tried();
    const board = await boardOf(work);
    expect(listed(board)).toEqual([['Алёшина Анна', false, 'running']]);
    expect(board.trials).toBe(1);
    expect(listed(await boardOf(work, TRIALS))).toEqual([
      ['Алёшина Анна', false, 'running'],
      ['О. В. Лаптева', true, 'running'],
    ]);
  });

  test('does not wait for an assigned teacher, who is listed as a trial', async () => {
    const work = await startClass(server, ['Алёшина Анна']);
    await execute(
      server.pool,
      'insert into assignments (id, test_id, user_id, created_at) values ($1, $2, $3, $4)',
      [server.deps.newId(), work.testId, work.teacher.userId, server.clock.now],
    );
    const board = await boardOf(work);
    expect([listed(board), board.trials]).toEqual([[['Алёшина Анна', false, 'running']], 1]);
    expect(listed(await boardOf(work, TRIALS))).toEqual([
      ['Алёшина Анна', false, 'running'],
      ['О. В. Лаптева', true, 'notStarted'],
    ]);
  });

  test('lists the attempt of a student who became a teacher and then tried the test', async () => {
    const work = await startClass(server, ['Алёшина Анна'], { attemptsCount: 2 });
    const student = studentOf(work);
    await sit(student, [RIGHT.single]);
    await execute(server.pool, 'update users set role = $2 where id = $1', [
      student.student.userId,
      ROLE.teacher,
    ]);
    await begin(student.student, work.testId);
    expect(listed(await boardOf(work))).toEqual([['Алёшина Анна', false, 'finished']]);
    expect(listed(await boardOf(work, TRIALS))).toEqual([['Алёшина Анна', true, 'running']]);
  });
});

describe('grading', () => {
  const queueOf = async (work: ClassWork, query: object = {}) =>
    (await server.send(listGrading, { params: params(work), query }, as(work))).body;

  test("a trial's answers are in the queue only on request", async () => {
    const work = await tried();
    await sit(studentOf(work), [essay('Маятник')]);
    await sit(work.trial, [essay('Проба')]);
    const queue = await queueOf(work);
    expect([queue.total, queue.questions[5]?.pending, queue.trials]).toEqual([1, 1, 1]);
    expect(queue.items.map(({ userName, trial }) => [userName, trial])).toEqual([
      ['Алёшина Анна', false],
    ]);
    const all = await queueOf(work, TRIALS);
    expect([all.total, all.questions[5]?.pending]).toEqual([2, 2]);
    expect(all.items.map(({ userName, trial }) => [userName, trial])).toEqual([
      ['Алёшина Анна', false],
      ['О. В. Лаптева', true],
    ]);
  });

  test('the answers of one trial are found by its attempt', async () => {
    const work = await tried();
    await sit(work.trial, [essay('Проба')]);
    const { items } = await queueOf(work, { attemptId: work.trial.attemptId, show: 'all' });
    expect(items).toHaveLength(smallTest.length);
    expect(items.every(({ trial }) => trial)).toBe(true);
  });

  test('held answers of trials are listed only if requested', async () => {
    const work = await tried();
    await holdAnswer(work.trial, RIGHT.single);
    await holdAnswer(studentOf(work), RIGHT.single);
    const heldOf = async (query: object) =>
      (await server.send(listTestHeld, { params: params(work), query }, as(work))).body;
    const listed = await heldOf({});
    expect([(await queueOf(work)).held, listed.total, listed.items.length]).toEqual([1, 1, 1]);
    const { items, total } = await heldOf(TRIALS);
    expect([(await queueOf(work, TRIALS)).held, total]).toEqual([2, 2]);
    expect(items.map(({ userName, trial }) => [userName, trial])).toEqual([
      ['Алёшина Анна', false],
      ['О. В. Лаптева', true],
    ]);
  });

  test('an unfinished trial is not among missing answers', async () => {
    const work = await tried({ passMinutes: 10, windowMinutes: 1 });
    server.clock.advance(20 * MINUTE_MS);
    const missingOf = async (query: object) =>
      (await server.send(listMissing, { params: params(work), query }, as(work))).body;
    const listed = await missingOf({});
    expect([(await queueOf(work)).missing, listed.total, listed.items.length]).toEqual([1, 1, 1]);
    expect((await queueOf(work, TRIALS)).missing).toBe(2);
    expect((await missingOf(TRIALS)).items.map(({ userName, trial }) => [userName, trial])).toEqual(
      [
        ['Алёшина Анна', false],
        ['О. В. Лаптева', true],
      ],
    );
  });

  test('a corrected key rescores trials and reports only students', async () => {
    const work = await tried();
    await sit(studentOf(work), [WRONG]);
    await sit(work.trial, [WRONG]);
    const single = smallTest.find(({ questionId }) => questionId === Q.single);
    if (single?.kind !== 'variant') throw new Error('the test has no such question');
    const options = single.options.map((option) => ({
      ...option,
      isRight: option.optionId === 'a',
    }));
    const body = { question: { ...single, options }, reason: 'Ключ был неверен' };
    const mended = await server.send(correctKey, { params: params(work), body }, as(work));
    expect(mended.body.rescored).toBe(1);
    expect(mended.body.changed.map(({ userName }) => userName)).toEqual(['Алёшина Анна']);
    const own = { params: { attemptId: work.trial.attemptId } };
    expect((await server.send(getResult, own, as(work))).body.score).toBe(1);
  });
});

test('lists of tests count the work of students, and how many attempts are trials', async () => {
  const work = await tried({ attemptsCount: 2 });
  await sit(studentOf(work), [essay('Маятник')]);
  await holdAnswer(work.trial, RIGHT.single);
  await sit(work.trial, [essay('Проба')]);
  await begin(work.teacher, work.testId);
  const { body } = await server.send(listCreatedTests, { query: {} }, as(work));
  expect(body.items).toMatchObject([
    { attempts: 3, trialAttempts: 2, runningAttempts: 0, pendingGrades: 1, heldAnswers: 0 },
  ]);
  const settings = await server.send(getTestSettings, { params: params(work) }, as(work));
  expect(settings.body).toMatchObject({ attempts: 3, mostAttempts: 1 });
});

test("a person's own trials are marked, and none of them in the mark", async () => {
  const work = await tried();
  await sit(work.trial, [RIGHT.single]);
  const list = await server.send(listResults, { params: params(work), query: {} }, as(work));
  expect(list.body).toMatchObject({
    mark: null,
    attempts: [{ trial: true, counts: false, score: 1 }],
  });
  const of = { params: { attemptId: work.trial.attemptId } };
  expect((await server.send(getResult, of, as(work))).body.trial).toBe(true);
  const student = studentOf(work);
  const own = await server.send(
    listResults,
    { params: params(work), query: {} },
    { as: student.student },
  );
  expect(own.body.attempts).toMatchObject([{ trial: false }]);
});

test("the facility of a bank's question is based on students' attempts", async () => {
  const questions = smallTest.filter(({ questionId }) => questionId === Q.single);
  const work = await tried({ questions });
  await indexUnknownTests(server.pool);
  await sit(studentOf(work), [RIGHT.single]);
  await sit(work.trial, [WRONG]);
  await refreshFigures(server.pool, { ownerId: work.teacher.userId, most: 10, least: 1 });
  const { body } = await server.send(listBank, { query: {} }, as(work));
  expect(body.items).toMatchObject([{ facility: 1, attempts: 1 }]);
});
