import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { gradeItem } from '#contract/attempts.ts';
import { listUsers, ROLE } from '#contract/auth.ts';
import { decideTestHeld } from '#contract/grading.ts';
import { getAnalysis, getStatistics, type StatisticsRow } from '#contract/statistics.ts';
import type { CallInput } from '#contract/route.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { findAttempt } from '#server/passing/attempt.ts';
import { computeMarks } from '#server/passing/counting.ts';
import { judgedTest } from '#server/statistics/chosen.ts';
import { endedAttempts, loadMatrix } from '#server/statistics/matrix.ts';
import { holdAnswer, MINUTE_MS, sit, startClass, type ClassWork } from '#tests/class-work.ts';
import { keyedQuestions, makeMarkedAttempts, seeded } from '#tests/marked-attempts.ts';
import { makeGroup, makeTest, Q, RIGHT, smallTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type RowsQuery = NonNullable<CallInput<typeof getStatistics>['query']>;
type Chosen = NonNullable<CallInput<typeof getAnalysis>['query']>;

const essay = (text: string): Answer => ({ questionId: Q.essay, kind: 'open', text });
const WRONG: Answer = { questionId: Q.single, kind: 'variant', optionIds: ['a'] };

const pageOf = (testId: string, as: TestUser, query: RowsQuery = {}) =>
  server.send(getStatistics, { params: { id: testId }, query }, { as });
const analysisOf = (testId: string, as: TestUser, query: Chosen = {}) =>
  server.send(getAnalysis, { params: { id: testId }, query }, { as });

function firstOf<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('the list is empty');
  return first;
}

const namesOf = (items: readonly StatisticsRow[]) => items.map(({ userName }) => userName);

/** Three pupils with 1, 2 and 3 points, who took 10, 30 and 20 minutes; the last is still at it. */
async function threeAndOne(): Promise<ClassWork> {
  const work = await startClass(server, [
    'Яковлев Пётр',
    'Алёшина Анна',
    'Борисов Иван',
    'Ершова Ольга',
  ]);
  const [yakov, anna, boris] = work.devices as [TestDevice, TestDevice, TestDevice, TestDevice];
  server.clock.advance(10 * MINUTE_MS);
  await sit(yakov, [RIGHT.single]);
  server.clock.advance(10 * MINUTE_MS);
  await sit(boris, [RIGHT.open, RIGHT.single]);
  server.clock.advance(10 * MINUTE_MS);
  await sit(anna, [RIGHT.open]);
  return work;
}

