import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { addTime, decideHeld } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import { one } from '#server/db/query.ts';
import { findAttempt } from '#server/passing/attempt.ts';
import { closeAttempts, closeDueAttempts } from '#server/passing/close.ts';
import { errorOf, makeSchool, Q, RIGHT, TestDevice, type PlannedTest } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });
const NO_SEQUENCE = { [HEADER.sequence]: '' };
const NO_STREAM = { ...NO_SEQUENCE, [HEADER.stream]: '', [HEADER.epoch]: '' };
const age = (ms: number) => ({ [HEADER.age]: String(ms) });
/** Forces the full rules: the fast path folds nothing. */
const FOLDS = { [HEADER.folded]: '900' };

async function running(plan: PlannedTest = {}) {
  const school = await makeSchool(server, plan);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

async function takenOver(device: TestDevice, testId: string) {
  const tablet = new TestDevice(server, device.student);
  await tablet.start(testId, { [HEADER.takeOver]: device.attemptId });
  return tablet;
}

async function saved(device: TestDevice) {
  const params = { id: device.attemptId };
  return (await server.send(getSavedAnswers, { params }, { as: device.student })).body;
}

const addMinutes = ({ attemptId }: TestDevice, teacher: TestUser) =>
  server.send(addTime, { params: { attemptId }, body: { minutes: 5 } }, { as: teacher });

describe('an answer without a sequence', () => {
  test.each([
    ['the fast save', {}],
    ['the full rules', FOLDS],
  ])('counts after those with one that came before it (%s)', async (_, headers) => {
    const { device } = await running();
    for (const value of ['1', '2', '3']) await device.answer(text(value));
    const last = await device.answer(text('4'), device.operation({ ...NO_SEQUENCE, ...headers }));
    expect(last.body.outcome).toBe('stored');
    expect((await saved(device)).openAnswers).toMatchObject([{ text: '4' }]);
  });

  test.each([
    ['the fast save', {}],
    ['the full rules', FOLDS],
  ])('is ordered only within its own stream (%s)', async (_, headers) => {
    const { device, testId } = await running();
    for (const value of ['1', '2', '3']) await device.answer(text(value));
    const tablet = await takenOver(device, testId);
    await tablet.answer(text('без номера'), tablet.operation({ ...NO_SEQUENCE, ...headers }));
    const numbered = await tablet.answer(
      text('с номером'),
      tablet.operation({ [HEADER.sequence]: '2' }),
    );
    expect(numbered.body.outcome).toBe('stored');
    expect((await saved(device)).openAnswers).toMatchObject([{ text: 'с номером' }]);
  });

  test('and without a stream belongs to the default one, also once another owns the attempt', async () => {
    const { device, testId } = await running();
    const tablet = await takenOver(device, testId);
    await tablet.answer(text('с планшета'));
    const old = await device.answer(text('с телефона'), device.operation(NO_STREAM));
    expect(old.body).toMatchObject({ outcome: 'superseded', stream: device.stream, epoch: 1 });
    expect((await saved(device)).openAnswers).toMatchObject([{ text: 'с планшета' }]);
  });
});

describe('a sequence that another operation consumed', () => {
  test.each([
    ['the fast save', {}],
    ['the full rules', FOLDS],
  ])('as its second one is used (%s)', async (_, headers) => {
    const { device } = await running();
    const first = device.operation();
    await device.answer(text('1'), first);
    await device.answer(text('1'), { ...first, [HEADER.sequence]: '3' });
    const other = device.operation({ [HEADER.sequence]: '3', ...headers });
    expect(errorOf(await device.answer(text('2'), other)).code).toBe('SEQUENCE_TAKEN');
    expect((await saved(device)).openAnswers).toMatchObject([{ text: '1' }]);
  });

  test('is no second one for a repeat', async () => {
    const { device } = await running();
    const first = device.operation();
    await device.answer(text('1'), first);
    await device.answer(RIGHT.single);
    const repeat = await device.answer(text('1'), { ...first, [HEADER.sequence]: '2' });
    expect(errorOf(repeat).code).toBe('SEQUENCE_TAKEN');
  });

  test('in another stream closes no gap of this one', async () => {
    const { device, testId } = await running();
    await device.answer(text('1'), device.operation({ [HEADER.folded]: '2' }));
    const tablet = await takenOver(device, testId);
    tablet.sequence = 2;
    const early = await tablet.finish();
    expect(errorOf(early)).toMatchObject({
      code: 'INCOMPLETE',
      details: { missing: [1, 2], files: [] },
    });
  });
});

describe('the last moments', () => {
  test.each([
    [60_000, { outcome: 'stored', receivedLate: false }],
    [60_001, { outcome: 'held', receivedLate: true }],
  ])('an answer received %i ms after the deadline is %j', async (ms, judged) => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(10 * MINUTE + ms);
    expect((await device.answer(text('1'), device.operation(age(0)))).body).toMatchObject(judged);
  });

  test('at the very end of the window an answer finds the attempt closed', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(25 * MINUTE);
    const reply = await device.answer(text('1'), device.operation(age(0)));
    expect(reply.body.outcome).toBe('held');
    expect((await findAttempt(server.pool, device.attemptId))?.ended).toBe('closed');
  });

  test('an attempt extended after a class was read is not closed with it', async () => {
    const { device, teacher } = await running({ passMinutes: 10, windowMinutes: 0 });
    const due = await running({ passMinutes: 10, windowMinutes: 0 });
    server.clock.advance(9 * MINUTE);
    await addMinutes(device, teacher);
    server.clock.advance(3 * MINUTE);
    const ids = [device.attemptId, due.device.attemptId];
    expect(await closeAttempts(server.pool, ids, server.clock.now)).toBe(1);
    expect((await findAttempt(server.pool, device.attemptId))?.ended).toBeNull();
  });

  test('an attempt that a late answer finds due is closed as of its due time, with its points', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    await device.answer(RIGHT.single);
    const started = server.clock.now.getTime();
    server.clock.advance(40 * MINUTE);
    await device.answer(text('1'), device.operation(age(0)));
    const found = await one(server.pool, 'select points, ended_at from attempts where id = $1', [
      device.attemptId,
    ]);
    expect(found).toEqual({ points: 1, ended_at: new Date(started + 25 * MINUTE) });
  });

  test('a deleted attempt is never closed', async () => {
    const { device, testId } = await running({ passMinutes: 10, windowMinutes: 0 });
    await server.pool.query('update attempts set deleted_at = $2 where id = $1', [
      device.attemptId,
      server.clock.now,
    ]);
    server.clock.advance(30 * MINUTE);
    expect(await closeDueAttempts(server.pool, server.clock.now, testId)).toBe(0);
  });

  test('only the end gives an attempt points', async () => {
    const { device } = await running();
    await device.answer(RIGHT.single, device.operation(FOLDS));
    const found = await one(
      server.pool,
      'select points, (select count(*) from score_changes where attempt_id = $1) as changes from attempts where id = $1',
      [device.attemptId],
    );
    expect(found).toEqual({ points: null, changes: 0 });
  });
});

