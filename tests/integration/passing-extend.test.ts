import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { addTime, decideHeld, deleteAttempt } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import { rows } from '#server/db/query.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import { holdAnswer, MINUTE_MS, nth, startClass } from '#tests/class-work.ts';
import { errorOf, Q, RIGHT, type PlannedTest, type TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const HIDDEN = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
/** Ten minutes, and no visible result: late answers are judged by time alone. */
const PLAN: PlannedTest = { passMinutes: 10, windowMinutes: 15, visibility: HIDDEN };
const NO_AGE = { [HEADER.age]: 'unknown' };

const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });

const addMinutes = (teacher: TestUser, { attemptId }: TestDevice) =>
  server.send(addTime, { params: { attemptId }, body: { minutes: 5 } }, { as: teacher });

const journalOf = ({ attemptId }: TestDevice) =>
  rows(
    server.pool,
    `select sequence, outcome, received_late as late from operations where attempt_id = $1
     order by sequence`,
    [attemptId],
  );

const savedOf = async (device: TestDevice, as: TestUser) =>
  (await server.send(getSavedAnswers, { params: { id: device.attemptId } }, { as })).body;

test('minutes for a closed attempt remove its mark, and their author is logged with it', async () => {
  const { teacher, testId, devices } = await startClass(server, ['Пётр'], PLAN);
  const device = nth(devices, 0);
  const marks = () =>
    rows(
      server.pool,
      `select ended, ended_at as at, points, points_without_late as "withoutLate",
         graded_max as "gradedMax" from attempts where id = $1`,
      [device.attemptId],
    );
  await device.answer(RIGHT.single);
  server.clock.advance(26 * MINUTE_MS);
  await closeDueAttempts(server.pool, server.clock.now, testId);
  expect(await marks()).toMatchObject([{ ended: 'closed', points: 1, withoutLate: 1 }]);
  expect((await addMinutes(teacher, device)).status).toBe(200);
  expect(await marks()).toEqual([
    { ended: null, at: null, points: null, withoutLate: null, gradedMax: null },
  ]);
  const changes = await rows(
    server.pool,
    `select reason, actor_id as by, old_points as old, new_points as new from score_changes
     where attempt_id = $1 order by id`,
    [device.attemptId],
  );
  expect(changes).toEqual([
    { reason: 'closed', by: null, old: null, new: 1 },
    { reason: 'timeAdded', by: teacher.userId, old: 1, new: null },
  ]);
});

test('late answers become timely by a later deadline, whether they count or not; which one counts stays', async () => {
  const { teacher, devices } = await startClass(server, ['Пётр'], PLAN);
  const device = nth(devices, 0);
  server.clock.advance(12 * MINUTE_MS);
  await device.answer(text('5'), device.operation({ ...NO_AGE, [HEADER.sequence]: '2' }));
  await device.answer(text('4'), device.operation({ ...NO_AGE, [HEADER.sequence]: '1' }));
  expect(await journalOf(device)).toEqual([
    { sequence: 1, outcome: 'superseded', late: true },
    { sequence: 2, outcome: 'stored', late: true },
  ]);
  expect((await addMinutes(teacher, device)).status).toBe(200);
  expect(await journalOf(device)).toEqual([
    { sequence: 1, outcome: 'superseded', late: false },
    { sequence: 2, outcome: 'stored', late: false },
  ]);
  const saved = await savedOf(device, teacher);
  expect(saved.openAnswers).toMatchObject([{ text: '5', receivedLate: false }]);
});

test('an answer that the teacher refused stays refused, and one of an unknown stream still awaits a decision, whatever minutes are added', async () => {
  const { teacher, devices } = await startClass(server, ['Пётр'], { ...PLAN, windowMinutes: 0 });
  const device = nth(devices, 0);
  const { attemptId } = device;
  const stranger = await holdAnswer(device, text('4'));
  server.clock.advance(12 * MINUTE_MS);
  const late = await device.answer(RIGHT.single, device.operation(NO_AGE));
  expect(late.body.outcome).toBe('held');
  const decided = await server.send(
    decideHeld,
    {
      params: { attemptId },
      body: { operationIds: [late.body.operationId], decision: 'refused' },
    },
    { as: teacher },
  );
  expect(decided.status, decided.text).toBe(200);
  expect((await addMinutes(teacher, device)).status).toBe(200);
  const held = await rows(
    server.pool,
    `select id, outcome, decision from operations where attempt_id = $1 order by ordinal`,
    [attemptId],
  );
  expect(held).toEqual([
    { id: stranger, outcome: 'held', decision: null },
    { id: late.body.operationId, outcome: 'held', decision: 'refused' },
  ]);
  expect(await savedOf(device, teacher)).toMatchObject({ variantAnswers: [], openAnswers: [] });
});

test("minutes for one attempt leave a classmate's late answers unchanged, even under the same ids", async () => {
  const { teacher, devices } = await startClass(server, ['Пётр', 'Анна'], PLAN);
  const given = nth(devices, 0);
  const other = nth(devices, 1);
  server.clock.advance(12 * MINUTE_MS);
  const key = { ...NO_AGE, [HEADER.idempotencyKey]: server.deps.newId() };
  await given.answer(text('4'), given.operation(key));
  await other.answer(text('5'), other.operation(key));
  expect((await addMinutes(teacher, given)).status).toBe(200);
  expect(await journalOf(given)).toEqual([{ sequence: 1, outcome: 'stored', late: false }]);
  expect(await journalOf(other)).toEqual([{ sequence: 1, outcome: 'stored', late: true }]);
});

test('a deleted attempt gets no minutes, and its deadline stays', async () => {
  const { teacher, devices } = await startClass(server, ['Пётр'], PLAN);
  const device = nth(devices, 0);
  const params = { attemptId: device.attemptId };
  const deadline = () =>
    rows(server.pool, 'select deadline from attempts where id = $1', [device.attemptId]);
  const before = await deadline();
  await server.send(deleteAttempt, { params }, { as: teacher });
  const reply = await addMinutes(teacher, device);
  expect([reply.status, errorOf(reply).code]).toEqual([410, 'GONE']);
  expect(await deadline()).toEqual(before);
});
