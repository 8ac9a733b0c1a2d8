import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { saveAnswer } from '#contract/passing.ts';
import { getResult } from '#contract/results.ts';
import { rows } from '#server/db/query.ts';
import { closeAttempts } from '#server/passing/close.ts';
import { errorOf, makeSchool, Q, RIGHT, TestDevice, type PlannedTest } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;

async function running(plan: PlannedTest = {}) {
  const school = await makeSchool(server, plan);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

const journalOf = (device: TestDevice) =>
  rows(
    server.pool,
    `select kind, sequence, outcome, refusal, after_result, received_late from operations
     where attempt_id = $1 order by ordinal`,
    [device.attemptId],
  );

const closesOf = (device: TestDevice) =>
  rows(
    server.pool,
    `select new_points as points from score_changes where attempt_id = $1 and reason = 'closed'`,
    [device.attemptId],
  );

/** Sends any body as an answer. */
const post = (device: TestDevice, body: unknown, headers = device.operation()) =>
  server.send(
    saveAnswer,
    { params: { id: device.attemptId }, body: body as Answer },
    { as: device.student, headers },
  );

describe('an answer that fits no question', () => {
  const misfit = { questionId: Q.open, kind: 'variant', optionIds: ['a'] };

  test('is journalled as refused, neither late nor after a result', async () => {
    const { device } = await running();
    expect((await post(device, misfit)).status).toBe(422);
    expect(await journalOf(device)).toEqual([
      {
        kind: 'answer',
        sequence: 1,
        outcome: 'refused',
        refusal: 'INVALID_ANSWER',
        after_result: false,
        received_late: false,
      },
    ]);
  });

  test('gets the same refusal again, without a deadline', async () => {
    const { device } = await running();
    const headers = device.operation();
    await post(device, misfit, headers);
    const repeat = await post(device, misfit, headers);
    expect(repeat.status).toBe(422);
    expect(errorOf(repeat).code).toBe('INVALID_ANSWER');
    expect(errorOf(repeat).details ?? {}).not.toHaveProperty('deadline');
    expect(await journalOf(device)).toHaveLength(1);
  });

  test('is not journalled without a sequence, which it would not consume', async () => {
    const { device } = await running();
    const reply = await post(device, misfit, device.operation({ [HEADER.sequence]: '' }));
    expect(reply.status).toBe(422);
    expect(await journalOf(device)).toEqual([]);
  });
});

test('a repeat under its own sequence uses no other one', async () => {
  const { device } = await running();
  const headers = device.operation();
  await device.answer(RIGHT.single, headers);
  await device.answer(RIGHT.single, headers);
  // The fast path accepts a repeat of the last answer, but not one with folded sequences.
  await device.answer(RIGHT.single, { ...headers, [HEADER.folded]: '9' });
  const spares = await rows<{ sequence: number; reason: string }>(
    server.pool,
    'select sequence, reason from spare_sequences where attempt_id = $1',
    [device.attemptId],
  );
  expect(spares.filter(({ reason }) => reason === 'renumbered')).toEqual([]);
});

test('an operation that the database cannot store is tried once and answered as a failure', async () => {
  const { device } = await running();
  await server.pool.query(
    `create function refuse_journal() returns trigger language plpgsql as
     $$ begin raise exception 'no more room'; end $$`,
  );
  await server.pool.query(
    `create trigger refuse_journal before insert on operations for each row
     when (new.attempt_id = '${device.attemptId}') execute function refuse_journal()`,
  );
  try {
    expect((await device.finish()).status).toBe(500);
    expect((await device.answer(RIGHT.single)).status).toBe(500);
  } finally {
    await server.pool.query('drop trigger refuse_journal on operations');
  }
  expect((await device.answer(RIGHT.single)).status).toBe(200);
});

describe('closing', () => {
  test('happens once, however many read a due attempt at once', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 0 });
    await device.answer(RIGHT.single);
    server.clock.advance(12 * MINUTE);
    const read = () =>
      server.send(getResult, { params: { attemptId: device.attemptId } }, { as: device.student });
    const replies = await Promise.all([read(), read(), read(), read(), read(), read()]);
    expect(replies.map(({ body }) => body.score)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await closesOf(device)).toEqual([{ points: 1 }]);
  });

  test('leaves an attempt that is over as it is, alone or with a class', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 0 });
    await device.answer(RIGHT.single);
    await device.finish();
    const due = await running({ passMinutes: 10, windowMinutes: 0 });
    server.clock.advance(30 * MINUTE);
    const ids = [device.attemptId, due.device.attemptId];
    expect(await closeAttempts(server.pool, ids, server.clock.now)).toBe(1);
    expect(await closeAttempts(server.pool, ids, server.clock.now)).toBe(0);
    expect(await closesOf(device)).toEqual([]);
    expect(await closesOf(due.device)).toEqual([{ points: 0 }]);
  });
});
