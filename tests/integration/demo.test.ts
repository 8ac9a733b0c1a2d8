import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from '#contract/auth.ts';
import { getFile } from '#contract/files.ts';
import { startAttempt, saveAnswer } from '#contract/passing.ts';
import { getResult } from '#contract/results.ts';
import { listMyTests } from '#contract/tests.ts';
import { demoPeople, demoStudents } from '#server/demo/people.ts';
import { demoPlan } from '#server/demo/plan.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { attemptId } from '#server/demo/seed-attempts.ts';
import { testId } from '#server/demo/seed-tests.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { type TestServer, testServer } from '#tests/server.ts';

const DAY = 86_400_000;
const password = 'Demo2026';

let server: TestServer;
const plant = () =>
  seedDemo(server.pool, { now: server.clock.now, password, dataDir: server.deps.dataDir });

beforeAll(async () => {
  server = await testServer();
  server.clock.now = new Date('2026-11-20T11:00:00.000Z');
  await plant();
});
afterAll(() => server.close());

async function signIn(email: string) {
  const answered = await server.send(login, { body: { email, password } });
  expect(answered.status).toBe(200);
  return answered.body.token;
}

test('every account of the demo can sign in', async () => {
  const answers = await Promise.all(
    demoPeople.map(({ email }) => server.send(login, { body: { email, password } })),
  );
  expect(answers.map(({ status }) => status)).toEqual(demoPeople.map(() => 200));
});

test('each student has at least two assigned tests open with attempts left', async () => {
  for (const { email } of demoStudents) {
    const mine = await server.send(listMyTests, {}, { as: await signIn(email) });
    const open = mine.body.items.filter(({ status }) => status === 'available');
    expect(open.length, email).toBeGreaterThanOrEqual(2);
  }
});

test('marks of planted attempts are those that the rules give, and each is logged', async () => {
  const wrong = await rows(
    server.pool,
    `select a.id from attempts a
      where a.ended is not null and (a.points is null or a.points <> (
        select c.new_points from score_changes c where c.attempt_id = a.id order by c.id desc limit 1))`,
  );
  expect(wrong).toEqual([]);
  const scores = await one<{ best: number; worst: number }>(
    server.pool,
    'select max(points) as best, min(points) as worst from attempts where ended is not null',
  );
  expect(scores?.best).toBeGreaterThan(scores?.worst ?? 0);
});

test('a teacher opens a result and the file that was handed in', async () => {
  const planned = demoPlan(server.clock.now).attempts.find(
    ({ testKey, files }) => testKey === 'informatics' && files.length > 0,
  );
  if (!planned) throw new Error('no attempt with a file is planned');
  const as = await signIn('teacher@demo.ru');
  const result = await server.send(
    getResult,
    { params: { attemptId: attemptId(planned) } },
    { as },
  );
  expect(result.status).toBe(200);
  expect(result.body.score).not.toBeNull();
  const fileId = planned.files[0]?.fileId ?? '';
  expect(existsSync(join(server.deps.dataDir, 'uploads', fileId))).toBe(true);
  const file = await server.send(getFile, { query: { path: fileId } }, { as });
  expect(file.body.item2).toBe('image/png');
});

test("the student's running attempt continues without a take-over and shows its pictures", async () => {
  const as = await signIn('student@demo.ru');
  const id = testId('english');
  const started = await server.send(startAttempt, { params: { id } }, { as });
  expect(started.status).toBe(200);
  const question = started.body.questions.find(({ kind }) => kind === 'open');
  const key = /file:([0-9a-f-]{36})/.exec(JSON.stringify(started.body.questions))?.[1] ?? '';
  expect((await server.send(getFile, { query: { path: key } }, { as })).body.item2).toBe(
    'image/png',
  );
  const saved = await server.send(
    saveAnswer,
    {
      params: { id: started.body.userTestId },
      body: { questionId: question?.questionId ?? '', kind: 'open', text: 'has been' },
    },
    { as },
  );
  expect(saved.body).toMatchObject({ outcome: 'stored' });
});

test('a later start moves the plan to its day and leaves what people did', async () => {
  const before = await dates('informatics');
  server.clock.advance(30 * DAY);
  await plant();
  await plant();
  const after = await dates('informatics');
  expect(after.test?.end_time.getTime()).toBe((before.test?.end_time.getTime() ?? 0) + 30 * DAY);
  expect(after.attempts).toHaveLength(before.attempts.length);
  expect(after.attempts[0]?.started_at.getTime()).toBe(
    (before.attempts[0]?.started_at.getTime() ?? 0) + 30 * DAY,
  );
  const stored = await rows<{ text: string }>(
    server.pool,
    `select a.body ->> 'text' as text from answers a join attempts t on t.id = a.attempt_id
      where t.test_id = $1 and a.body ->> 'text' = 'has been'`,
    [testId('english')],
  );
  expect(stored).toHaveLength(1);
  const opening = await one<{ fits: boolean }>(
    server.pool,
    'select bool_and(t.start_time <= a.started_at) as fits from attempts a join tests t on t.id = a.test_id',
  );
  expect(opening?.fits).toBe(true);
  expect(
    (await server.send(listMyTests, {}, { as: await signIn('student01@demo.ru') })).status,
  ).toBe(200);
});

test('a grade given by a person survives later starts', async () => {
  const planned = demoPlan(server.clock.now).attempts.find(
    ({ testKey, grades, finishedAt }) => testKey === 'history' && finishedAt && grades.length === 0,
  );
  if (!planned) throw new Error('no ungraded attempt is planned');
  const id = attemptId(planned);
  await execute(
    server.pool,
    `insert into grades (attempt_id, question_id, points, graded_by, graded_at)
     select $1, $1, 1, user_id, $2 from attempts where id = $1`,
    [id, server.clock.now],
  );
  server.clock.advance(2 * DAY);
  await plant();
  const grades = await rows(server.pool, 'select 1 from grades where attempt_id = $1', [id]);
  expect(grades).toHaveLength(1);
});

test('the demo is never planted into a database in use', async () => {
  const other = await testServer();
  try {
    await other.user();
    const planting = seedDemo(other.pool, {
      now: other.clock.now,
      password,
      dataDir: other.deps.dataDir,
    });
    await expect(planting).rejects.toThrow('не демонстрационная');
  } finally {
    await other.close();
  }
});

async function dates(key: string) {
  return {
    test: await one<{ end_time: Date }>(server.pool, 'select end_time from tests where id = $1', [
      testId(key),
    ]),
    attempts: await rows<{ started_at: Date }>(
      server.pool,
      `select started_at from attempts where test_id = $1 and ended = 'finished' order by started_at, id`,
      [testId(key)],
    ),
  };
}
