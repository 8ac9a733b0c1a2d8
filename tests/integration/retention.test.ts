import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ROLE, currentUser } from '#contract/auth.ts';
import type { Question } from '#contract/questions.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import { runHousekeeping, type RetentionOptions } from '#server/housekeeping/job.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import { drawAll } from '#server/passing/draws.ts';
import { makeTest, Q, RIGHT, smallTest, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

const DAY_MS = 86_400_000;
const KEEPING: RetentionOptions = { attemptDays: 100, auditDays: 1_095 };
/** Marked by its key alone. */
const keyed = smallTest.filter(({ questionId }) => questionId === Q.single);

let server: TestServer;
let teacher: TestUser;
beforeAll(async () => {
  server = await testServer();
});
beforeEach(async () => {
  teacher = await server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
});
afterAll(() => server.close());

const round = (keeping = KEEPING) => runHousekeeping(server.deps, keeping);
const later = (days: number) => server.clock.advance(days * DAY_MS);

async function countOf(table: string, condition: string, value: unknown): Promise<number> {
  const text = `select count(*) as count from ${table} where ${condition}`;
  return (await one<{ count: number }>(server.pool, text, [value]))?.count ?? 0;
}

/** A student with a started attempt of a separate test. */
async function started(questions: Question[] = keyed): Promise<TestDevice> {
  const student = await server.user();
  const testId = await makeTest(server, teacher, { questions, students: [student] });
  const device = new TestDevice(server, student);
  expect((await device.start(testId)).status).toBe(200);
  return device;
}

async function finished(questions?: Question[]): Promise<TestDevice> {
  const device = await started(questions);
  expect((await device.answer(RIGHT.single)).status).toBe(200);
  expect((await device.finish()).status).toBe(200);
  return device;
}

const isThere = async ({ attemptId }: TestDevice) =>
  (await countOf('attempts', 'id = $1', attemptId)) === 1;

test('an ended attempt is deleted with its answers, journal and uploads after its time', async () => {
  const device = await finished();
  const uploads = join(server.deps.dataDir, 'uploads');
  const fileId = server.deps.newId();
  await execute(
    server.pool,
    `insert into uploads (id, attempt_id, question_id, name, mime_type, size, sha256, created_at, updated_at)
     values ($1, $2, $3, 'решение.pdf', 'application/pdf', 3, 'x', $4, $4)`,
    [fileId, device.attemptId, Q.file, server.clock.now],
  );
  const young = server.deps.newId();
  await mkdir(uploads, { recursive: true });
  for (const name of [fileId, young, 'README']) await writeFile(join(uploads, name), 'pdf');
  for (const name of [fileId, 'README'])
    await utimes(join(uploads, name), server.clock.now, server.clock.now);

  later(99);
  await round();
  expect(await isThere(device)).toBe(true);
  expect(await readdir(uploads)).toContain(fileId);
  await utimes(join(uploads, young), new Date(), new Date(server.clock.now.getTime() + 2 * DAY_MS));

  later(2);
  expect(await round()).toMatchObject({ attempts: 1, uploads: 1 });
  expect(await isThere(device)).toBe(false);
  for (const table of ['operations', 'answers', 'streams', 'uploads'])
    expect(await countOf(table, 'attempt_id = $1', device.attemptId), table).toBe(0);
  // Neither a running upload nor other files.
  expect((await readdir(uploads)).sort()).toEqual(['README', young].sort());
  expect(await countOf('users', 'id = $1', device.student.userId)).toBe(1);
});

test('without a retention time attempts are retained for ever', async () => {
  const device = await finished();
  later(4_000);
  await round({ ...KEEPING, attemptDays: null });
  expect(await isThere(device)).toBe(true);
});

test('running attempts, held answers and answers that await a grade stay however old they are', async () => {
  const running = await started();
  const ungraded = await started(smallTest);
  const essay = { questionId: Q.essay, kind: 'open', text: 'Мы измерили' } as const;
  expect((await ungraded.answer(essay)).status).toBe(200);
  expect((await ungraded.finish()).status).toBe(200);
  const held = await finished();
  const late = await held.answer(RIGHT.single, held.operation({ 'x-operation-age': 'unknown' }));
  expect(late.body.outcome).toBe('held');

  later(500);
  await execute(server.pool, 'update attempts set deadline = $2 where id = $1', [
    running.attemptId,
    new Date(server.clock.now.getTime() + 60_000),
  ]);
  await round();
  for (const device of [running, ungraded, held]) expect(await isThere(device)).toBe(true);

  await execute(
    server.pool,
    `update operations set decision = 'refused' where attempt_id = $1 and outcome = 'held'`,
    [held.attemptId],
  );
  await execute(server.pool, 'update attempts set deleted_at = $2 where id = $1', [
    ungraded.attemptId,
    server.clock.now,
  ]);
  await round();
  // A deleted attempt waits for no decision, but is retained as long as everything else.
  expect([await isThere(held), await isThere(ungraded)]).toEqual([false, true]);
  later(101);
  await round();
  expect(await isThere(ungraded)).toBe(false);
});

test('an attempt in use at this moment is left for the next round', async () => {
  const [busy, free] = [await finished(), await finished()];
  later(101);
  await transaction(server.pool, async (client) => {
    await client.query('select 1 from attempts where id = $1 for update', [busy.attemptId]);
    await round();
    expect([await isThere(busy), await isThere(free)]).toEqual([true, false]);
  });
  await round();
  expect(await isThere(busy)).toBe(false);
});

test('ended sign-ins, counted failures and replies stored for repeats are deleted; those in use stay', async () => {
  const device = await started();
  const { userId } = device.student;
  const { now } = server.clock;
  await execute(server.pool, 'insert into login_failures (key, drained_at) values ($1, $2)', [
    Buffer.from(userId),
    new Date(now.getTime() + 60_000),
  ]);
  await execute(
    server.pool,
    `insert into import_batches (id, actor_id, digest, reply, created_at)
     values ($1, $2, '', '{}', $3)`,
    [server.deps.newId(), userId, now],
  );
  await execute(
    server.pool,
    `insert into readiness_reports (test_id, user_id, device_id, problems, app_version, reported_at)
     select test_id, user_id, $2, '{}', '1.0.0', $3 from attempts where id = $1`,
    [device.attemptId, server.deps.newId(), now],
  );
  const counts = async () =>
    Promise.all([
      countOf('sessions', 'user_id = $1', userId),
      countOf('start_keys', 'user_id = $1', userId),
      countOf('login_failures', 'key = $1', Buffer.from(userId)),
      countOf('import_batches', 'actor_id = $1', userId),
      countOf('readiness_reports', 'user_id = $1', userId),
    ]);
  await round();
  expect(await counts()).toEqual([1, 1, 1, 1, 1]);
  expect((await server.send(currentUser, {}, { as: device.student })).status).toBe(200);
  later(2);
  await round();
  expect(await counts()).toEqual([1, 1, 0, 0, 1]);
  later(8);
  await round();
  expect(await counts()).toEqual([0, 1, 0, 0, 1]);
  later(90);
  await round();
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
});

test('acts of administrators stay for their stated time', async () => {
  const id = server.deps.newId();
  // Old by the clock of the database, too, which deletes no young ones.
  const at = new Date(Date.now() - 60 * DAY_MS);
  await execute(server.pool, `insert into audit_log (id, at, act) values ($1, $2, 'userBlocked')`, [
    id,
    at,
  ]);
  const days = Math.floor((server.clock.now.getTime() - at.getTime()) / DAY_MS);
  const keeping = { ...KEEPING, auditDays: days + 2 };
  await round(keeping);
  expect(await countOf('audit_log', 'id = $1', id)).toBe(1);
  later(3);
  await round(keeping);
  expect(await countOf('audit_log', 'id = $1', id)).toBe(0);
});

test('versions that no attempt pins are deleted after a term; the newest, its draws and pinned ones stay', async () => {
  const [single] = keyed;
  if (!single) throw new Error('no question');
  const alternatives = ['a', 'b'].map((letter, index) => ({
    ...single,
    questionId: `00000000-0000-4000-8000-0000000000${index}${letter}`,
    variantOf: '00000000-0000-4000-8000-000000000099',
  }));
  const student = await server.user();
  const testId = await makeTest(server, teacher, { questions: alternatives, students: [student] });
  const newest = await one<{ id: string }>(
    server.pool,
    'select content_id as id from tests where id = $1',
    [testId],
  );
  if (!newest) throw new Error('no content');
  await transaction(server.pool, (client) => drawAll(client, server.deps, newest.id));
  const device = new TestDevice(server, student);
  expect((await device.start(testId)).status).toBe(200);
  expect(await countOf('test_contents', 'test_id = $1', testId)).toBe(3);

  // Edited: the old version and its unused draw are obsolete, the draw in use is not.
  const edited = server.deps.newId();
  await execute(
    server.pool,
    `insert into test_contents (id, test_id, questions, max_points, created_at)
     select $2, test_id, questions, max_points, $3 from test_contents where id = $1`,
    [newest.id, edited, server.clock.now],
  );
  await execute(server.pool, 'update tests set content_id = $2, updated_at = $3 where id = $1', [
    testId,
    edited,
    server.clock.now,
  ]);
  later(89);
  await round();
  expect(await countOf('test_contents', 'test_id = $1', testId)).toBe(4);
  later(2);
  await round();
  // The version of a pinned draw stays with it.
  expect(await countOf('test_contents', 'test_id = $1', testId)).toBe(3);
  await closeDueAttempts(server.pool, server.clock.now);
  later(11);
  await round();
  expect(await countOf('test_contents', 'test_id = $1', testId)).toBe(1);
});