describe('the attempts', () => {
  test('bear the fields of the specification, with the names of the users list', async () => {
    const { teacher, testId, devices } = await threeAndOne();
    const { body } = await pageOf(testId, teacher);
    const yakov = body.items.find(({ userName }) => userName === 'Яковлев Пётр');
    expect(yakov).toMatchObject({
      userTestId: devices[0]?.attemptId,
      testName: 'Законы Ньютона',
      testPoints: 17,
      userId: devices[0]?.student.userId,
      userName: 'Яковлев Пётр',
      points: 1,
      attemptNumber: 1,
      state: 2,
      end: 'finished',
      usedSeconds: 600,
      pendingReview: false,
      counted: true,
    });
    const running = body.items.find(({ userName }) => userName === 'Ершова Ольга');
    expect(running).toMatchObject({ points: null, state: 1, end: null, counted: false });
    const users = await server.send(listUsers, {}, { as: teacher });
    const names = new Map(users.body.items.map(({ userId, userName }) => [userId, userName]));
    expect(body.items.map(({ userId }) => names.get(userId))).toEqual(namesOf(body.items));
  });

  test.each<[RowsQuery, string[]]>([
    [{}, ['Алёшина', 'Борисов', 'Ершова', 'Яковлев']],
    [{ descending: '1' }, ['Яковлев', 'Ершова', 'Борисов', 'Алёшина']],
    [{ sortOrder: 'points' }, ['Яковлев', 'Алёшина', 'Борисов', 'Ершова']],
    [{ sortOrder: 'points', descending: '1' }, ['Борисов', 'Алёшина', 'Яковлев', 'Ершова']],
    [{ sortOrder: 'finished' }, ['Яковлев', 'Борисов', 'Алёшина', 'Ершова']],
    [{ sortOrder: 'used', descending: '1' }, ['Алёшина', 'Борисов', 'Яковлев', 'Ершова']],
    [{ searchQuery: 'АЛЕШИНА' }, ['Алёшина']],
    [{ searchQuery: 'анна алё' }, ['Алёшина']],
    [{ searchQuery: '%' }, []],
    [{ pageSize: 2 }, ['Алёшина', 'Борисов']],
    [{ pageSize: 2, page: 2 }, ['Ершова', 'Яковлев']],
    [{ pageSize: 2, page: 9 }, []],
  ])('asked for with %j come in that order', async (query, surnames) => {
    const { teacher, testId } = await threeAndOne();
    const { body } = await pageOf(testId, teacher, query);
    expect(body.items.map(({ userName }) => userName.split(' ')[0])).toEqual(surnames);
    const total = query.searchQuery === undefined ? 4 : surnames.length;
    expect(body.total).toBe(total);
  });

  test('of a class are those of its members, and the classes are told with their attempts', async () => {
    const { teacher, testId, devices } = await threeAndOne();
    const pupils = devices.slice(0, 2).map(({ student }) => student);
    const groupId = await makeGroup(server, teacher, pupils, '9А');
    const stranger = await server.user({ role: ROLE.teacher });
    await makeGroup(server, stranger, pupils, 'Чужой класс');
    const { body } = await pageOf(testId, teacher, { groupId });
    expect(namesOf(body.items)).toEqual(['Алёшина Анна', 'Яковлев Пётр']);
    expect(body.items.map(({ groups }) => groups)).toEqual([['9А'], ['9А']]);
    const analysis = await analysisOf(testId, teacher, { groupId });
    expect(analysis.body.attempts).toBe(2);
    expect(analysis.body.groups).toEqual([{ groupId, name: '9А', attempts: 2 }]);
  });

  test.each([
    ['best', [2], 2],
    ['last', [3], 1],
    ['average', [1, 2, 3], 4 / 3],
  ] as const)('that count by the rule %s are %j', async (rule, numbers, mean) => {
    const { teacher, testId, devices } = await startClass(server, ['Смирнов'], {
      attemptsCount: 3,
    });
    await execute(server.pool, 'update tests set counted_attempt = $2 where id = $1', [
      testId,
      rule,
    ]);
    const { student } = firstOf(devices);
    await sit(firstOf(devices), [RIGHT.single]);
    for (const answer of [RIGHT.open, RIGHT.single]) {
      const again = new TestDevice(server, student);
      await again.start(testId);
      await sit(again, [answer]);
    }
    const { body } = await pageOf(testId, teacher, { attempts: 'counted' });
    expect(body.items.map(({ attemptNumber }) => attemptNumber)).toEqual(numbers);
    const all = await pageOf(testId, teacher);
    expect(all.body.items.filter(({ counted }) => counted)).toHaveLength(numbers.length);
    const analysis = await analysisOf(testId, teacher, { attempts: 'counted' });
    expect([analysis.body.attempts, analysis.body.countedAttempt]).toEqual([numbers.length, rule]);
    expect(analysis.body.mean).toBeCloseTo(mean, 10);
  });

  test('that nobody finished are closed and scored as soon as they are looked at', async () => {
    const { teacher, testId, devices } = await startClass(server, ['Смирнов']);
    await devices[0]?.answer(RIGHT.single);
    server.clock.advance(60 * MINUTE_MS);
    const { body } = await pageOf(testId, teacher);
    expect(body.items[0]).toMatchObject({ end: 'closed', points: 1, usedSeconds: null });
  });
});

describe('who may see them', () => {
  test('the owner and admins; a student is refused and another teacher finds nothing', async () => {
    const { teacher, testId, devices } = await startClass(server, ['Смирнов']);
    const admin = await server.user({ role: ROLE.admin });
    const other = await server.user({ role: ROLE.teacher });
    const statuses = async (as: TestUser) => [
      (await pageOf(testId, as)).status,
      (await analysisOf(testId, as)).status,
    ];
    expect(await statuses(teacher)).toEqual([200, 200]);
    expect(await statuses(admin)).toEqual([200, 200]);
    expect(await statuses(other)).toEqual([404, 404]);
    expect(await statuses(firstOf(devices).student)).toEqual([403, 403]);
  });
});

