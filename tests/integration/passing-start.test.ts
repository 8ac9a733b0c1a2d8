import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteAttempt } from '#contract/attempts.ts';
import { getBoard } from '#contract/board.ts';
import { HEADER } from '#contract/headers.ts';
import { startAttempt } from '#contract/passing.ts';
import { getTest } from '#contract/full-test.ts';
import { execute, rows } from '#server/db/query.ts';
import { nth, startClass } from '#tests/class-work.ts';
import {
  CANARY,
  errorOf,
  makeSchool,
  makeTest,
  RIGHT,
  TEACHER_CANARY,
  TestDevice,
} from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;

async function attemptsOf(testId: string) {
  return rows<{ number: number }>(server.pool, 'select number from attempts where test_id = $1', [
    testId,
  ]);
}

describe('start', () => {
  test('replies the passing session with questions, without any key', async () => {
    const { student, testId } = await makeSchool(server);
    const device = new TestDevice(server, student);
    const reply = await device.start(testId);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      testId,
      epoch: 1,
      stream: device.stream,
      leftTestTime: '00:40:00',
      totalQuestions: 6,
      attemptNumber: 1,
    });
    expect(reply.body.deadline).toBe(
      new Date(server.clock.now.getTime() + 40 * MINUTE).toISOString(),
    );
    expect(reply.body.questions).toHaveLength(6);
    expect(reply.text).not.toContain(CANARY);
    expect(reply.text).not.toContain(TEACHER_CANARY);
    expect(reply.text).not.toContain('isRight');
    expect(Date.parse(reply.body.expiresAt)).toBeGreaterThan(Date.parse(reply.body.countsUntil));
  });

  test('twenty parallel starts make one attempt', async () => {
    const { student, testId } = await makeSchool(server, { attemptsCount: 5 });
    const devices = Array.from({ length: 20 }, () => new TestDevice(server, student));
    const replies = await Promise.all(devices.map((device) => device.start(testId)));
    expect(await attemptsOf(testId)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 409).map((r) => errorOf(r).code)).toEqual(
      Array.from({ length: 19 }, () => 'RUNNING_ELSEWHERE'),
    );
  });

  test.each([{}, { 'content-type': 'application/json' }])(
    'accepts no body, an empty body with a JSON type, and {} (headers %j)',
    async (headers) => {
      const { student, testId } = await makeSchool(server);
      for (const payload of [undefined, '', '{}']) {
        const reply = await server.raw({
          method: 'POST',
          url: `/api/TestPassing/${testId}/start`,
          token: student.token,
          headers: payload === '{}' ? { 'content-type': 'application/json' } : headers,
          ...(payload === undefined ? {} : { payload }),
        });
        expect(reply.status).toBe(200);
      }
      expect(await attemptsOf(testId)).toHaveLength(1);
    },
  );

  test('without headers gives the running attempt to the default stream again', async () => {
    const { student, testId } = await makeSchool(server);
    const start = () => server.send(startAttempt, { params: { id: testId } }, { as: student });
    const [first, second] = [await start(), await start()];
    expect(second.body.userTestId).toBe(first.body.userTestId);
    expect(second.body.stream).toBe(first.body.stream);
  });

  test('a repeat of a start key replays its reply, a refusal included, and has no effect', async () => {
    const { student, testId } = await makeSchool(server, { attemptsCount: 2 });
    const phone = new TestDevice(server, student);
    const tablet = new TestDevice(server, student);
    const phoneKey = { [HEADER.idempotencyKey]: server.deps.newId() };
    const tabletKey = { [HEADER.idempotencyKey]: server.deps.newId() };
    const started = await phone.start(testId, phoneKey);
    expect(errorOf(await tablet.start(testId, tabletKey)).code).toBe('RUNNING_ELSEWHERE');
    await tablet.start(testId, { [HEADER.takeOver]: phone.attemptId });
    expect(tablet.epoch).toBe(2);

    // A late copy of the phone's start neither moves the attempt back nor uses up another one.
    const replayed = await phone.start(testId, phoneKey);
    expect(replayed.body).toMatchObject({ userTestId: started.body.userTestId, epoch: 1 });
    expect(
      errorOf(await new TestDevice(server, student).start(testId, { ...tabletKey })).code,
    ).toBe('OPERATION_REUSED');
    const owner = await rows<{ active_epoch: number }>(
      server.pool,
      'select active_epoch from attempts where id = $1',
      [phone.attemptId],
    );
    expect(owner).toEqual([{ active_epoch: 2 }]);
    expect(await attemptsOf(testId)).toHaveLength(1);
  });

  test('never makes more attempts than attemptsCount', async () => {
    const { student, testId } = await makeSchool(server, { attemptsCount: 1 });
    const device = new TestDevice(server, student);
    await device.start(testId);
    await device.finish();
    const again = await new TestDevice(server, student).start(testId);
    expect(again.status).toBe(409);
    expect(errorOf(again).code).toBe('NO_ATTEMPTS_LEFT');
  });

  test('after the deadline an attempt no longer runs, and start makes the next', async () => {
    const { student, testId } = await makeSchool(server, { attemptsCount: 2 });
    const first = await new TestDevice(server, student).start(testId);
    server.clock.advance(41 * MINUTE);
    const second = await new TestDevice(server, student).start(testId);
    expect(second.status).toBe(200);
    expect(second.body.attemptNumber).toBe(2);
    expect(second.body.userTestId).not.toBe(first.body.userTestId);
  });

  test('continues with the next attempt while answers to the one before may still arrive', async () => {
    const { student, testId } = await makeSchool(server, { attemptsCount: 3 });
    await new TestDevice(server, student).start(testId);
    server.clock.advance(41 * MINUTE);
    const device = new TestDevice(server, student);
    const second = await device.start(testId);
    const again = await device.start(testId);
    expect(again.body).toMatchObject({
      userTestId: second.body.userTestId,
      attemptNumber: 2,
    });
    expect(await attemptsOf(testId)).toHaveLength(2);
  });

  test("keys are per person: a classmate's start with the same key is a separate attempt", async () => {
    const school = await makeSchool(server, { openToAll: true });
    const key = { [HEADER.idempotencyKey]: server.deps.newId() };
    const first = await new TestDevice(server, school.student).start(school.testId, key);
    const second = await new TestDevice(server, await server.user()).start(school.testId, key);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.userTestId).not.toBe(first.body.userTestId);
  });

  test('extends a sign-in that would end sooner to an hour beyond the last moment an answer counts', async () => {
    const { student, testId } = await makeSchool(server, { endTime: null });
    await server.pool.query('update sessions set expires_at = $2 where user_id = $1', [
      student.userId,
      new Date(server.clock.now.getTime() + 10 * MINUTE),
    ]);
    const reply = await new TestDevice(server, student).start(testId);
    expect(reply.status, reply.text).toBe(200);
    expect(Date.parse(reply.body.expiresAt) - Date.parse(reply.body.countsUntil)).toBe(60 * MINUTE);
  });

  test('the deadline is capped by endTestTime and lengthened by personal extra time', async () => {
    const { student, teacher } = await makeSchool(server);
    const end = new Date(server.clock.now.getTime() + 30 * MINUTE);
    const capped = await makeTest(server, teacher, { students: [student], endTime: end });
    expect((await new TestDevice(server, student).start(capped)).body.deadline).toBe(
      end.toISOString(),
    );

    const longer = await makeTest(server, teacher, { students: [student] });
    await server.pool.query(
      'insert into personal_terms (test_id, user_id, extra_seconds) values ($1, $2, 600)',
      [longer, student.userId],
    );
    expect((await new TestDevice(server, student).start(longer)).body.leftTestTime).toBe(
      '00:50:00',
    );
  });

  test.each([
    ['NOT_OPEN_YET', { startTime: new Date('2030-01-01T00:00:00Z'), endTime: null }],
    ['TEST_CLOSED', { startTime: null, endTime: new Date('2020-01-01T00:00:00Z') }],
    ['TEST_CLOSED', { lifecycle: 'archived' as const }],
    ['TEST_EMPTY', { questions: [] }],
  ])('is refused with %s', async (code, plan) => {
    const { student, testId } = await makeSchool(server, plan);
    const reply = await new TestDevice(server, student).start(testId);
    expect([reply.status, errorOf(reply).code]).toEqual([409, code]);
    expect(errorOf(reply).message).toMatch(/[а-яё]/);
  });

  test('a test opens at the very moment of its start, and is closed at the very moment of its end', async () => {
    const now = new Date(server.clock.now);
    const opening = await makeSchool(server, { startTime: now });
    const opened = await new TestDevice(server, opening.student).start(opening.testId);
    expect(opened.status).toBe(200);
    const closing = await makeSchool(server, { startTime: null, endTime: now });
    const closed = await new TestDevice(server, closing.student).start(closing.testId);
    expect(errorOf(closed).code).toBe('TEST_CLOSED');
  });

  test('at the deadline itself an attempt no longer runs, a moment before it does', async () => {
    const { student, testId } = await makeSchool(server, { attemptsCount: 2 });
    const device = new TestDevice(server, student);
    const first = await device.start(testId);
    server.clock.advance(40 * MINUTE - 1);
    expect((await device.start(testId)).body.userTestId).toBe(first.body.userTestId);
    server.clock.advance(1);
    expect((await device.start(testId)).body.attemptNumber).toBe(2);
  });

  test('a student no longer assigned starts no further attempt', async () => {
    const { student, testId } = await makeSchool(server, { attemptsCount: 2 });
    const device = new TestDevice(server, student);
    await device.start(testId);
    await device.finish();
    await execute(server.pool, 'delete from assignments where test_id = $1', [testId]);
    expect(errorOf(await device.start(testId)).code).toBe('FORBIDDEN');
  });

  test('a test that is neither assigned nor open is not found', async () => {
    const { testId } = await makeSchool(server);
    const other = await server.user();
    expect((await new TestDevice(server, other).start(testId)).status).toBe(404);
  });
});

