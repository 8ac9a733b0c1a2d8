import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { addTime, decideHeld, gradeItem, listHeld } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import { getResult, listResults } from '#contract/results.ts';
import { getTestDetails, listMyTests } from '#contract/tests.ts';
import { one, rows } from '#server/db/query.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import {
  CANARY,
  errorOf,
  makeSchool,
  Q,
  RIGHT,
  TestDevice,
  type PlannedTest,
} from '#tests/school.ts';
import { startClass } from '#tests/class-work.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });
const HIDDEN = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
const essay: Answer = { questionId: Q.essay, kind: 'open', text: 'Опыт с пружиной' };

async function running(plan: PlannedTest = {}) {
  const school = await makeSchool(server, plan);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

const resultOf = async (device: TestDevice, as: TestUser = device.student) =>
  server.send(getResult, { params: { attemptId: device.attemptId } }, { as });

const stateOf = async (device: TestDevice) =>
  one<{ ended: string | null; points: number | null }>(
    server.pool,
    'select ended, points from attempts where id = $1',
    [device.attemptId],
  );

describe('finish as the barrier of its stream (rows 17, 18)', () => {
  test('with a gap it is 409 INCOMPLETE that names what is missing and changes nothing', async () => {
    const { device } = await running();
    await device.answer(text('1'));
    const lost = device.operation();
    device.operation();
    const finish = device.operation({ [HEADER.setAside]: '3' });
    const reply = await device.finish(finish);
    expect([reply.status, errorOf(reply).code]).toEqual([409, 'INCOMPLETE']);
    expect(errorOf(reply).details).toEqual({ missing: [2], files: [] });
    expect(await stateOf(device)).toEqual({ ended: null, points: null });
    expect(
      await rows(server.pool, 'select 1 from spare_sequences where attempt_id = $1', [
        device.attemptId,
      ]),
    ).toEqual([]);

    await device.answer(RIGHT.single, lost);
    expect((await device.finish(finish)).body.outcome).toBe('stored');
    expect(await stateOf(device)).toEqual({ ended: 'finished', points: 1 });
  });

  test('folded and set-aside sequences leave no gap', async () => {
    const { device } = await running();
    device.operation();
    device.operation();
    await device.answer(text('4,9'), device.operation({ [HEADER.folded]: '1' }));
    const reply = await device.finish(
      device.operation({ [HEADER.setAside]: '2', [HEADER.folded]: '1' }),
    );
    expect(reply.status).toBe(200);
  });

  test('waits for the files of its stream’s counting answers unless they are set aside', async () => {
    const { device } = await running();
    const fileId = server.deps.newId();
    await device.answer({
      questionId: Q.file,
      kind: 'file',
      fileId,
      name: 'reshenie.jpg',
      size: 10,
      mimeType: 'image/jpeg',
      sha256: 'a'.repeat(64),
    });
    const finish = device.operation();
    expect(errorOf(await device.finish(finish)).details).toEqual({ missing: [], files: [fileId] });
    expect((await device.finish({ ...finish, [HEADER.filesSetAside]: fileId })).status).toBe(200);
  });

  test('a repeat gets the receipt; finish on a finished attempt changes nothing', async () => {
    const { device } = await running();
    const headers = device.operation();
    const first = await device.finish(headers);
    expect((await device.finish(headers)).text).toBe(first.text);
    server.clock.advance(MINUTE);
    expect((await device.finish()).body.outcome).toBe('stored');
    const finish = await one<{ id: string }>(
      server.pool,
      'select finish_operation as id from attempts where id = $1',
      [device.attemptId],
    );
    expect(finish?.id).toBe(headers[HEADER.idempotencyKey]);
  });

  test('fifty parallel finishes end the attempt once', async () => {
    const { device } = await running();
    await device.answer(RIGHT.single);
    const headers = device.operation();
    const replies = await Promise.all(Array.from({ length: 50 }, () => device.finish(headers)));
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    const changes = await rows(server.pool, 'select 1 from score_changes where attempt_id = $1', [
      device.attemptId,
    ]);
    expect(changes).toHaveLength(1);
  });

  test('from a stream that does not own the attempt it is superseded and finishes nothing', async () => {
    const { device: phone, testId } = await running();
    const tablet = new TestDevice(server, phone.student);
    await tablet.start(testId, { [HEADER.takeOver]: phone.attemptId });
    expect((await phone.finish()).body.outcome).toBe('superseded');
    expect(await stateOf(phone)).toEqual({ ended: null, points: null });
    expect((await tablet.answer(RIGHT.single)).body.outcome).toBe('stored');
  });

  test('with the reason deadline before the moved deadline it is DEADLINE_MOVED and consumes its sequence (row 16)', async () => {
    const { device, teacher } = await running({ passMinutes: 10 });
    server.clock.advance(9 * MINUTE);
    const added = await server.send(
      addTime,
      { params: { attemptId: device.attemptId }, body: { minutes: 5 } },
      { as: teacher },
    );
    server.clock.advance(2 * MINUTE);
    const reply = await device.finish(device.operation({ [HEADER.finishReason]: 'deadline' }));
    expect(errorOf(reply)).toMatchObject({
      code: 'DEADLINE_MOVED',
      details: { deadline: added.body.deadline },
    });
    await device.answer(RIGHT.single);
    server.clock.advance(4 * MINUTE);
    const second = await device.finish(device.operation({ [HEADER.finishReason]: 'deadline' }));
    expect(second.status).toBe(200);
    expect(await stateOf(device)).toEqual({ ended: 'finished', points: 1 });
  });

  test('with the reason deadline, written before the moved deadline, it is DEADLINE_MOVED after it too, and takes no answer away', async () => {
    const { device, teacher } = await running({ passMinutes: 10, visibility: HIDDEN });
    server.clock.advance(10 * MINUTE);
    const byOld = device.operation({ [HEADER.finishReason]: 'deadline' });
    const params = { attemptId: device.attemptId };
    await server.send(addTime, { params, body: { minutes: 10 } }, { as: teacher });
    const answer = device.operation({ [HEADER.age]: String(2 * MINUTE) });
    server.clock.advance(11 * MINUTE);
    const late = await device.finish({ ...byOld, [HEADER.age]: String(11 * MINUTE) });
    expect(errorOf(late).code).toBe('DEADLINE_MOVED');
    expect((await device.answer(RIGHT.single, answer)).body.outcome).toBe('stored');
    // The device writes another one, since the moved deadline has passed as well.
    const again = await device.finish(device.operation({ [HEADER.finishReason]: 'deadline' }));
    expect(again.body.outcome).toBe('stored');
    expect(await stateOf(device)).toEqual({ ended: 'finished', points: 1 });
  });

  test.each([
    ['a little early by a clock that differs', String(MINUTE + 25_000)],
    ['at an unknown time', 'unknown'],
  ])('with the reason deadline, written %s, it is one of the present deadline', async (_, age) => {
    const { device } = await running({ passMinutes: 10 });
    server.clock.advance(11 * MINUTE);
    const headers = { [HEADER.finishReason]: 'deadline', [HEADER.age]: age };
    expect((await device.finish(device.operation(headers))).body.outcome).toBe('stored');
    expect(await stateOf(device)).toEqual({ ended: 'finished', points: 0 });
  });

  test('with the reason deadline, refused and repeated for ever, it leaves no attempt open', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(11 * MINUTE);
    const headers = device.operation({ [HEADER.finishReason]: 'deadline' });
    const send = (ageMinutes: number) =>
      device.finish({ ...headers, [HEADER.age]: String(ageMinutes * MINUTE) });
    expect(errorOf(await send(5)).code).toBe('DEADLINE_MOVED');
    server.clock.advance(15 * MINUTE);
    expect(errorOf(await send(20)).code).toBe('DEADLINE_MOVED');
    expect(await stateOf(device)).toEqual({ ended: 'closed', points: 0 });
    expect((await device.finish()).body.outcome).toBe('stored');
  });
});

