import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { gradeItem } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { decideTestHeld } from '#contract/grading.ts';
import { getAnalysis, getStatistics } from '#contract/statistics.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { findAttempt } from '#server/passing/attempt.ts';
import { computeMarks } from '#server/passing/counting.ts';
import { analyse } from '#server/statistics/analysis.ts';
import { readAnalysedTest } from '#server/statistics/chosen.ts';
import { endedAttempts, loadMatrix, type Matrix } from '#server/statistics/matrix.ts';
import { holdAnswer, startClass } from '#tests/class-work.ts';
import { keyedQuestions, makeMarkedAttempts, seeded } from '#tests/marked-attempts.ts';
import { makeTest, Q, RIGHT } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const essay = (text: string): Answer => ({ questionId: Q.essay, kind: 'open', text });
const WRONG: Answer = { questionId: Q.single, kind: 'variant', optionIds: ['a'] };

function firstOf<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('the list is empty');
  return first;
}

/** The test as its teacher may analyse it, and its ended attempts at any time. */
async function readAs({ userId, role }: TestUser, testId: string) {
  const caller = { userId, role } as Parameters<typeof readAnalysedTest>[1];
  const judged = await readAnalysedTest(server.pool, caller, testId);
  return { judged, ended: () => endedAttempts(server.pool, judged, { attempts: 'all' }) };
}

/** Sums of the same numbers in another order differ in their last digit. */
const figuresOf = async (matrix: Matrix): Promise<unknown> =>
  JSON.parse(
    JSON.stringify(await analyse(matrix), (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(12)) : value,
    ),
  );

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
    const { judged, ended } = await readAs(teacher, testId);
    let former: Matrix | undefined;
    const held: string[] = [];
    for (const device of devices) {
      former = await loadMatrix(server.pool, judged, await ended(), former);
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

    const matrix = await loadMatrix(server.pool, judged, await ended());
    const reused = await loadMatrix(server.pool, judged, await ended(), former);
    expect(await figuresOf(reused)).toEqual(await figuresOf(matrix));
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

test('after changes only the changed attempts are read, and every figure is as if all were read anew', async () => {
  const teacher = await server.user({ role: ROLE.teacher });
  const questions = keyedQuestions(8);
  const testId = await makeTest(server, teacher, { questions });
  const { attemptIds } = await makeMarkedAttempts(server, testId, questions, 250);
  const { judged, ended } = await readAs(teacher, testId);
  const former = await loadMatrix(server.pool, judged, await ended());

  const [regraded, answeredAnew, removed] = attemptIds;
  await execute(
    server.pool,
    `insert into grades (attempt_id, question_id, operation_id, points, graded_by, graded_at)
     select attempt_id, question_id, operation_id, 0.25, $2, $3 from answers
     where attempt_id = $1 and question_id = $4`,
    [regraded, teacher.userId, server.clock.now, questions[0]?.questionId],
  );
  await execute(
    server.pool,
    `update answers set body = jsonb_set(body, '{optionIds}', '["c", "d"]')
     where attempt_id = $1 and body->>'kind' = 'variant'`,
    [answeredAnew],
  );
  await execute(server.pool, 'update attempts set points = points where id = any($1)', [
    [regraded, answeredAnew],
  ]);
  await execute(server.pool, 'update attempts set deleted_at = now() where id = $1', [removed]);
  const added = await makeMarkedAttempts(server, testId, questions, 3);

  const now = await ended();
  expect(now).toHaveLength(252);
  const query = vi.spyOn(server.pool, 'query');
  const reused = await loadMatrix(server.pool, judged, now, former);
  const calls = query.mock.calls as unknown as [{ name?: string; values?: string[][] }][];
  const read = calls.flatMap(([{ name, values }]) =>
    name === 'statistics-answers' ? (values?.[0] ?? []) : [],
  );
  query.mockRestore();
  expect(read.sort()).toEqual([regraded, answeredAnew, ...added.attemptIds].sort());
  const anew = await loadMatrix(server.pool, judged, now);
  expect(await figuresOf(reused)).toEqual(await figuresOf(anew));
  expect(await figuresOf(reused)).not.toEqual(await figuresOf(former));
  // Texts that nobody answers any more are dropped: they may belong to an erased person.
  const known = (matrix: typeof reused) =>
    matrix.items.map(({ choiceSets }) => [...choiceSets.indexes.keys()].sort());
  expect(known(reused)).toEqual(known(anew));
});

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
  const page = await server.send(
    getStatistics,
    { params: { id: testId }, query: { page: 7, sortOrder: 'points' } },
    { as: teacher },
  );
  const ofPage = queries;
  const { body } = await server.send(
    getAnalysis,
    { params: { id: testId }, query: {} },
    { as: teacher },
  );
  server.pool.off('acquire', count);
  expect(page.body.items).toHaveLength(20);
  expect(page.body.total).toBe(2_000);
  // Sign-in, access, test, due ones, the page; the analysis reads the answers a hundred attempts at a time.
  expect(ofPage).toBeLessThanOrEqual(7);
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