describe('questions for a student', () => {
  test("are sent only with the student's own running attempt, and keys never", async () => {
    const { student, testId, teacher } = await makeSchool(server);
    const read = () => server.send(getTest, { params: { id: testId } }, { as: student });
    expect((await read()).body.questions).toEqual([]);
    const device = new TestDevice(server, student);
    await device.start(testId);
    const running = await read();
    expect(running.body.questions).toHaveLength(6);
    expect(running.text).not.toContain(CANARY);
    expect(running.text).not.toContain(TEACHER_CANARY);
    await device.finish();
    expect((await read()).body.questions).toEqual([]);

    const asTeacher = await server.send(getTest, { params: { id: testId } }, { as: teacher });
    expect(asTeacher.text).toContain(CANARY);
    expect(asTeacher.text).toContain('isRight');
  });

  test('are not sent with a late copy of the start once the attempt is over', async () => {
    const { student, testId } = await makeSchool(server);
    const device = new TestDevice(server, student);
    const key = { [HEADER.idempotencyKey]: server.deps.newId() };
    expect((await device.start(testId, key)).body.questions).toHaveLength(6);
    expect((await device.start(testId, key)).body.questions).toHaveLength(6);
    await device.finish();
    const copy = await device.start(testId, key);
    expect(copy.body).toMatchObject({ userTestId: device.attemptId, questions: [] });
  });

  test('stay the pinned version when the test is edited meanwhile (row 33)', async () => {
    const { student, testId } = await makeSchool(server);
    const device = new TestDevice(server, student);
    await device.start(testId);
    const contentId = server.deps.newId();
    await server.pool.query(
      `insert into test_contents (id, test_id, questions, max_points, created_at) values ($1, $2, '[]', 0, now())`,
      [contentId, testId],
    );
    await server.pool.query('update tests set content_id = $2 where id = $1', [testId, contentId]);
    const again = await device.start(testId);
    expect(again.body.questions).toHaveLength(6);
  });
});