describe('what a repeat cannot turn from held into stored', () => {
  test('an operation of a stream that the server never issued', async () => {
    const { device } = await running();
    const headers = device.operation({ ...age(0), [HEADER.stream]: server.deps.newId() });
    server.clock.advance(5 * MINUTE);
    const first = await device.answer(text('1'), headers);
    expect(first.body).toMatchObject({ outcome: 'held', receivedLate: true });
    const repeat = await device.answer(text('1'), { ...headers, ...age(MINUTE) });
    expect(repeat.body).toMatchObject({ outcome: 'held', receivedLate: true });
    expect((await saved(device)).openAnswers).toEqual([]);
  });

  test('an operation that the teacher refused', async () => {
    const { device, teacher } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(15 * MINUTE);
    const headers = device.operation(age(0));
    const { operationId } = (await device.answer(text('1'), headers)).body;
    await server.send(
      decideHeld,
      {
        params: { attemptId: device.attemptId },
        body: { operationIds: [operationId], decision: 'refused' },
      },
      { as: teacher },
    );
    const repeat = await device.answer(text('1'), { ...headers, ...age(6 * MINUTE) });
    expect(repeat.body.outcome).toBe('held');
    expect((await saved(device)).openAnswers).toEqual([]);
  });

  test('an operation written after a server time that its device had seen', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(15 * MINUTE);
    const seen = new Date(server.clock.now.getTime() - MINUTE).toISOString();
    const headers = device.operation({ ...age(0), [HEADER.seenServerTime]: seen });
    await device.answer(text('1'), headers);
    const repeat = await device.answer(text('1'), { ...headers, ...age(12 * MINUTE) });
    expect(repeat.body.outcome).toBe('held');
  });

  test('an operation that arrived after its student could see the result, minutes added since or not', async () => {
    const { device, teacher } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(26 * MINUTE);
    const headers = device.operation(age(0));
    expect((await device.answer(text('1'), headers)).body.outcome).toBe('held');
    expect((await addMinutes(device, teacher)).status).toBe(200);
    const repeat = await device.answer(text('1'), { ...headers, ...age(20 * MINUTE) });
    expect(repeat.body.outcome).toBe('held');
    expect((await saved(device)).openAnswers).toEqual([]);
  });
});

test('a timely answer removes the late flag of the one it replaces', async () => {
  const { device, teacher } = await running({ passMinutes: 10, windowMinutes: 15 });
  server.clock.advance(40 * MINUTE);
  const { operationId } = (await device.answer(text('поздно'))).body;
  const params = { attemptId: device.attemptId };
  const body = { operationIds: [operationId], decision: 'accepted' as const };
  await server.send(decideHeld, { params, body }, { as: teacher });
  await addMinutes(device, teacher);
  expect((await saved(device)).openAnswers).toMatchObject([{ receivedLate: true }]);
  await device.answer(text('вовремя'));
  expect((await saved(device)).openAnswers).toMatchObject([
    { text: 'вовремя', receivedLate: false },
  ]);
});
