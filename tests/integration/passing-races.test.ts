import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { one, rows } from '#server/db/query.ts';
import { awaitBlocked, whileLocked } from '#tests/locks.ts';
import { errorOf, makeSchool, makeTest, Q, TestDevice } from '#tests/school.ts';
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

const lockAnswer = (attemptId: string) => (client: PoolClient) =>
  client.query('select 1 from answers where attempt_id = $1 and question_id = $2 for update', [
    attemptId,
    Q.open,
  ]);

describe('answers to one question at the same moment', () => {
  test('the lesser of two that overtake each other is acknowledged as superseded', async () => {
    const { device } = await running();
    await device.answer(text('1'));
    const lesser = device.operation();
    const greater = device.operation();
    const replies: Promise<{ body: { outcome: string } }>[] = [];
    await whileLocked(server.pool, lockAnswer(device.attemptId), async () => {
      replies.push(device.answer(text('greater'), greater));
      await awaitBlocked(server.pool, 1);
      replies.push(device.answer(text('lesser'), lesser));
    });
    const outcomes = (await Promise.all(replies)).map((reply) => reply.body.outcome);
    expect(outcomes).toEqual(['stored', 'superseded']);
    expect((await device.answer(text('lesser'), lesser)).body.outcome).toBe('superseded');
  });

  test('the fast path and the full rules never deadlock', async () => {
    const { device } = await running();
    await device.answer(text('1'));
    const usual = device.operation();
    const long = device.operation({ [HEADER.folded]: '1' });
    const replies: Promise<{ status: number }>[] = [];
    await whileLocked(server.pool, lockAnswer(device.attemptId), async () => {
      replies.push(device.answer(text('usual'), usual));
      await awaitBlocked(server.pool, 1);
      replies.push(device.answer(text('long'), long));
      await awaitBlocked(server.pool, 2);
    });
    expect((await Promise.all(replies)).map((reply) => reply.status)).toEqual([200, 200]);
  });
});

describe('a take-over at the moment of the finish', () => {
  test('comes after it: the attempt is over and its owner unchanged', async () => {
    const { device: phone, testId } = await running();
    const tablet = new TestDevice(server, phone.student);
    const takeOver: Promise<Awaited<ReturnType<TestDevice['start']>>>[] = [];
    await whileLocked(
      server.pool,
      (client) =>
        client.query(`update attempts set ended = 'finished', ended_at = $2 where id = $1`, [
          phone.attemptId,
          server.clock.now,
        ]),
      async () => {
        takeOver.push(tablet.start(testId, { [HEADER.takeOver]: phone.attemptId }));
        await awaitBlocked(server.pool, 1);
      },
    );
    const [reply] = await Promise.all(takeOver);
    expect(reply && errorOf(reply).code).toBe('ATTEMPT_NOT_RUNNING');
    const owner = await one<{ stream: string }>(
      server.pool,
      'select active_stream as stream from attempts where id = $1',
      [phone.attemptId],
    );
    expect(owner?.stream).toBe(phone.stream);
  });

  test('twenty parallel take-overs give the attempt to one stream after the other', async () => {
    const { device: phone, testId } = await running();
    const tablets = Array.from({ length: 20 }, () => new TestDevice(server, phone.student));
    const replies = await Promise.all(
      tablets.map((tablet) => tablet.start(testId, { [HEADER.takeOver]: phone.attemptId })),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
    expect(replies.map((reply) => reply.body.epoch).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 2),
    );
    const last = tablets.find((tablet) => tablet.epoch === 21);
    const finishes = await Promise.all(tablets.map((tablet) => tablet.finish()));
    expect(finishes.filter((reply) => reply.body.outcome === 'stored')).toHaveLength(1);
    const attempt = await one<{ stream: string; ended: string }>(
      server.pool,
      'select active_stream as stream, ended from attempts where id = $1',
      [phone.attemptId],
    );
    expect(attempt).toEqual({ stream: last?.stream, ended: 'finished' });
  });
});

test('one start key for two tests at the same moment starts one of them', async () => {
  const { student, teacher, testId } = await makeSchool(server);
  const other = await makeTest(server, teacher, { students: [student] });
  const key = { [HEADER.idempotencyKey]: server.deps.newId() };
  const replies: Promise<Awaited<ReturnType<TestDevice['start']>>>[] = [];
  await whileLocked(
    server.pool,
    (client) =>
      client.query(
        `insert into start_keys (user_id, key, fingerprint, reply, created_at)
         values ($1, $2, 'another test', '{"code": "TEST_CLOSED"}', $3)`,
        [student.userId, key[HEADER.idempotencyKey], server.clock.now],
      ),
    async () => {
      replies.push(new TestDevice(server, student).start(testId, key));
      await awaitBlocked(server.pool, 1);
    },
  );
  const [reply] = await Promise.all(replies);
  expect(reply && [reply.status, errorOf(reply).code]).toEqual([422, 'OPERATION_REUSED']);
  expect(
    await rows(server.pool, 'select 1 from attempts where test_id = any($1)', [[testId, other]]),
  ).toEqual([]);
});

test('a concurrent answer comes before the finish and counts, or after it and is held', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { device } = await running();
    server.clock.advance(MINUTE);
    const late = device.operation();
    const finish = device.operation({ [HEADER.setAside]: String(device.sequence) });
    const [answered, finished] = await Promise.all([
      device.answer(text('4,9'), late),
      device.finish(finish),
    ]);
    expect(finished.body.outcome).toBe('stored');
    const attempt = await one<{ points: number }>(
      server.pool,
      'select points from attempts where id = $1',
      [device.attemptId],
    );
    expect(attempt?.points).toBe(answered.body.outcome === 'stored' ? 2 : 0);
  }
});
