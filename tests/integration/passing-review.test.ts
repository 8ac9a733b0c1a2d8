import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { addTime, decideHeld, gradeItem, listHeld } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers, startAttempt } from '#contract/passing.ts';
import { getResult } from '#contract/results.ts';
import { getTestDetails } from '#contract/tests.ts';
import { one, rows } from '#server/db/query.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import {
  errorOf,
  makeSchool,
  Q,
  RIGHT,
  smallTest,
  TestDevice,
  type PlannedTest,
} from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });

async function running(plan: PlannedTest = {}) {
  const school = await makeSchool(server, plan);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

const savedOf = async (device: TestDevice) =>
  (await server.send(getSavedAnswers, { params: { id: device.attemptId } }, { as: device.student }))
    .body;

const addMinutes = (device: TestDevice, as: TestUser, minutes: number) =>
  server.send(addTime, { params: { attemptId: device.attemptId }, body: { minutes } }, { as });

const pointsOf = async (device: TestDevice) =>
  (
    await one<{ points: number | null }>(server.pool, 'select points from attempts where id = $1', [
      device.attemptId,
    ])
  )?.points;

describe("a device's reported times", () => {
  test.each(['100000000000000', '999999999999999'])(
    'an age of %s ms, older than any calendar of the wire, still gets a receipt',
    async (age) => {
      const { device } = await running();
      const headers = device.operation({ [HEADER.age]: age });
      const first = await device.answer(text('4,9'), headers);
      expect([first.status, first.body.outcome]).toEqual([200, 'stored']);
      expect((await device.answer(text('4,9'), headers)).text).toBe(first.text);
    },
  );

  test('a seen server time that is no date is refused before anything is written', async () => {
    const { device } = await running();
    const seen = '2026-03-02T06:00:00+05';
    const reply = await device.answer(
      text('1'),
      device.operation({ [HEADER.seenServerTime]: seen }),
    );
    expect([reply.status, errorOf(reply).code]).toEqual([400, 'VALIDATION']);
  });
});

test('a test of more points than a question may have is read, passed and marked', async () => {
  const questions = smallTest.map((question) => ({ ...question, points: 10_000 }));
  const { device, testId } = await running({ questions });
  await device.answer(RIGHT.single);
  await device.answer(RIGHT.several);
  await device.finish();
  const params = { id: testId };
  expect(
    (await server.send(getTestDetails, { params }, { as: device.student })).body,
  ).toMatchObject({ totalPoints: 60_000, currentPoints: 20_000 });
});

test('the teacher sees of a held answer since when the device had no contact', async () => {
  const { device, teacher } = await running({ passMinutes: 10, windowMinutes: 0 });
  const seen = server.clock.now.toISOString();
  server.clock.advance(30 * MINUTE);
  await device.answer(
    text('4,9'),
    device.operation({ [HEADER.seenServerTime]: seen, [HEADER.age]: String(25 * MINUTE) }),
  );
  const params = { attemptId: device.attemptId };
  expect((await server.send(listHeld, { params }, { as: teacher })).body.items).toMatchObject([
    { seenServerAt: seen, receivedAt: server.clock.now.toISOString() },
  ]);
});

describe('the old device detects a take-over', () => {
  test('from the reply to a late copy of its start, and from refusals', async () => {
    const { student, testId } = await makeSchool(server);
    const key = { [HEADER.idempotencyKey]: server.deps.newId() };
    const phone = new TestDevice(server, student);
    const tablet = new TestDevice(server, student);
    await phone.start(testId, key);
    await tablet.start(testId, { [HEADER.takeOver]: phone.attemptId });
    const copy = await server.send(
      startAttempt,
      { params: { id: testId } },
      { as: student, headers: { [HEADER.stream]: phone.stream, ...key } },
    );
    expect(copy.body.stream).toBe(phone.stream);
    const refusals = [
      await phone.answer({ questionId: Q.open, kind: 'variant', optionIds: [] }),
      await tablet.finish(tablet.operation({ [HEADER.sequence]: '5' })),
    ];
    expect(refusals.map((reply) => reply.status)).toEqual([422, 409]);
    for (const reply of [copy, ...refusals])
      expect(reply.headers[HEADER.activeStream]).toBe(tablet.stream);
  });
});

describe('a moved deadline', () => {
  test('removes the late flag of answers that it makes timely', async () => {
    const { device, teacher } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(13 * MINUTE);
    const late = await device.answer(text('4,9'), device.operation({ [HEADER.age]: '300000' }));
    expect(late.body).toMatchObject({ outcome: 'stored', receivedLate: true });
    await addMinutes(device, teacher, 10);
    expect((await savedOf(device)).openAnswers).toMatchObject([{ receivedLate: false }]);
  });

  test('removes the mark of an attempt closed by the server, and logs the old one', async () => {
    const { device, teacher } = await running({ passMinutes: 10, windowMinutes: 0 });
    await device.answer(RIGHT.single);
    server.clock.advance(20 * MINUTE);
    await closeDueAttempts(server.pool, server.clock.now);
    await addMinutes(device, teacher, 10);
    await device.answer(text('4,9'));
    await device.finish();
    const log = await rows(
      server.pool,
      `select old_points as old, new_points as new, actor_id as who from score_changes
       where attempt_id = $1 order by id`,
      [device.attemptId],
    );
    expect(log).toEqual([
      { old: null, new: 1, who: null },
      { old: 1, new: null, who: teacher.userId },
      { old: null, new: 3, who: null },
    ]);
  });

  test('makes no answer count that a later one replaced while it was held', async () => {
    const { device, teacher } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(13 * MINUTE);
    const older = device.operation();
    expect((await device.answer(text('older'), older)).body.outcome).toBe('held');
    const newer = device.operation({ [HEADER.age]: 'unknown' });
    expect((await device.answer(text('4,9'), newer)).body.outcome).toBe('stored');
    await addMinutes(device, teacher, 10);
    expect((await savedOf(device)).openAnswers).toMatchObject([{ text: '4,9' }]);
  });
});

describe('a held answer', () => {
  test('resent as written earlier counts only where nothing newer does', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(13 * MINUTE);
    const older = device.operation();
    await device.answer(text('older'), older);
    await device.answer(text('newer'), device.operation({ [HEADER.age]: 'unknown' }));
    const again = await device.answer(text('older'), { ...older, [HEADER.age]: '600000' });
    expect(again.body.outcome).toBe('superseded');
    expect((await savedOf(device)).openAnswers).toMatchObject([{ text: 'newer' }]);
  });
});