describe('an attempt that was deleted', () => {
  async function deleted() {
    const school = await makeSchool(server);
    const device = new TestDevice(server, school.student);
    const key = { [HEADER.idempotencyKey]: server.deps.newId() };
    await device.start(school.testId, key);
    const { attemptId } = device;
    const reply = await server.send(
      deleteAttempt,
      { params: { attemptId } },
      { as: school.teacher },
    );
    expect(reply.status, reply.text).toBe(200);
    return { ...school, device, key, attemptId };
  }

  test('neither runs nor counts among those allowed: a start makes the next, with a number of its own', async () => {
    const { student, testId, attemptId } = await deleted();
    const reply = await new TestDevice(server, student).start(testId);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.attemptNumber).toBe(2);
    expect(reply.body.userTestId).not.toBe(attemptId);
  });

  test('is gone for a late copy of its start', async () => {
    const { device, testId, key } = await deleted();
    const copy = await device.start(testId, key);
    expect([copy.status, errorOf(copy).code]).toEqual([410, 'GONE']);
  });
});

describe('take-over (row 6)', () => {
  test("reports the owner's last contact: its own repeated start counts as contact", async () => {
    const { student, testId } = await makeSchool(server);
    const phone = new TestDevice(server, student);
    await phone.start(testId);
    server.clock.advance(5 * MINUTE);
    await phone.start(testId);
    const refused = await new TestDevice(server, student).start(testId);
    expect(errorOf(refused)).toMatchObject({
      details: { lastHeardAt: server.clock.now.toISOString() },
    });
  });

  test('after a restore uses an epoch beyond all that the backup may have lost', async () => {
    const { student, testId } = await makeSchool(server);
    const phone = new TestDevice(server, student);
    await phone.start(testId);
    const { state } = server.deps;
    state.epoch += 1;
    const tablet = new TestDevice(server, student);
    const reply = await tablet.start(testId, { [HEADER.takeOver]: phone.attemptId });
    state.epoch -= 1;
    expect(reply.body.epoch).toBe(1_001);
  });

  test('leaves the default stream of classmates alone, also where its device names none', async () => {
    const { devices, testId } = await startClass(server, ['Пётр', 'Анна']);
    const taken = nth(devices, 0);
    const other = nth(devices, 1);
    const takeOver = { [HEADER.takeOver]: taken.attemptId };
    await new TestDevice(server, taken.student).start(testId, takeOver);
    const reply = await server.send(
      startAttempt,
      { params: { id: testId } },
      { as: taken.student, headers: takeOver },
    );
    expect(reply.body.epoch, reply.text).toBe(3);
    const unnamed = await other.answer(RIGHT.single, other.operation({ [HEADER.stream]: '' }));
    expect(unnamed.body).toMatchObject({ outcome: 'stored', stream: other.stream });
  });

  test('by a device that names no stream makes its new stream the default one, by one that does not', async () => {
    const { student, testId } = await makeSchool(server);
    const phone = new TestDevice(server, student);
    await phone.start(testId);
    const unnamed = async () => {
      const headers = phone.operation({ [HEADER.stream]: '', [HEADER.epoch]: '' });
      return (await phone.answer(RIGHT.single, headers)).body.stream;
    };
    const tablet = new TestDevice(server, student);
    await tablet.start(testId, { [HEADER.takeOver]: phone.attemptId });
    expect(await unnamed()).toBe(phone.stream);
    const reply = await server.send(
      startAttempt,
      { params: { id: testId } },
      { as: student, headers: { [HEADER.takeOver]: phone.attemptId } },
    );
    expect(await unnamed()).toBe(reply.body.stream);
  });

  test("a device has its stream's name, whichever attempts of other tests used it", async () => {
    const { student, testId, teacher } = await makeSchool(server);
    const tablet = new TestDevice(server, student);
    await tablet.start(await makeTest(server, teacher, { students: [student] }));
    const { stream } = tablet;
    const phone = new TestDevice(server, student);
    await phone.start(testId);
    const reply = await tablet.start(testId, { [HEADER.takeOver]: phone.attemptId });
    expect(reply.body).toMatchObject({ stream, epoch: 2 });
  });

  test('names the attempt and makes the new stream its owner with the next epoch', async () => {
    const { student, testId } = await makeSchool(server);
    const phone = new TestDevice(server, student);
    const tablet = new TestDevice(server, student);
    await phone.start(testId);
    const refused = await tablet.start(testId);
    expect(errorOf(refused)).toMatchObject({
      code: 'RUNNING_ELSEWHERE',
      details: { userTestId: phone.attemptId, lastHeardAt: server.clock.now.toISOString() },
    });
    const wrong = await tablet.start(testId, { [HEADER.takeOver]: server.deps.newId() });
    expect(errorOf(wrong).code).toBe('ATTEMPT_NOT_RUNNING');
    await tablet.start(testId, { [HEADER.takeOver]: phone.attemptId });
    expect(tablet.epoch).toBe(2);
    expect(errorOf(await phone.start(testId)).code).toBe('RUNNING_ELSEWHERE');
  });

  test('is bounded: sixty at once, then one a minute; the last device goes on, and the live view counts them in one row', async () => {
    const { student, teacher, testId } = await makeSchool(server);
    const phone = new TestDevice(server, student);
    const tablet = new TestDevice(server, student);
    await phone.start(testId);
    const takeOver = { [HEADER.takeOver]: phone.attemptId };
    const counts: Record<string, number> = {};
    for (let index = 0; index < 150; index += 1) {
      const reply = await (index % 2 === 0 ? tablet : phone).start(testId, takeOver);
      const outcome = reply.status === 200 ? 'taken over' : errorOf(reply).code;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    // Every second one of the refused names the owner, which has the attempt already.
    expect(counts).toEqual({ 'taken over': 105, TOO_MANY_TAKE_OVERS: 45 });
    const refused = await tablet.start(testId, takeOver);
    expect([refused.status, errorOf(refused).message]).toEqual([
      409,
      'Тест слишком часто переходил с устройства на устройство. Продолжайте там, где он идёт сейчас, или повторите через минуту',
    ]);
    expect((await phone.answer(RIGHT.single)).body).toMatchObject({ outcome: 'stored' });
    const { rows: shown } = (
      await server.send(getBoard, { params: { id: testId } }, { as: teacher })
    ).body;
    expect(shown.map(({ devices }) => devices)).toEqual([61]);
    server.clock.advance(MINUTE);
    expect((await tablet.start(testId, takeOver)).status).toBe(200);
    expect((await phone.start(testId, takeOver)).status).toBe(409);
  });

  test('a stream that owned the attempt before returns under a new name', async () => {
    const { student, testId } = await makeSchool(server);
    const phone = new TestDevice(server, student);
    const tablet = new TestDevice(server, student);
    await phone.start(testId);
    const old = phone.stream;
    await tablet.start(testId, { [HEADER.takeOver]: phone.attemptId });
    await phone.start(testId, { [HEADER.takeOver]: phone.attemptId });
    expect(phone.epoch).toBe(3);
    expect(phone.stream).not.toBe(old);
  });
});