describe('the analysis', () => {
  test('of a test without attempts is empty and no error', async () => {
    const teacher = await server.user({ role: ROLE.teacher });
    const testId = await makeTest(server, teacher);
    const { status, body } = await analysisOf(testId, teacher);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Законы Ньютона',
      maxScore: 17,
      attempts: 0,
      mean: null,
      median: null,
      deviation: null,
      alpha: null,
      standardError: null,
      distribution: [],
      time: [],
      items: [],
    });
  });

  test('says which wrong options were chosen, how often, and by whom', async () => {
    const { teacher, testId, devices } = await startClass(server, ['А', 'Б', 'В', 'Г']);
    const [a, b, c, d] = devices as [TestDevice, TestDevice, TestDevice, TestDevice];
    await sit(a, [RIGHT.single, RIGHT.open]);
    await sit(b, [WRONG, { ...RIGHT.open, text: '4,90' }]);
    await sit(c, [WRONG, { questionId: Q.open, kind: 'open', text: ' 5 ' }]);
    await sit(d, []);
    const { body } = await analysisOf(testId, teacher);
    const single = body.items.find(({ questionId }) => questionId === Q.single);
    // One of four has the point; three answered; the two wrong ones have 2 and 0 of the other 16 points.
    expect(single).toMatchObject({
      number: 2,
      graded: 4,
      answered: 3,
      facility: 0.25,
      reading: 'tooFew',
    });
    expect(single?.choices).toEqual([
      { text: 'Паскаль', isRight: false, count: 2, share: 2 / 3, meanRest: (2 / 16 + 0) / 2 },
      { text: 'Ньютон', isRight: true, count: 1, share: 1 / 3, meanRest: 2 / 16 },
    ]);
    const open = body.items.find(({ questionId }) => questionId === Q.open);
    expect(open?.choices.map(({ text, isRight, count }) => [text, isRight, count])).toEqual([
      ['4,90', true, 1],
      ['4.9', true, 1],
      ['5', false, 1],
    ]);
    expect([body.mean, body.median]).toEqual([(3 + 2 + 0 + 0) / 4, 1]);
  });

  test('takes an item over all versions, and the text of the newest', async () => {
    const { teacher, testId, devices } = await startClass(server, ['А', 'Б'], {
      questions: smallTest.slice(0, 2),
      attemptsCount: 2,
    });
    await sit(firstOf(devices), [RIGHT.single, RIGHT.open]);
    const changed = smallTest
      .slice(1, 3)
      .map((question) => ({ ...question, text: `${question.text} (новая)` }));
    const contentId = server.deps.newId();
    server.clock.advance(MINUTE_MS);
    await execute(
      server.pool,
      'insert into test_contents (id, test_id, questions, max_points, created_at) values ($1, $2, $3, 3, $4)',
      [contentId, testId, JSON.stringify(changed), server.clock.now],
    );
    await execute(server.pool, 'update tests set content_id = $2 where id = $1', [
      testId,
      contentId,
    ]);
    const again = new TestDevice(server, firstOf(devices).student);
    await again.start(testId);
    await sit(again, [RIGHT.several]);
    const { body } = await analysisOf(testId, teacher);
    expect(
      body.items.map(({ questionId, graded, versions }) => [questionId, graded, versions]),
    ).toEqual([
      [Q.single, 2, 2],
      [Q.several, 1, 1],
      [Q.open, 1, 1],
    ]);
    expect(body.items[0]?.text).toBe('Единица силы? (новая)');
    expect(body.items[0]?.facility).toBe(0.5);
    expect(body.maxScore).toBe(3);
  });

  test('is right at once after a grade, and after a held answer was accepted', async () => {
    const { teacher, testId, devices } = await startClass(server, ['Смирнов']);
    const device = firstOf(devices);
    await sit(device, [RIGHT.single, essay('Опыт')]);
    const held = await holdAnswer(device, RIGHT.open);
    const figures = async () => {
      const { body } = await analysisOf(testId, teacher);
      const row = (await pageOf(testId, teacher)).body.items[0];
      const graded = body.items.find(({ questionId }) => questionId === Q.essay)?.graded;
      return [body.mean, body.pendingReview, graded, row?.points, row?.pendingReview, row?.held];
    };
    expect(await figures()).toEqual([1, 1, 0, 1, true, 1]);
    const params = { attemptId: device.attemptId };
    await server.send(
      gradeItem,
      { params, body: { questionId: Q.essay, points: 4 } },
      { as: teacher },
    );
    expect(await figures()).toEqual([5, 0, 1, 5, false, 1]);
    await server.send(
      decideTestHeld,
      { params: { id: testId }, body: { operationIds: [held], decision: 'accepted' } },
      { as: teacher },
    );
    expect(await figures()).toEqual([7, 0, 1, 7, false, 0]);
  });
});