test('a grade applies to the answer it was given to: the mark without late answers is without it', async () => {
  const { device, teacher } = await running();
  await device.answer(RIGHT.single);
  await device.finish();
  const late = await device.answer({ questionId: Q.essay, kind: 'open', text: 'Опыт' });
  const params = { attemptId: device.attemptId };
  const decide = (decision: 'accepted' | 'refused') =>
    server.send(
      decideHeld,
      { params, body: { operationIds: [late.body.operationId], decision } },
      { as: teacher },
    );
  const result = async () => (await server.send(getResult, { params }, { as: teacher })).body;
  await decide('accepted');
  expect(await result()).toMatchObject({ score: 1, pendingNumbers: [6] });
  const body = { questionId: Q.essay, points: 4, comment: 'Хорошо' };
  expect((await server.send(gradeItem, { params, body }, { as: teacher })).body.score).toBe(5);
  expect(await result()).toMatchObject({ score: 5, scoreWithoutLate: 1, pendingNumbers: [] });
  expect((await decide('refused')).body.score).toBe(1);
  expect((await result()).items.at(-1)).toMatchObject({ verdict: 'unanswered', comment: null });
  expect((await decide('accepted')).body.score).toBe(5);
});

describe('after a restore', () => {
  const forget = async (attemptId: string) => {
    await server.pool.query(`delete from start_keys where reply ->> 'attemptId' = $1`, [attemptId]);
    await server.pool.query('delete from attempts where id = $1', [attemptId]);
    server.deps.state.epoch += 1;
  };

  test('minutes added after the backup are restored by later receipts', async () => {
    const { device, teacher } = await running({ passMinutes: 10, windowMinutes: 0 });
    const before = device.operation();
    const first = await device.answer(RIGHT.single, before);
    const { deadline } = (await addMinutes(device, teacher, 10)).body;
    const after = device.operation();
    const second = await device.answer(text('4,9'), after);
    await forget(device.attemptId);
    await device.answer(RIGHT.single, { ...before, [HEADER.receipt]: JSON.stringify(first.body) });
    await device.answer(text('4,9'), { ...after, [HEADER.receipt]: JSON.stringify(second.body) });
    server.clock.advance(15 * MINUTE);
    expect((await device.answer(RIGHT.several)).body.outcome).toBe('stored');
    const result = await server.send(
      getResult,
      { params: { attemptId: device.attemptId } },
      { as: teacher },
    );
    expect(result.body.deadline).toBe(deadline);
  });

  test('a held one is judged again by its age then, not by that of its resend', async () => {
    const visibility = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
    const plan = { passMinutes: 10, windowMinutes: 5, visibility };
    const { device, teacher } = await running(plan);
    await device.answer(RIGHT.single);
    server.clock.advance(40 * MINUTE);
    const late = device.operation();
    const held = await device.answer(text('4,9'), late);
    expect(held.body.outcome).toBe('held');
    await server.pool.query('delete from operations where id = $1', [held.body.operationId]);
    server.clock.advance(60 * MINUTE);
    const again = await device.answer(text('4,9'), {
      ...late,
      [HEADER.age]: String(60 * MINUTE),
      [HEADER.receipt]: JSON.stringify(held.body),
    });
    expect(again.body.outcome).toBe('held');
    const journalled = await one<{ age: number }>(
      server.pool,
      'select age_ms as age from operations where id = $1',
      [held.body.operationId],
    );
    expect(journalled?.age).toBe(0);
    expect((await addMinutes(device, teacher, 5)).status).toBe(200);
    expect((await savedOf(device)).openAnswers).toMatchObject([{ text: '4,9' }]);
  });

  test('operations before any proof are all stored, two of one sequence too; invalid ones are refused', async () => {
    const { device, teacher } = await running();
    const before = device.operation();
    const receipt = (await device.answer(RIGHT.single, before)).body;
    await forget(device.attemptId);
    const twice = { [HEADER.sequence]: '2' };
    expect((await device.answer(text('1'), device.operation(twice))).body.outcome).toBe('held');
    expect((await device.answer(text('2'), device.operation(twice))).body.outcome).toBe('held');
    expect((await device.answer([] as unknown as Answer)).status).toBe(422);
    await device.answer(RIGHT.single, { ...before, [HEADER.receipt]: JSON.stringify(receipt) });
    const listed = await server.send(
      listHeld,
      { params: { attemptId: device.attemptId } },
      { as: teacher },
    );
    expect(listed.body.items).toHaveLength(2);
  });
});