describe('answers after a finish that counted', () => {
  test('new ones are held, and the teacher accepts or refuses them', async () => {
    const { device, teacher } = await running();
    await device.answer(RIGHT.single);
    await device.finish();
    const late = await device.answer(text('4,9'));
    expect(late.body.outcome).toBe('held');
    expect(await stateOf(device)).toEqual({ ended: 'finished', points: 1 });

    const params = { attemptId: device.attemptId };
    const held = await server.send(listHeld, { params }, { as: teacher });
    expect(held.body.items).toMatchObject([{ questionId: Q.open, decision: null }]);
    const decide = (decision: 'accepted' | 'refused') =>
      server.send(
        decideHeld,
        { params, body: { operationIds: [late.body.operationId], decision } },
        { as: teacher },
      );
    expect((await decide('accepted')).body.score).toBe(3);
    expect((await decide('refused')).body.score).toBe(1);
    const log = await rows(
      server.pool,
      'select old_points, new_points from score_changes where attempt_id = $1 order by id',
      [device.attemptId],
    );
    expect(log).toEqual([
      { old_points: null, new_points: 1 },
      { old_points: 1, new_points: 3 },
      { old_points: 3, new_points: 1 },
    ]);
  });

  test('those of an earlier stream written before it still count within the window while no result shows, and change the mark', async () => {
    const { device: phone, testId, teacher } = await running({ visibility: HIDDEN });
    const unsent = phone.operation();
    const tablet = new TestDevice(server, phone.student);
    await tablet.start(testId, { [HEADER.takeOver]: phone.attemptId });
    await tablet.answer(RIGHT.single);
    server.clock.advance(5 * MINUTE);
    await tablet.finish();
    server.clock.advance(2 * MINUTE);
    const reply = await phone.answer(text('4,9'), { ...unsent, [HEADER.age]: String(6 * MINUTE) });
    expect(reply.body).toMatchObject({ outcome: 'stored', receivedLate: true });
    expect(await stateOf(tablet)).toEqual({ ended: 'finished', points: 3 });
    expect((await resultOf(tablet, teacher)).body).toMatchObject({
      score: 3,
      scoreWithoutLate: 1,
      receivedLate: 1,
    });
  });
});