test.each([1, 2, 3])(
  'points per item are those of the marks, whatever happened (seed %i)',
  async (seed) => {
    const chance = seeded(seed);
    const some = <T>(from: readonly T[]) => firstOf(from.slice(Math.floor(chance() * from.length)));
    const { teacher, testId, devices } = await startClass(server, ['А', 'Б', 'В', 'Г', 'Д', 'Е']);
    const given: Answer[] = [
      ...Object.values(RIGHT),
      WRONG,
      essay('Опыт'),
      essay(''),
      { questionId: Q.open, kind: 'open', text: 'канарейка' },
      { questionId: Q.several, kind: 'variant', optionIds: ['a', 'b'] },
      { questionId: Q.matching, kind: 'compliance', pairs: [{ leftId: '1', rightId: 'b' }] },
    ];
    const held: string[] = [];
    for (const device of devices) {
      for (let i = 0; i < 6; i += 1) await device.answer(some(given));
      if (chance() < 0.5) held.push(await holdAnswer(device, some(given)));
      await device.finish();
      for (const questionId of [Q.essay, Q.file, Q.open]) {
        if (chance() < 0.5) continue;
        const body = { questionId, points: 1.5, reason: 'Иначе решено' };
        await server.send(
          gradeItem,
          { params: { attemptId: device.attemptId }, body },
          { as: teacher },
        );
      }
    }
    const decided = held.filter(() => chance() < 0.5);
    if (decided.length > 0) {
      const body = { operationIds: decided, decision: 'accepted' as const };
      await server.send(decideTestHeld, { params: { id: testId }, body }, { as: teacher });
    }

    const caller = { userId: teacher.userId, role: teacher.role } as Parameters<
      typeof judgedTest
    >[1];
    const judged = await judgedTest(server.pool, caller, testId);
    const ended = await endedAttempts(server.pool, judged, { attempts: 'all' });
    const matrix = await loadMatrix(server.pool, judged, ended);
    expect(matrix.attempts).toHaveLength(devices.length);
    for (const [column, { id, points }] of matrix.attempts.entries()) {
      const attempt = await findAttempt(server.pool, id);
      if (!attempt) throw new Error('no attempt');
      const { withLate } = await computeMarks(server.pool, attempt);
      for (const item of matrix.items) {
        const score = withLate.items.get(item.questionId);
        const expected = score?.kind === 'graded' ? score.points : Number.NaN;
        expect([item.questionId, item.points[column]]).toEqual([item.questionId, expected]);
      }
      expect(points).toBe(withLate.points);
    }
  },
);

test('2,000 attempts on 40 items take a bounded number of queries, and their sums are the stored marks', async () => {
  const teacher = await server.user({ role: ROLE.teacher });
  const questions = keyedQuestions(40);
  const testId = await makeTest(server, teacher, { questions });
  await makeMarkedAttempts(server, testId, questions, 2_000);
  let queries = 0;
  const count = () => {
    queries += 1;
  };
  server.pool.on('acquire', count);
  const page = await pageOf(testId, teacher, { page: 7, sortOrder: 'points' });
  const ofPage = queries;
  const { body } = await analysisOf(testId, teacher);
  server.pool.off('acquire', count);
  expect(page.body.items).toHaveLength(20);
  expect(page.body.total).toBe(2_000);
  // Sign-in, test, due ones, the page; the analysis reads the answers a hundred attempts at a time.
  expect(ofPage).toBeLessThanOrEqual(6);
  expect(queries - ofPage).toBeLessThanOrEqual(2_000 / 100 + 10);
  expect(body.attempts).toBe(2_000);
  const stored = await one<{ mean: number }>(
    server.pool,
    'select avg(points) as mean from attempts where test_id = $1',
    [testId],
  );
  expect(body.mean).toBeCloseTo(Number(stored?.mean), 8);
  const ofItems = body.items.reduce((sum, item) => sum + (item.facility ?? 0) * item.maxPoints, 0);
  // Items are rounded to two decimals each.
  expect(ofItems).toBeCloseTo(body.mean ?? 0, 1);
  expect(body.distribution.reduce((sum, bin) => sum + bin.count, 0)).toBe(2_000);
  const plan = await rows<{ 'QUERY PLAN': string }>(
    server.pool,
    'explain select * from answers where attempt_id = any($1)',
    [page.body.items.map(({ userTestId }) => userTestId)],
  );
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('answers_pkey');
});