describe('what a student may see after the end', () => {
  test('«after the test closes» waits for each attempt’s own window, even if the test’s was shortened', async () => {
    const end = new Date(server.clock.now.getTime() + 10 * MINUTE);
    const { device, testId } = await running({ endTime: end, windowMinutes: 60 });
    await device.answer(RIGHT.single);
    await device.finish();
    const closes = new Date(end.getTime() + 60 * MINUTE).toISOString();
    await server.pool.query('update tests set late_window_seconds = 0 where id = $1', [testId]);
    const result = await server.send(
      getResult,
      { params: { attemptId: device.attemptId } },
      { as: device.student },
    );
    expect(result.body.correctAnswersFrom).toBe(closes);
  });

  test.each(['never', 'afterClose'])(
    'own answers shown %s are visible while the student gives them, then only the teacher sees them',
    async (ownAnswers) => {
      const visibility = { ownAnswers, points: 'atOnce', correctAnswers: 'never' };
      const { device, teacher } = await running({ visibility });
      await device.answer(text('4,9'));
      expect((await savedOf(device)).openAnswers).toHaveLength(1);
      await device.finish();
      expect((await savedOf(device)).openAnswers).toEqual([]);
      const asTeacher = await server.send(
        getSavedAnswers,
        { params: { id: device.attemptId } },
        { as: teacher },
      );
      expect(asTeacher.body.openAnswers).toHaveLength(1);
    },
  );

  test('a test with its only attempt closed by time is overdue, not passed', async () => {
    const { device, testId, teacher } = await running({ passMinutes: 10, windowMinutes: 0 });
    await device.answer(RIGHT.single);
    server.clock.advance(20 * MINUTE);
    await closeDueAttempts(server.pool, server.clock.now);
    const read = () =>
      server.send(getTestDetails, { params: { id: testId } }, { as: device.student });
    expect((await read()).body).toMatchObject({ status: 'overdue', currentPoints: 1 });
    await addMinutes(device, teacher, 5);
    expect((await read()).body).toMatchObject({ status: 'inProgress', currentPoints: null });
    await device.finish();
    expect((await read()).body).toMatchObject({ status: 'passed', currentPoints: 1 });
  });
});

test('an attempt that cannot be closed does not affect the others', async () => {
  const broken = await running({ passMinutes: 5, windowMinutes: 0 });
  const sound = await running({ passMinutes: 6, windowMinutes: 0 });
  const contentId = server.deps.newId();
  await server.pool.query(
    `insert into test_contents (id, test_id, questions, max_points, created_at)
     values ($1, $2, '"nonsense"', 0, now())`,
    [contentId, broken.testId],
  );
  await server.pool.query('update attempts set content_id = $2 where id = $1', [
    broken.device.attemptId,
    contentId,
  ]);
  server.clock.advance(20 * MINUTE);
  await expect(closeDueAttempts(server.pool, server.clock.now)).rejects.toThrow(AggregateError);
  expect(await pointsOf(broken.device)).toBeNull();
  expect(await pointsOf(sound.device)).toBe(0);
});