describe('closing', () => {
  test('the server closes unfinished attempts at deadline + window; a finish then gets its receipt', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    await device.answer(RIGHT.single);
    server.clock.advance(24 * MINUTE);
    expect((await resultOf(device)).body).toMatchObject({
      state: 2,
      end: null,
      score: null,
      items: [],
    });
    server.clock.advance(2 * MINUTE);
    expect(await closeDueAttempts(server.pool, server.clock.now)).toBeGreaterThanOrEqual(1);
    expect(await stateOf(device)).toEqual({ ended: 'closed', points: 1 });
    expect((await device.finish()).status).toBe(200);
    expect(await stateOf(device)).toEqual({ ended: 'closed', points: 1 });
  });

  test('a class that is due together is closed together, each as if alone, and an extended attempt continues', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `Ученик ${number}`);
    const { devices, testId } = await startClass(server, names, {
      passMinutes: 10,
      windowMinutes: 0,
    });
    const [longer, ...others] = devices;
    for (const device of others.slice(0, 6)) await device.answer(RIGHT.single);
    await server.pool.query(
      `update attempts set deadline = deadline + interval '1 hour' where id = $1`,
      [longer?.attemptId],
    );
    server.clock.advance(12 * MINUTE);
    const connect = vi.spyOn(server.pool, 'connect');
    // One statement that looks for them, and one transaction for all of them.
    expect(await closeDueAttempts(server.pool, server.clock.now, testId)).toBe(11);
    expect(connect.mock.calls.length).toBeLessThanOrEqual(2);
    connect.mockRestore();
    const found = await server.pool.query(
      `select ended, points, ended_at = deadline + interval '1 minute' as in_time,
         (select count(*) from score_changes s where s.attempt_id = x.id and s.reason = 'closed') as changes,
         count(*) as attempts
       from attempts x where test_id = $1 group by 1, 2, 3, 4 order by attempts`,
      [testId],
    );
    const closed = { ended: 'closed', in_time: true, changes: 1 };
    expect(found.rows).toEqual([
      { ended: null, points: null, in_time: null, changes: 0, attempts: 1 },
      { ...closed, points: 0, attempts: 5 },
      { ...closed, points: 1, attempts: 6 },
    ]);
  });

  test('a broken invariant is an internal error that changes nothing', async () => {
    const { device } = await running();
    await server.pool.query('update attempts set active_epoch = 0 where id = $1', [
      device.attemptId,
    ]);
    const reply = await device.finish();
    expect([reply.status, errorOf(reply).code]).toEqual([500, 'INTERNAL']);
    expect(await stateOf(device)).toEqual({ ended: null, points: null });
    const journal = 'select id from operations where attempt_id = $1';
    expect(await rows(server.pool, journal, [device.attemptId])).toEqual([]);
  });

  test('reading a due attempt closes it without waiting for the sweeper', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 0 });
    await device.answer(RIGHT.single);
    server.clock.advance(11 * MINUTE);
    expect((await resultOf(device)).body).toMatchObject({ end: 'closed', score: 1 });
  });

  test('points and keys never show between deadline and close', async () => {
    const { device, testId } = await running({ passMinutes: 10, windowMinutes: 15 });
    await device.answer(RIGHT.single);
    server.clock.advance(12 * MINUTE);
    const result = await resultOf(device);
    expect(result.body).toMatchObject({
      score: null,
      gradedMaxScore: null,
      pendingNumbers: [],
      items: [],
    });
    const listed = await server.send(
      listResults,
      { params: { id: testId } },
      { as: device.student },
    );
    expect(listed.body.attempts).toMatchObject([{ score: null, state: 2 }]);
    const details = await server.send(
      getTestDetails,
      { params: { id: testId } },
      { as: device.student },
    );
    expect(details.body).toMatchObject({ currentPoints: null, status: 'pendingReview' });
  });
});

