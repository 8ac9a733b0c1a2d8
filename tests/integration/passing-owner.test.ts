import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { listHeld } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import type { Receipt } from '#contract/passing.ts';
import { one, rows } from '#server/db/query.ts';
import { answerEffects } from '#server/passing/answer.ts';
import { findAttempt } from '#server/passing/attempt.ts';
import { createFastAnswer } from '#server/passing/fast-answer.ts';
import { parseAnswer } from '#server/passing/incoming.ts';
import { receive } from '#server/passing/operation.ts';
import { makeSchool, makeTest, Q, RIGHT, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });

async function running() {
  const school = await makeSchool(server);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

/** As if a backup from before the attempt had been restored; the process has nothing cached either. */
async function forget(device: TestDevice) {
  await server.pool.query('delete from start_keys where reply ->> $1 = $2', [
    'attemptId',
    device.attemptId,
  ]);
  await server.pool.query('delete from attempts where id = $1', [device.attemptId]);
  server.deps.state.epoch += 1;
  // The cached attempt is dropped by the first call that does not find it.
  await device.answer(text('после возврата'));
}

const withReceipt = (headers: Record<string, string>, receipt: Receipt, age = 0) => ({
  ...headers,
  [HEADER.age]: String(age),
  [HEADER.receipt]: JSON.stringify(receipt),
});

const strays = () =>
  rows<{ id: string; userId: string }>(
    server.pool,
    'select id, user_id as "userId" from stray_operations',
  );

describe('the receipt of another person or another attempt proves nothing', () => {
  test("a classmate's receipt recreates no attempt, neither theirs nor mine", async () => {
    const { device } = await running();
    const headers = device.operation();
    const { body: receipt } = await device.answer(text('4,9'), headers);
    await forget(device);
    const thief = new TestDevice(server, await server.user());
    thief.attemptId = device.attemptId;
    const reply = await thief.answer(text('4,9'), withReceipt(headers, receipt));
    expect(reply.body.outcome).toBe('held');
    expect(await findAttempt(server.pool, device.attemptId)).toBeNull();
  });

  test("a classmate's receipt does not put their answer into my attempt", async () => {
    const { student, teacher } = await makeSchool(server);
    const classmate = await server.user();
    const testId = await makeTest(server, teacher, { students: [student, classmate] });
    const device = new TestDevice(server, student);
    await device.start(testId);
    const headers = device.operation();
    const { body: receipt } = await device.answer(text('4,9'), headers);
    const other = new TestDevice(server, classmate);
    await other.start(testId);
    server.clock.advance(24 * 60 * MINUTE);
    const late = await other.answer(text('4,9'), withReceipt(headers, receipt));
    expect(late.body).toMatchObject({ outcome: 'held', receivedLate: true });
  });

  test('the receipt of my longer attempt extends no other and makes nothing in it timely', async () => {
    const school = await makeSchool(server);
    const short = new TestDevice(server, school.student);
    await short.start(school.testId);
    const students = [school.student];
    const longTest = await makeTest(server, school.teacher, { students, passMinutes: 600 });
    const long = new TestDevice(server, school.student);
    await long.start(longTest);
    const headers = long.operation();
    const { body: receipt } = await long.answer(text('4,9'), headers);
    const before = await findAttempt(server.pool, short.attemptId);
    server.clock.advance(300 * MINUTE);
    const reply = await short.answer(text('4,9'), withReceipt(headers, receipt));
    expect(reply.body.outcome).toBe('held');
    const after = await findAttempt(server.pool, short.attemptId);
    expect(after?.deadline).toEqual(before?.deadline);
  });

  test('the receipt of one operation proves no other of the same body', async () => {
    const { device } = await running();
    const first = device.operation();
    const { body: receipt } = await device.answer(text('4,9'), first);
    server.clock.advance(300 * MINUTE);
    const second = await device.answer(text('4,9'), withReceipt(device.operation(), receipt));
    expect(second.body.outcome).toBe('held');
  });
});

describe('the owner of the attempt', () => {
  const arriving = (device: TestDevice) =>
    parseAnswer(
      { [HEADER.age]: 0, [HEADER.stream]: device.stream, [HEADER.sequence]: 1 },
      text('чужой'),
      null,
      server.deps.newId,
      server.clock.now,
    );
  const entered = (attemptId: string) =>
    rows(server.pool, 'select 1 from operations where attempt_id = $1', [attemptId]);

  test('is checked by the fast path itself', async () => {
    const { device } = await running();
    const stranger = await server.user();
    const facts = await findAttempt(server.pool, device.attemptId);
    if (!facts) throw new Error('the attempt is there');
    const fastAnswer = createFastAnswer(server.deps);
    expect(await fastAnswer(facts, stranger.userId, arriving(device))).toBeNull();
    expect(await entered(device.attemptId)).toEqual([]);
  });

  test.each(['share', 'update'] as const)('is checked by the full rules (%s)', async (strength) => {
    const { device } = await running();
    const stranger = await server.user();
    const sender = { attemptId: device.attemptId, userId: stranger.userId };
    const verdict = await receive(server.deps, sender, arriving(device), answerEffects, strength);
    expect(verdict).toMatchObject({ kind: 'refused', code: 'NOT_FOUND' });
    expect(await entered(device.attemptId)).toEqual([]);
  });
});

describe('operations of an unknown attempt', () => {
  test('are not found and not stored where no backup was restored', async () => {
    const { device } = await running();
    const epoch = server.deps.state.epoch;
    server.deps.state.epoch = 1;
    const before = await strays();
    device.attemptId = server.deps.newId();
    const replies = [await device.answer(RIGHT.single), await device.finish()];
    server.deps.state.epoch = epoch;
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    expect(await strays()).toEqual(before);
  });

  test('join the attempt when its proof arrives while they are about to be stored', async () => {
    const { device, teacher } = await running();
    const headers = device.operation();
    const { body: receipt } = await device.answer(text('4,9'), headers);
    await forget(device);
    const unproven = device.operation();
    const restore = between(server.pool, () =>
      device.answer(text('4,9'), withReceipt(headers, receipt)),
    );
    const reply = await device.answer(RIGHT.several, unproven);
    restore();
    expect(reply.status).toBe(200);
    const stored = await one(
      server.pool,
      'select outcome from operations where attempt_id = $1 and id = $2',
      [device.attemptId, reply.body.operationId],
    );
    expect(stored).toEqual({ outcome: reply.body.outcome });
    const unseen = await rows(server.pool, 'select 1 from stray_operations where attempt_id = $1', [
      device.attemptId,
    ]);
    expect(unseen).toEqual([]);
    const held = await server.send(
      listHeld,
      { params: { attemptId: device.attemptId } },
      { as: teacher },
    );
    expect(held.status).toBe(200);
  });
});

/** Runs something between a call's reads and its first transaction. */
function between(pool: Pool, happens: () => Promise<unknown>): () => void {
  const connect = pool.connect.bind(pool) as (done?: unknown) => unknown;
  let hasHappened = false;
  const waiting = (done?: unknown) => {
    if (done !== undefined || hasHappened) return connect(done);
    hasHappened = true;
    return happens().then(() => connect());
  };
  Object.assign(pool, { connect: waiting });
  return () => Object.assign(pool, { connect });
}
