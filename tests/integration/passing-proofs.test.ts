import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { addTime, decideHeld, listHeld } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers, type Receipt } from '#contract/passing.ts';
import { one, rows } from '#server/db/query.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import {
  errorOf,
  makeSchool,
  makeTest,
  Q,
  RIGHT,
  TestDevice,
  type PlannedTest,
  type School,
} from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const HIDDEN = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
const PLAN = { passMinutes: 10, windowMinutes: 15, visibility: HIDDEN };
const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });
const age = (ms: number) => ({ [HEADER.age]: String(ms) });
const proof = (receipt: Receipt) => ({ [HEADER.receipt]: JSON.stringify(receipt) });

async function running(plan: PlannedTest = {}) {
  const school = await makeSchool(server, { ...PLAN, ...plan });
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

const attemptOf = ({ attemptId }: TestDevice) =>
  one(server.pool, 'select * from attempts where id = $1', [attemptId]);

const journalOf = ({ attemptId }: TestDevice) =>
  rows<{ id: string; outcome: string }>(
    server.pool,
    'select id, outcome from operations where attempt_id = $1 order by ordinal',
    [attemptId],
  );

async function saved(device: TestDevice) {
  const params = { id: device.attemptId };
  return (await server.send(getSavedAnswers, { params }, { as: device.student })).body;
}

const heldOf = async ({ teacher }: School, { attemptId }: TestDevice) =>
  (await server.send(listHeld, { params: { attemptId } }, { as: teacher })).body.items;

/** The backup knows nothing of the attempt. */
async function forgetAttempt({ attemptId }: TestDevice) {
  await server.pool.query(`delete from start_keys where reply ->> 'attemptId' = $1`, [attemptId]);
  await server.pool.query('delete from attempts where id = $1', [attemptId]);
  server.deps.state.epoch += 1;
}

/** The backup knows the attempt, and nothing that was sent for it. */
async function forgetOperations({ attemptId }: TestDevice) {
  await server.pool.query('delete from answers where attempt_id = $1', [attemptId]);
  await server.pool.query('delete from operations where attempt_id = $1', [attemptId]);
  server.deps.state.epoch += 1;
}

async function reopen({ attemptId }: TestDevice) {
  await server.pool.query(
    `update attempts set ended = null, ended_at = null, finish_operation = null, points = null,
       points_without_late = null, graded_max = null where id = $1`,
    [attemptId],
  );
}

describe('a recreated attempt', () => {
  test('is as it was: its number, its times, its stream, its content', async () => {
    const { device, testId } = await running({ attemptsCount: 3 });
    await device.finish();
    const first = device.attemptId;
    await device.start(testId);
    const headers = device.operation({ [HEADER.sequence]: '1' });
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    const before = await attemptOf(device);
    await forgetAttempt(device);
    await server.pool.query('delete from attempts where id = $1', [first]);
    server.clock.advance(MINUTE);
    await device.answer(RIGHT.single, { ...headers, ...proof(receipt) });
    expect(await attemptOf(device)).toEqual({ ...before, recovered_at: server.clock.now });
  });

  test('gets the next number where its own was assigned to another meanwhile', async () => {
    const { device, student, testId } = await running({ attemptsCount: 3 });
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    await forgetAttempt(device);
    const other = new TestDevice(server, student);
    await other.start(testId);
    await device.answer(RIGHT.single, { ...headers, ...proof(receipt) });
    expect(await attemptOf(other)).toMatchObject({ number: 1 });
    expect(await attemptOf(device)).toMatchObject({ number: 2 });
  });

  test('has the key that was corrected since', async () => {
    const { device } = await running();
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    const corrected = server.deps.newId();
    const contentId = (await attemptOf(device))?.['content_id'];
    await server.pool.query(
      `insert into test_contents
       select (jsonb_populate_record(c, jsonb_build_object('id', $2::text))).* from test_contents c where id = $1`,
      [contentId, corrected],
    );
    await server.pool.query('update test_contents set corrected_to = $2 where id = $1', [
      contentId,
      corrected,
    ]);
    await forgetAttempt(device);
    await device.answer(RIGHT.single, { ...headers, ...proof(receipt) });
    expect(await attemptOf(device)).toMatchObject({ content_id: corrected });
  });

  test("is joined only by its own student's unproven operations, even two of one sequence", async () => {
    const school = await running();
    const { device } = school;
    const headers = device.operation();
    const { body: receipt } = await device.answer(text('4,9'), headers);
    await forgetAttempt(device);
    const own = [await device.answer(RIGHT.several, device.operation())];
    server.clock.advance(1);
    own.push(await device.answer(RIGHT.matching, device.operation({ [HEADER.sequence]: '2' })));
    // The database holds the rows in another order.
    await server.pool.query(
      `with first as (delete from stray_operations where id = $1 returning *)
       insert into stray_operations select * from first`,
      [own[0]?.body.operationId],
    );
    const stranger = new TestDevice(server, await server.user());
    stranger.attemptId = device.attemptId;
    const foreign = await stranger.answer(RIGHT.single);
    expect(foreign.body.outcome).toBe('held');
    await device.answer(text('4,9'), { ...headers, ...proof(receipt) });
    const ids = (await heldOf(school, device)).map(({ operationId }) => operationId);
    expect(ids.toSorted()).toEqual(own.map(({ body }) => body.operationId).toSorted());
    // In the stream that they name; the one received second of one sequence is ordered by its receipt alone.
    const places = await rows<{ sequence: number | null }>(
      server.pool,
      `select id, stream, epoch, sequence, age_ms from operations
       where attempt_id = $1 and outcome = 'held' order by sequence nulls last`,
      [device.attemptId],
    );
    const place = { stream: device.stream, epoch: device.epoch, age_ms: 0 };
    expect(places).toMatchObject([
      { ...place, id: own[0]?.body.operationId, sequence: 2 },
      { ...place, id: own[1]?.body.operationId, sequence: null },
    ]);
  });
});

test('an attempt ends with its window, whether a reader closes it or the job', async () => {
  const close = [
    (device: TestDevice) => saved(device),
    () => closeDueAttempts(server.pool, server.clock.now),
  ];
  for (const run of close) {
    const { device } = await running();
    const endsAt = new Date(server.clock.now.getTime() + 25 * MINUTE);
    server.clock.advance(60 * MINUTE);
    await run(device);
    expect(await attemptOf(device)).toMatchObject({ ended: 'closed', ended_at: endsAt });
  }
});

describe('a genuine receipt', () => {
  test('of another student recreates nothing, also where no attempt is remembered', async () => {
    const { device } = await running();
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    await forgetAttempt(device);
    // The server forgets the attempt with this: before, it would refuse a stranger by memory.
    await device.answer(RIGHT.several, device.operation());
    const thief = new TestDevice(server, await server.user());
    thief.attemptId = device.attemptId;
    const stolen = await thief.answer(RIGHT.single, { ...headers, ...proof(receipt) });
    expect(stolen.body).toMatchObject({ outcome: 'held', receivedLate: true });
    expect(await attemptOf(device)).toBeNull();
  });

  test('of another attempt of the same student changes neither deadline nor journal', async () => {
    const { device: longer, student, teacher } = await running({ passMinutes: 60 });
    const headers = longer.operation();
    const { body: receipt } = await longer.answer(RIGHT.single, headers);
    const testId = await makeTest(server, teacher, { ...PLAN, students: [student] });
    const device = new TestDevice(server, student);
    await device.start(testId);
    const before = await attemptOf(device);
    server.clock.advance(MINUTE);
    await device.answer(RIGHT.single, {
      ...headers,
      [HEADER.stream]: device.stream,
      ...proof(receipt),
    });
    expect(await attemptOf(device)).toMatchObject({
      deadline: before?.['deadline'],
      active_epoch: before?.['active_epoch'],
    });
    const received = await rows(
      server.pool,
      'select received_at, stream from operations where attempt_id = $1',
      [device.attemptId],
    );
    expect(received).toEqual([{ received_at: server.clock.now, stream: device.stream }]);
  });
});

describe('what is stored without a proof', () => {
  test('returns its first receipt on repeats', async () => {
    const { device } = await running();
    await forgetAttempt(device);
    const headers = device.operation();
    const first = await device.answer(RIGHT.single, headers);
    server.clock.advance(5 * MINUTE);
    expect((await device.answer(RIGHT.single, headers)).text).toBe(first.text);
  });

  test('is no body that could never be accepted', async () => {
    const { device } = await running();
    await forgetAttempt(device);
    const reply = await device.answer({ questionId: Q.open, kind: 'nonsense' } as never);
    expect(reply.status).toBe(422);
    const stored = await rows(server.pool, 'select 1 from stray_operations where attempt_id = $1', [
      device.attemptId,
    ]);
    expect(stored).toEqual([]);
  });
});

describe('a deadline after a restore', () => {
  test('is never moved back by a receipt from before minutes were added', async () => {
    const { device, teacher } = await running();
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    const params = { attemptId: device.attemptId };
    await server.send(addTime, { params, body: { minutes: 30 } }, { as: teacher });
    const before = await attemptOf(device);
    await forgetOperations(device);
    await device.answer(RIGHT.single, { ...headers, ...proof(receipt) });
    expect(await attemptOf(device)).toMatchObject({ deadline: before?.['deadline'] });
  });

  test('does not open a finished attempt again', async () => {
    const { device } = await running();
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    await device.finish();
    await server.pool.query(
      `update attempts set deadline = deadline - interval '5 minutes' where id = $1`,
      [device.attemptId],
    );
    await device.answer(RIGHT.single, { ...headers, ...proof(receipt) });
    expect(await attemptOf(device)).toMatchObject({ ended: 'finished' });
  });
});

describe('an operation that is known already', () => {
  /** It arrived after the window without its receipt, so that it is held; the receipt says `stored`. */
  async function heldCopy(answer: Answer = RIGHT.single) {
    const school = await running();
    const { device } = school;
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    await forgetOperations(device);
    server.clock.advance(60 * MINUTE);
    expect((await device.answer(answer, headers)).body.outcome).toBe('held');
    const prove = () => device.answer(RIGHT.single, { ...headers, ...proof(receipt) });
    return { ...school, receipt, prove };
  }

  test('becomes what its receipt says, and counts; its neighbours in the journal stay', async () => {
    const { device, prove } = await heldCopy();
    const { body: neighbour } = await device.answer(text('позже'));
    expect((await prove()).body).toMatchObject({ outcome: 'stored', receivedLate: false });
    expect(await attemptOf(device)).toMatchObject({ ended: 'closed', points: 1 });
    expect(await journalOf(device)).toMatchObject([
      { id: neighbour.operationId, outcome: 'held' },
      { outcome: 'stored' },
    ]);
  });

  test('stays as the teacher decided', async () => {
    const { device, teacher, receipt, prove } = await heldCopy();
    const params = { attemptId: device.attemptId };
    const body = { operationIds: [receipt.operationId], decision: 'refused' as const };
    await server.send(decideHeld, { params, body }, { as: teacher });
    expect((await prove()).body.outcome).toBe('held');
    expect(await attemptOf(device)).toMatchObject({ points: 0 });
  });

  test('with another body stays', async () => {
    const { device, prove } = await heldCopy({ ...RIGHT.single, optionIds: ['a'] });
    expect(errorOf(await prove()).code).toBe('OPERATION_REUSED');
    expect(await journalOf(device)).toMatchObject([{ outcome: 'held' }]);
  });

  test('is not reverted by an older receipt that says less', async () => {
    const { device } = await running();
    server.clock.advance(15 * MINUTE);
    const headers = device.operation(age(0));
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    expect(receipt.outcome).toBe('held');
    await device.answer(RIGHT.single, { ...headers, ...age(6 * MINUTE) });
    const again = await device.answer(RIGHT.single, { ...headers, ...proof(receipt) });
    expect(again.body.outcome).toBe('stored');
    expect((await saved(device)).variantAnswers).toHaveLength(1);
  });
});

describe('an answer with a held receipt', () => {
  test('is held again and counts nothing; after a visible result it is marked so', async () => {
    const school = await running({ visibility: { ...HIDDEN, points: 'atOnce' } });
    const { device } = school;
    await device.finish();
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    expect(receipt.outcome).toBe('held');
    await server.pool.query('delete from operations where id = $1', [receipt.operationId]);
    const again = await device.answer(RIGHT.single, { ...headers, ...proof(receipt) });
    expect(again.body.outcome).toBe('held');
    expect(await attemptOf(device)).toMatchObject({ points: 0 });
    expect(await heldOf(school, device)).toMatchObject([{ afterResult: true }]);
  });
});

describe('a finish with its receipt', () => {
  test('ends an attempt at the time the receipt says', async () => {
    const { device } = await running();
    await device.answer(RIGHT.single);
    const headers = device.operation();
    const { body: receipt } = await device.finish(headers);
    const before = await attemptOf(device);
    await server.pool.query('delete from operations where id = $1', [receipt.operationId]);
    await reopen(device);
    server.clock.advance(5 * MINUTE);
    await device.finish({ ...headers, ...proof(receipt) });
    expect(await attemptOf(device)).toEqual(before);
  });

  test('that was superseded ends nothing', async () => {
    const { device, student, testId } = await running();
    const tablet = new TestDevice(server, student);
    await tablet.start(testId, { [HEADER.takeOver]: device.attemptId });
    const headers = device.operation();
    const { body: receipt } = await device.finish(headers);
    expect(receipt.outcome).toBe('superseded');
    await forgetOperations(device);
    await device.finish({ ...headers, ...proof(receipt) });
    expect(await attemptOf(device)).toMatchObject({ ended: null });
  });

  test('that arrived first from a stream lost by the backup ends the attempt all the same', async () => {
    const { device, student, testId } = await running();
    const tablet = new TestDevice(server, student);
    await tablet.start(testId, { [HEADER.takeOver]: device.attemptId });
    const headers = tablet.operation();
    const { body: receipt } = await tablet.finish(headers);
    await forgetOperations(device);
    await reopen(device);
    await server.pool.query('delete from streams where attempt_id = $1 and id = $2', [
      device.attemptId,
      tablet.stream,
    ]);
    await server.pool.query(
      'update attempts set active_stream = $2, active_epoch = 1 where id = $1',
      [device.attemptId, device.stream],
    );
    expect((await tablet.finish(headers)).body.outcome).toBe('superseded');
    const proven = await tablet.finish({ ...headers, ...proof(receipt) });
    expect(proven.body.outcome).toBe('stored');
    expect(await attemptOf(device)).toMatchObject({ ended: 'finished' });
  });

  test('beside another one that ended the attempt before changes nothing', async () => {
    const { device } = await running();
    await device.finish();
    const before = await attemptOf(device);
    server.clock.advance(MINUTE);
    const headers = device.operation();
    const { body: receipt } = await device.finish(headers);
    await server.pool.query('delete from operations where id = $1', [receipt.operationId]);
    const again = await device.finish({ ...headers, ...proof(receipt) });
    expect(again.body.outcome).toBe('stored');
    expect(await attemptOf(device)).toEqual(before);
  });

  test('that arrived after the close leaves the attempt closed', async () => {
    const { device, testId } = await running();
    server.clock.advance(40 * MINUTE);
    await closeDueAttempts(server.pool, server.clock.now, testId);
    const headers = device.operation();
    const { body: receipt } = await device.finish(headers);
    expect(receipt.outcome).toBe('stored');
    await forgetOperations(device);
    await device.finish({ ...headers, ...proof(receipt) });
    expect(await attemptOf(device)).toMatchObject({ ended: 'closed' });
  });

  test('within minutes lost by the backup ends an attempt that was closed meanwhile', async () => {
    const { device, teacher, testId } = await running({
      visibility: { ...HIDDEN, points: 'atOnce' },
    });
    const old = await attemptOf(device);
    const params = { attemptId: device.attemptId };
    await server.send(addTime, { params, body: { minutes: 60 } }, { as: teacher });
    server.clock.advance(50 * MINUTE);
    const headers = device.operation();
    const { body: receipt } = await device.finish(headers);
    await forgetOperations(device);
    await reopen(device);
    await server.pool.query('update attempts set deadline = $2 where id = $1', [
      device.attemptId,
      old?.['deadline'],
    ]);
    await closeDueAttempts(server.pool, server.clock.now, testId);
    expect(await attemptOf(device)).toMatchObject({ ended: 'closed' });
    await device.finish({ ...headers, ...proof(receipt) });
    expect(await attemptOf(device)).toMatchObject({ ended: 'finished' });
  });
});