describe('added minutes', () => {
  test('re-judge what was held, reopen what the server closed, and never make a deadline earlier', async () => {
    const plan = { passMinutes: 10, windowMinutes: 0, visibility: HIDDEN };
    const { device, teacher } = await running(plan);
    server.clock.advance(20 * MINUTE);
    expect((await device.answer(RIGHT.single)).body.outcome).toBe('held');
    const before = server.clock.now.getTime();
    const added = await server.send(
      addTime,
      { params: { attemptId: device.attemptId }, body: { minutes: 5 } },
      { as: teacher },
    );
    expect(Date.parse(added.body.deadline)).toBe(before + 5 * MINUTE);
    expect(await stateOf(device)).toEqual({ ended: null, points: null });
    await device.finish();
    expect(await stateOf(device)).toEqual({ ended: 'finished', points: 1 });
  });

  test('are refused once a next attempt exists, and for another teacher', async () => {
    const { device, teacher, testId } = await running({ attemptsCount: 2, passMinutes: 10 });
    const add = (as: TestUser) =>
      server.send(
        addTime,
        { params: { attemptId: device.attemptId }, body: { minutes: 5 } },
        { as },
      );
    expect((await add(await server.user({ role: 2 }))).status).toBe(404);
    expect((await add(device.student)).status).toBe(403);
    server.clock.advance(30 * MINUTE);
    await new TestDevice(server, device.student).start(testId);
    expect(errorOf(await add(teacher)).code).toBe('NEXT_ATTEMPT_EXISTS');
  });
});

describe('results', () => {
  test('score of the four kinds; a manual grade missing shows as partial, then completes', async () => {
    const { device, teacher } = await running();
    for (const answer of [text('4,93'), RIGHT.single, RIGHT.several, RIGHT.matching, essay]) {
      await device.answer(answer);
    }
    await device.finish();
    const before = (await resultOf(device)).body;
    expect(before).toMatchObject({
      score: 8,
      gradedMaxScore: 12,
      maxScore: 17,
      pendingNumbers: [6],
      unansweredNumbers: [5],
      end: 'finished',
      attemptNumber: 1,
    });
    expect(before.items.map((item) => item.verdict)).toEqual([
      'right',
      'right',
      'right',
      'right',
      'unanswered',
      'pending',
    ]);
    const grade = (points: number) =>
      server.send(
        gradeItem,
        {
          params: { attemptId: device.attemptId },
          body: { questionId: Q.essay, points, comment: 'Хорошо' },
        },
        { as: teacher },
      );
    expect(errorOf(await grade(6)).code).toBe('VALIDATION');
    expect((await grade(4)).body.score).toBe(12);
    expect((await resultOf(device)).body).toMatchObject({
      score: 12,
      gradedMaxScore: 17,
      pendingNumbers: [],
    });
    const mine = await server.send(listMyTests, {}, { as: device.student });
    expect(mine.body.items).toMatchObject([{ status: 'passed', currentPoints: 12 }]);
  });

  test("the teacher opens a student's result; strangers do not find it; keys are in none", async () => {
    const { device, teacher } = await running();
    await device.answer(text('4,9'));
    await device.finish();
    const seen = await resultOf(device, teacher);
    expect(seen.body).toMatchObject({ userName: device.student.userName, score: 2 });
    expect((await resultOf(device, await server.user())).status).toBe(404);
    expect((await resultOf(device, await server.user({ role: 2 }))).status).toBe(404);
    expect((await resultOf(device, await server.user({ role: 1 }))).status).toBe(200);
    expect((await resultOf(device)).text).not.toContain(CANARY);
  });

  test('points that the teacher never shows are in no reply for the student', async () => {
    const visibility = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
    const { device, testId, teacher } = await running({ visibility });
    await device.answer(text('4,9'));
    await device.finish();
    expect((await resultOf(device)).body).toMatchObject({
      score: null,
      items: [],
      correctAnswersFrom: null,
    });
    expect((await resultOf(device, teacher)).body.score).toBe(2);
    const details = await server.send(
      getTestDetails,
      { params: { id: testId } },
      { as: device.student },
    );
    expect(details.body.currentPoints).toBeNull();
  });
});
