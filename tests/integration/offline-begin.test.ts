import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateTest } from '#contract/authoring.ts';
import { addTimeToMany, getBoard } from '#contract/board.ts';
import { getTest } from '#contract/full-test.ts';
import { correctKey } from '#contract/grading.ts';
import { HEADER } from '#contract/headers.ts';
import { getLostTime } from '#contract/lost-time.ts';
import { decideHolds } from '#contract/offers.ts';
import { startAttempt, uploadChunk } from '#contract/passing.ts';
import { exportOwnData } from '#contract/profile.ts';
import { getReceipt } from '#contract/receipts.ts';
import { getAttemptPreview, getResult, listResults } from '#contract/results.ts';
import { getStatistics } from '#contract/statistics.ts';
import { recordUptime } from '#server/board/uptime.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import { makeOfflineSchool, OfflineDevice, renewCode, showCode } from '#tests/offline-device.ts';
import {
  errorOf,
  makeTest,
  Q,
  RIGHT,
  smallTest,
  TestDevice,
  type PlannedTest,
  type School,
} from '#tests/school.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const iso = (ago = 0) => new Date(server.clock.now.getTime() - ago).toISOString();

interface Lesson extends School {
  readonly device: OfflineDevice;
  readonly code: string;
}

/** An offer on a device, the code shown, and the offer opened 5 minutes later, 30 minutes ago. */
async function begunLesson(plan: PlannedTest = {}): Promise<Lesson> {
  const school = await makeOfflineSchool(server, plan);
  const device = new OfflineDevice(server, school.student);
  await device.fetch(school.testId);
  server.clock.advance(MINUTE * 60);
  const code = await showCode(server, school);
  server.clock.advance(MINUTE * 5);
  await device.open(code);
  server.clock.advance(MINUTE * 30);
  return { ...school, device, code };
}

const answersOf = async (attemptId: string) =>
  rows<{ outcome: string; late: boolean }>(
    server.pool,
    `select outcome, received_late as late from operations
     where attempt_id = $1 and kind = 'answer' order by ordinal`,
    [attemptId],
  );

const WRONG = { ...RIGHT.single, optionIds: ['a'] };

const PICTURE = Buffer.from(SAMPLES['image/jpeg']);
const FILE = {
  name: 'решение.jpg',
  size: PICTURE.length,
  mimeType: 'image/jpeg',
  sha256: createHash('sha256').update(PICTURE).digest('hex'),
};

const sendFile = ({ attemptId, student }: OfflineDevice, fileId: string) =>
  server.send(
    uploadChunk,
    {
      params: { id: attemptId, fileId },
      query: { ...FILE, offset: 0, questionId: Q.file },
      bytes: PICTURE,
    },
    { as: student },
  );

describe('a begin in time', () => {
  test('counts without the teacher, from the moment on the device', async () => {
    const { device, testId } = await begunLesson();
    const reply = await device.begin(30 * MINUTE);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toMatchObject({
      userTestId: device.ownOffer.offerId,
      testId,
      stream: device.stream,
      epoch: 1,
      attemptNumber: 1,
      startedAt: iso(30 * MINUTE),
      deadline: iso(-10 * MINUTE),
      leftTestTime: '00:10:00',
    });
    expect(reply.body.beginHold).toBeUndefined();
    const answer = await device.answer(
      RIGHT.single,
      device.operation({ [HEADER.age]: `${20 * MINUTE}` }),
    );
    expect(answer.body).toMatchObject({
      outcome: 'stored',
      receivedLate: false,
      writtenAt: iso(20 * MINUTE),
    });
    expect((await device.finish()).status).toBe(200);
  });

  test('shows the same questions as the offer did', async () => {
    const { device, code } = await begunLesson();
    const opened = await device.open(code);
    const reply = await device.begin(30 * MINUTE);
    expect(reply.body.questions).toEqual(opened.questions);
  });

  test('counts hours after its deadline, with the answers that were written in time', async () => {
    const { device } = await begunLesson();
    server.clock.advance(5 * 60 * MINUTE);
    const age = (30 + 5 * 60) * MINUTE;
    const reply = await device.begin(age);
    expect(reply.body.beginHold).toBeUndefined();
    expect(reply.body.deadline).toBe(iso(age - 40 * MINUTE));
    const inTime = device.operation({ [HEADER.age]: `${age - 39 * MINUTE}` });
    expect((await device.answer(RIGHT.single, inTime)).body).toMatchObject({ outcome: 'stored' });
    const late = device.operation({ [HEADER.age]: `${age - 42 * MINUTE}` });
    expect((await device.answer(RIGHT.several, late)).body).toMatchObject({ outcome: 'held' });
  });

  test('repeated has no second effect, with the same key or with another', async () => {
    const { device, testId } = await begunLesson();
    const first = await device.begin(30 * MINUTE);
    server.clock.advance(MINUTE);
    const again = await device.begin(31 * MINUTE);
    const fresh = { [HEADER.idempotencyKey]: server.deps.newId() };
    const withOtherKey = await device.begin('unknown', fresh);
    for (const { body } of [again, withOtherKey])
      expect(body).toMatchObject({
        userTestId: first.body.userTestId,
        startedAt: first.body.startedAt,
        deadline: first.body.deadline,
        stream: device.stream,
        epoch: 1,
      });
    expect(withOtherKey.body.beginHold).toBeUndefined();
    const made = await one(
      server.pool,
      `select (select count(*) from attempts where test_id = $1) as attempts,
         (select count(*) from begins where attempt_id = $2) as begins`,
      [testId, device.attemptId],
    );
    expect(made).toEqual({ attempts: 1, begins: 1 });
  });

  test('sent by twenty calls at once makes one attempt', async () => {
    const { device, testId } = await begunLesson();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        device.begin(30 * MINUTE, { [HEADER.idempotencyKey]: server.deps.newId() }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(replies.map(({ body }) => body.beginHold)).toEqual(replies.map(() => undefined));
    expect(await rows(server.pool, 'select id from attempts where test_id = $1', [testId])).toEqual(
      [{ id: device.ownOffer.offerId }],
    );
  });

  test('keeps answers that arrive before it, and counts them', async () => {
    const { device } = await begunLesson();
    const aged = device.operation({ [HEADER.age]: `${10 * MINUTE}` });
    const early = await device.answer(RIGHT.single, aged);
    expect(early.body).toMatchObject({ outcome: 'held' });
    await device.begin(30 * MINUTE);
    expect(await answersOf(device.attemptId)).toEqual([{ outcome: 'stored', late: false }]);
    expect((await device.answer(RIGHT.single, aged)).body.outcome).toBe('stored');
    await device.finish();
    const counted = await rows(server.pool, 'select 1 from answers where attempt_id = $1', [
      device.attemptId,
    ]);
    expect(counted).toHaveLength(1);
  });

  test('is over at once when its finish arrived before it', async () => {
    const { device } = await begunLesson();
    await device.answer(RIGHT.single, device.operation({ [HEADER.age]: `${10 * MINUTE}` }));
    expect((await device.finish()).body.outcome).toBe('held');
    expect((await device.begin(30 * MINUTE)).body.questions).toEqual([]);
    expect(
      await one(server.pool, 'select ended, points from attempts where id = $1', [
        device.attemptId,
      ]),
    ).toEqual({ ended: 'finished', points: 1 });
  });

  test.each([
    ['counts', RIGHT.single],
    ['is refused', { ...RIGHT.open, questionId: Q.single }],
  ])(
    'is over once the missing answer has come directly, though it %s and the finish arrived before it',
    async (_, body) => {
      const { device } = await begunLesson();
      const missing = device.operation();
      expect((await device.finish()).body.outcome).toBe('held');
      await device.begin(30 * MINUTE);
      const ended = () =>
        one(server.pool, 'select ended from attempts where id = $1', [device.attemptId]);
      expect(await ended()).toEqual({ ended: null });
      await device.answer(body, missing);
      expect(await ended()).toEqual({ ended: 'finished' });
    },
  );

  test('says in its receipt when an early finish was written, even if it came hours later', async () => {
    const { device, student } = await begunLesson();
    const finishedAt = server.clock.now.getTime() - 10 * MINUTE;
    server.clock.advance(150 * MINUTE);
    const age = { [HEADER.age]: `${160 * MINUTE}` };
    await device.answer(RIGHT.single, device.operation(age));
    await device.finish(device.operation(age));
    await device.begin(180 * MINUTE);
    const { attemptId } = device;
    const receipt = await server.send(getReceipt, { params: { attemptId } }, { as: student });
    expect(receipt.body.receipt?.text).toContain(
      `Завершение: ${new Date(finishedAt).toISOString()}`,
    );
    const written = await rows(
      server.pool,
      'select written_at as "writtenAt" from operations where attempt_id = $1',
      [attemptId],
    );
    expect(written).toEqual([1, 2].map(() => ({ writtenAt: new Date(finishedAt) })));
  });

  test('does not believe an age of an early operation that reaches back beyond it', async () => {
    const { device } = await begunLesson();
    await device.answer(RIGHT.single, device.operation({ [HEADER.age]: `${32 * MINUTE}` }));
    await device.begin(30 * MINUTE);
    expect(
      await one(
        server.pool,
        'select written_at as "writtenAt" from operations where attempt_id = $1',
        [device.attemptId],
      ),
    ).toEqual({ writtenAt: null });
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['its answers declare replaced', { [HEADER.folded]: '1' }, {}],
    ['it declares replaced', {}, { [HEADER.folded]: '1' }],
    ['it declares lost', {}, { [HEADER.setAside]: '1' }],
  ])(
    'is over at once when its early finish misses nothing but what %s',
    async (_, ofAnswer, ofFinish) => {
      const { device } = await begunLesson();
      device.operation();
      await device.answer(RIGHT.single, device.operation(ofAnswer));
      await device.finish(device.operation(ofFinish));
      await device.begin(30 * MINUTE);
      expect(
        await one(server.pool, 'select ended from attempts where id = $1', [device.attemptId]),
      ).toEqual({ ended: 'finished' });
    },
  );

  test.each([
    ['before the end: it counts', 15 * MINUTE, 'stored'],
    ['after the end: it is held', 0, 'held'],
  ])('judges an early answer by the time that its device had seen, %s', async (_, ago, outcome) => {
    const { device } = await begunLesson();
    server.clock.advance(25 * MINUTE);
    const seen = { [HEADER.age]: `${50 * MINUTE}`, [HEADER.seenServerTime]: iso(ago) };
    await device.answer(RIGHT.single, device.operation(seen));
    await device.begin(55 * MINUTE);
    expect(await answersOf(device.attemptId)).toMatchObject([{ outcome }]);
  });

  test('gives an early operation its receipt again, and another one of its id none', async () => {
    const { device, student, teacher } = await begunLesson();
    const headers = device.operation();
    const first = await device.answer(RIGHT.single, headers);
    expect((await device.answer(RIGHT.single, headers)).body).toEqual(first.body);
    const other = new OfflineDevice(server, student);
    await other.fetch(await makeTest(server, teacher, { offlineStart: true, students: [student] }));
    other.attemptId = other.ownOffer.offerId;
    const reused = [
      await device.answer(WRONG, headers),
      await device.finish(headers),
      await other.answer(RIGHT.single, headers),
    ];
    expect(reused.map((reply) => errorOf(reply).code)).toEqual(
      reused.map(() => 'OPERATION_REUSED'),
    );
    await device.begin(30 * MINUTE);
    expect((await device.answer(RIGHT.single, headers)).body.outcome).toBe('stored');
  });

  test('orders an early answer by its own stream, whatever epoch it claims', async () => {
    const { device } = await begunLesson();
    await device.answer(WRONG, device.operation({ [HEADER.epoch]: '7' }));
    await device.begin(30 * MINUTE);
    expect((await device.answer(RIGHT.single)).body).toMatchObject({ outcome: 'stored', epoch: 1 });
    expect((await device.finish()).body.outcome).toBe('stored');
    expect(
      await one(server.pool, 'select points from attempts where id = $1', [device.attemptId]),
    ).toEqual({ points: 1 });
  });

  test.each([
    [
      'to a question that it does not have',
      'UNKNOWN_QUESTION',
      { ...RIGHT.single, questionId: Q.single.replace(/^0/, '9') },
    ],
    ['of another kind', 'INVALID_ANSWER', { ...RIGHT.open, questionId: Q.single }],
  ])('refuses an early answer %s, which counts nowhere', async (_, code, answer) => {
    const { device, student } = await begunLesson();
    const headers = device.operation();
    expect((await device.answer(answer, headers)).body.outcome).toBe('held');
    await device.begin(30 * MINUTE);
    expect(errorOf(await device.answer(answer, headers)).code).toBe(code);
    expect((await device.finish()).body.outcome).toBe('stored');
    expect(await answersOf(device.attemptId)).toMatchObject([{ outcome: 'refused' }]);
    const { attemptId } = device;
    const receipt = await server.send(getReceipt, { params: { attemptId } }, { as: student });
    expect(receipt.body.receipt?.text).toContain('Ответов: 0');
  });

  test.each(['sent again', 'not sent again'] as const)(
    'is over once the last file has come, though its finish arrived before it: %s',
    async (repeat) => {
      const { device } = await begunLesson();
      const fileId = server.deps.newId();
      await device.answer(
        { questionId: Q.file, kind: 'file', fileId, ...FILE },
        device.operation({ [HEADER.age]: `${10 * MINUTE}` }),
      );
      const finish = device.operation();
      await device.finish(finish);
      await device.begin(30 * MINUTE);
      const ended = () =>
        one(server.pool, 'select ended from attempts where id = $1', [device.attemptId]);
      expect(await ended()).toEqual({ ended: null });
      if (repeat === 'sent again') await device.finish(finish);
      expect(await ended()).toEqual({ ended: null });
      await sendFile(device, fileId);
      expect(await ended()).toEqual({ ended: 'finished' });
    },
  );

  test('counts after a corrected key, which is no change of the questions', async () => {
    const { device, teacher, testId } = await begunLesson();
    await correctSingle(testId, teacher);
    server.clock.advance(10 * MINUTE);
    expect((await device.begin(5 * MINUTE)).body.beginHold).toBeUndefined();
  });

  test.each([
    ['before its window closed', 10],
    ['after its window closed', 70],
  ])('counts after another attempt ran out, %s', async (_, minutes) => {
    const { student, ...school } = await makeOfflineSchool(server, {
      attemptsCount: 2,
      windowMinutes: 60,
    });
    await new TestDevice(server, student).start(school.testId);
    server.clock.advance(45 * MINUTE);
    const device = new OfflineDevice(server, student);
    await device.fetch(school.testId);
    await device.open(await showCode(server, school));
    server.clock.advance(minutes * MINUTE);
    await closeDueAttempts(server.pool, server.clock.now, school.testId);
    expect((await device.begin(minutes * MINUTE)).body.beginHold).toBeUndefined();
  });

  test('has the time that the offer promised, though the end was moved', async () => {
    const moveEnd = ({ testId }: Lesson, ago: number) =>
      execute(server.pool, 'update tests set end_time = $2 where id = $1', [testId, iso(ago)]);
    const deadlineOf = async ({ device }: Lesson) => {
      const { body } = await device.begin(30 * MINUTE);
      expect(body.beginHold).toBeUndefined();
      return body.deadline;
    };
    const endless = await begunLesson();
    await moveEnd(endless, 20 * MINUTE);
    expect(await deadlineOf(endless)).toBe(iso(-10 * MINUTE));
    const inMinutes = (minutes: number) => new Date(server.clock.now.getTime() + minutes * MINUTE);
    const earlier = await begunLesson({ endTime: inMinutes(100) });
    await moveEnd(earlier, 20 * MINUTE);
    expect(await deadlineOf(earlier)).toBe(iso(-5 * MINUTE));
    const later = await begunLesson({ endTime: inMinutes(100) });
    await moveEnd(later, -8 * MINUTE);
    expect(await deadlineOf(later)).toBe(iso(-8 * MINUTE));
  });

  test.each([
    ['an earlier opening', 10],
    ['no opening', null],
  ])('counts by an offer with %s, though the opening was moved since', async (_, minutes) => {
    const startTime = minutes && new Date(server.clock.now.getTime() + minutes * MINUTE);
    const { device, testId } = await begunLesson(startTime ? { startTime } : {});
    await execute(server.pool, 'update tests set start_time = $2 where id = $1', [
      testId,
      iso(-24 * 60 * MINUTE),
    ]);
    const { body } = await device.begin(30 * MINUTE);
    expect(body.beginHold).toBeUndefined();
    expect(body.startedAt).toBe(iso(30 * MINUTE));
  });

  test('takes an attempt, so that the next offer is the next attempt', async () => {
    const { device, testId, student } = await begunLesson({ attemptsCount: 2 });
    await device.begin(30 * MINUTE);
    await device.finish();
    const next = new OfflineDevice(server, student);
    expect((await next.fetch(testId)).body).toMatchObject({ attemptNumber: 2 });
    expect(next.ownOffer.offerId).not.toBe(device.ownOffer.offerId);
  });

  test('may go on with a network on another device', async () => {
    const { device, student, testId } = await begunLesson();
    await device.begin(30 * MINUTE);
    const other = new TestDevice(server, student);
    const continued = await other.start(testId, { [HEADER.takeOver]: device.attemptId });
    expect(continued.body).toMatchObject({ userTestId: device.attemptId, epoch: 2 });
  });
});

/** Another option becomes the right one. */
async function correctSingle(testId: string, as: TestUser): Promise<void> {
  const single = smallTest[1];
  if (single?.kind !== 'variant') throw new Error('not the single choice');
  const options = single.options.map((one) => ({ ...one, isRight: one.optionId === 'a' }));
  const corrected = await server.send(
    correctKey,
    {
      params: { id: testId },
      body: { question: { ...single, options }, reason: 'Ключ неверный', dryRun: false },
    },
    { as },
  );
  expect(corrected.status, corrected.text).toBe(200);
}

describe('a code that was renewed before begins by it arrived', () => {
  test('counts those from between its showing and its renewal, and holds others', async () => {
    const lesson = await begunLesson();
    const late = await begunLesson();
    const early = await begunLesson();
    const unknown = await begunLesson();
    for (const one of [lesson, late, early, unknown])
      expect((await renewCode(server, one)).status).toBe(200);
    // What comes later is about the next code.
    await showCode(server, lesson);
    await renewCode(server, lesson);
    server.clock.advance(MINUTE);
    expect((await lesson.device.begin(31 * MINUTE)).body.beginHold).toBeUndefined();
    expect((await late.device.begin(0)).body.beginHold).toBe('replacedOffer');
    expect((await early.device.begin(200 * MINUTE)).body.beginHold).toBe('beforeOffer');
    expect((await unknown.device.begin('unknown')).body.beginHold).toBeUndefined();
  });

  test('holds those by a code that was not shown, though the next one was', async () => {
    const school = await makeOfflineSchool(server);
    const device = new OfflineDevice(server, school.student);
    await device.fetch(school.testId);
    const stored = await one<{ code: string }>(
      server.pool,
      'select code from start_codes where test_id = $1',
      [school.testId],
    );
    await device.open(stored?.code ?? '');
    server.clock.advance(5 * MINUTE);
    await renewCode(server, school);
    await showCode(server, school);
    server.clock.advance(5 * MINUTE);
    expect((await device.begin(8 * MINUTE)).body.beginHold).toBe('beforeCode');
  });
});

describe('nobody gains a minute', () => {
  test('a later time of the server that the device saw moves the begin, not the deadline of others', async () => {
    const { device } = await begunLesson();
    const seen = iso(20 * MINUTE);
    const reply = await device.begin(30 * MINUTE, { [HEADER.seenServerTime]: seen });
    expect(reply.body.startedAt).toBe(seen);
  });

  test('an unknown age counts from the first showing of the code', async () => {
    const { device } = await begunLesson();
    const reply = await device.begin('unknown');
    expect(reply.body).toMatchObject({ startedAt: iso(35 * MINUTE), deadline: iso(-5 * MINUTE) });
    expect(reply.body.beginHold).toBeUndefined();
  });

  test('an unknown age is held once that deadline is over', async () => {
    const { device } = await begunLesson();
    server.clock.advance(7 * MINUTE);
    const reply = await device.begin('unknown');
    expect(reply.body.beginHold).toBe('unknownTime');
    const answer = await device.answer(RIGHT.single);
    expect(answer.body.outcome).toBe('held');
  });

  test('the end of the test cuts the time of an offline begin', async () => {
    const endTime = new Date(server.clock.now.getTime() + 100 * MINUTE);
    const { device } = await begunLesson({ endTime });
    const reply = await device.begin(30 * MINUTE);
    expect(reply.body.deadline).toBe(endTime.toISOString());
  });
});

describe('a begin is held', () => {
  test('before the code was shown', async () => {
    const { device } = await begunLesson();
    const reply = await device.begin(37 * MINUTE);
    expect(reply.body.beginHold).toBe('beforeCode');
    expect(reply.body.userTestId).toBe(device.ownOffer.offerId);
    const answer = await device.answer(RIGHT.single);
    expect(answer.body.outcome).toBe('held');
  });

  test('before the opening', async () => {
    const startTime = new Date(server.clock.now.getTime() + 80 * MINUTE);
    const { device } = await begunLesson({ startTime });
    expect((await device.begin(30 * MINUTE)).body.beginHold).toBe('beforeOpening');
  });

  test('after the end', async () => {
    const endTime = new Date(server.clock.now.getTime() + 64 * MINUTE);
    const { device } = await begunLesson({ endTime });
    expect((await device.begin(30 * MINUTE)).body.beginHold).toBe('afterEnd');
  });

  test('with a wrong proof, and with one of another stream', async () => {
    const { device } = await begunLesson();
    const own = device.proof;
    device.proof = Buffer.alloc(32, 7).toString('base64url');
    expect((await device.begin(30 * MINUTE)).body.beginHold).toBe('proof');
    const { device: second } = await begunLesson();
    second.proof = own;
    expect((await second.begin(30 * MINUTE)).body.beginHold).toBe('proof');
  });

  test('after the questions were changed, and counts if it came before', async () => {
    const { device, teacher, testId } = await begunLesson();
    const { device: earlier, ...other } = await begunLesson();
    for (const [id, as] of [
      [testId, teacher],
      [other.testId, other.teacher],
    ] as const)
      await server.send(
        updateTest,
        { body: { id, version: 1, questions: smallTest.slice(1) } },
        { as },
      );
    server.clock.advance(10 * MINUTE);
    expect((await device.begin(5 * MINUTE)).body.beginHold).toBe('replacedOffer');
    const counts = await earlier.begin(40 * MINUTE);
    expect(counts.body.beginHold).toBeUndefined();
    expect(counts.body.totalQuestions).toBe(6);
  });

  test('between two changes of the questions, though the key was corrected after them', async () => {
    const { device, teacher, testId } = await begunLesson();
    const edit = async (version: number, questions: typeof smallTest) => {
      const edited = await server.send(
        updateTest,
        { body: { id: testId, version, questions } },
        { as: teacher },
      );
      expect(edited.status, edited.text).toBe(200);
      server.clock.advance(10 * MINUTE);
    };
    await edit(1, smallTest.slice(1));
    await edit(2, smallTest.slice(1, -1));
    await correctSingle(testId, teacher);
    expect((await device.begin(15 * MINUTE)).body.beginHold).toBe('replacedOffer');
  });

  test('of a test that the student may no longer take', async () => {
    const { device, testId } = await begunLesson();
    await execute(server.pool, 'delete from assignments where test_id = $1', [testId]);
    const reply = await device.begin(30 * MINUTE);
    expect(reply.status).toBe(200);
    expect(reply.body.beginHold).toBe('testClosed');
  });

  test('beside another attempt, and beyond the number of attempts', async () => {
    const { device, student, testId } = await begunLesson({ attemptsCount: 2 });
    const online = new TestDevice(server, student);
    await online.start(testId);
    expect((await device.begin(30 * MINUTE)).body.beginHold).toBe('otherAttempt');
    const { device: late, ...other } = await begunLesson({ attemptsCount: 1 });
    const used = new TestDevice(server, other.student);
    await used.start(other.testId);
    await used.finish();
    server.clock.advance(20 * MINUTE);
    expect((await late.begin(5 * MINUTE)).body.beginHold).toBe('noAttemptsLeft');
  });

  test('on a second device with the same offer, which changes nothing of the first', async () => {
    const { device, student, testId, code } = await begunLesson();
    const second = new OfflineDevice(server, student);
    second.offer = device.ownOffer;
    await second.open(code);
    const first = await device.begin(30 * MINUTE);
    const reply = await second.begin(10 * MINUTE);
    expect(reply.body).toMatchObject({
      userTestId: first.body.userTestId,
      deadline: first.body.deadline,
      beginHold: 'secondDevice',
    });
    expect(reply.headers[HEADER.activeStream]).toBe(device.stream);
    expect((await second.answer(RIGHT.single)).body.outcome).toBe('held');
    expect((await device.answer(RIGHT.several)).body.outcome).toBe('stored');
    expect(
      await rows(server.pool, 'select id from attempts where test_id = $1', [testId]),
    ).toHaveLength(1);
  });

  test('a start with a network does not take over a held one', async () => {
    const { device, student, testId } = await begunLesson({ attemptsCount: 3 });
    await device.begin(37 * MINUTE);
    const online = new TestDevice(server, student);
    for (const headers of [{}, { [HEADER.takeOver]: device.attemptId }]) {
      const refused = errorOf(await online.start(testId, headers));
      expect(refused.code).toBe('BEGIN_HELD');
      expect(refused.message).toContain('начало проверит преподаватель');
    }
  });

  test('and opens nothing that was sealed, before and after its end', async () => {
    const school = await makeOfflineSchool(server, { attemptsCount: 2 });
    const { student, testId } = school;
    const device = new OfflineDevice(server, student);
    await device.fetch(testId);
    device.attemptId = device.ownOffer.offerId;
    // Without the code: nobody has seen it.
    device.proof = Buffer.alloc(32, 7).toString('base64url');
    const params = { attemptId: device.attemptId };
    const read = async () =>
      [
        await device.begin('unknown'),
        await server.send(getTest, { params: { id: testId } }, { as: student }),
        await server.send(getResult, { params }, { as: student }),
        await server.send(getAttemptPreview, { params }, { as: student }),
        await new TestDevice(server, student).start(testId),
      ] as const;
    const replies = await read();
    server.clock.advance(30 * 60 * MINUTE);
    const [begun, full, result, preview] = replies;
    expect(begun.body).toMatchObject({ beginHold: 'proof', questions: [] });
    expect(full.body).toMatchObject({ questions: [] });
    for (const reply of [result, preview]) expect(errorOf(reply).code).toBe('BEGIN_HELD');
    for (const reply of [...replies, ...(await read())])
      for (const { text } of smallTest) expect(reply.text).not.toContain(text);
    const archive = await server.app.inject({
      method: 'GET',
      url: exportOwnData.path,
      headers: { authorization: `Bearer ${student.token}` },
    });
    const exported = Object.entries(unzipSync(archive.rawPayload)).map(([, bytes]) =>
      Buffer.from(bytes).toString(),
    );
    expect(exported.join()).toContain('начало без сети');
    for (const { text } of smallTest) expect(exported.join()).not.toContain(text);
  });
});

describe('the attempt that a student went on with elsewhere, after a begin that came late', () => {
  /** A phone begins without a network and dies; its begin arrives while another attempt runs on a computer. */
  async function replaced(plan: PlannedTest = { attemptsCount: 2 }) {
    const lesson = await begunLesson(plan);
    const computer = new TestDevice(server, lesson.student);
    await computer.start(lesson.testId);
    server.clock.advance(10 * MINUTE);
    expect((await lesson.device.begin(40 * MINUTE)).body.beginHold).toBe('otherAttempt');
    return { ...lesson, computer };
  }

  const accept = (as: TestUser, id: string, attemptId: string) =>
    server.send(
      decideHolds,
      { params: { id }, body: { attemptIds: [attemptId], decision: 'accept' } },
      { as },
    );

  test('is the one on the board, and gets minutes', async () => {
    const { teacher, testId, computer, device } = await replaced();
    const params = { id: testId };
    const board = await server.send(getBoard, { params }, { as: teacher });
    expect(board.body.rows).toMatchObject([{ attemptId: computer.attemptId }]);
    const addTo = async (attemptId: string) => {
      const body = { key: server.deps.newId(), minutes: 5, attemptIds: [attemptId] };
      return (await server.send(addTimeToMany, { params, body }, { as: teacher })).body;
    };
    expect((await addTo(computer.attemptId)).extended).toHaveLength(1);
    expect((await addTo(device.attemptId)).extended).toEqual([]);
  });

  test('gets back what an outage took', async () => {
    const { teacher, testId, computer } = await replaced();
    await recordUptime(server.pool, server.clock.now);
    server.clock.advance(10 * MINUTE);
    await recordUptime(server.pool, server.clock.now);
    const lost = await server.send(getLostTime, { params: { id: testId } }, { as: teacher });
    expect(lost.body.items.map(({ attemptId }) => attemptId)).toEqual([computer.attemptId]);
  });

  test.each([
    ['runs too', 0],
    ['is over', 20],
  ])('is resumed after the late one was accepted, which %s', async (_, minutes) => {
    const { teacher, testId, computer, device } = await replaced({ attemptsCount: 3 });
    server.clock.advance(minutes * MINUTE);
    await accept(teacher, testId, device.attemptId);
    const again = await computer.start(testId);
    expect(again.body.userTestId, again.text).toBe(computer.attemptId);
  });

  test('makes the mark as the last one, after the late one was accepted', async () => {
    const { teacher, student, testId, computer, device } = await replaced();
    await execute(server.pool, `update tests set counted_attempt = 'last' where id = $1`, [testId]);
    await accept(teacher, testId, device.attemptId);
    for (const each of [computer, device]) await each.finish();
    const params = { id: testId };
    const own = await server.send(listResults, { params, query: {} }, { as: student });
    expect(own.body.attempts.map(({ attemptId, counts }) => [attemptId, counts])).toEqual([
      [device.attemptId, false],
      [computer.attemptId, true],
    ]);
    const all = await server.send(getStatistics, { params, query: {} }, { as: teacher });
    const counted = all.body.items.filter((one) => one.counted);
    expect(counted.map(({ attemptNumber }) => attemptNumber)).toEqual([1]);
  });

  test('is not the held one, though an older attempt still takes late answers', async () => {
    const school = await makeOfflineSchool(server, { attemptsCount: 3, windowMinutes: 120 });
    await new TestDevice(server, school.student).start(school.testId);
    server.clock.advance(45 * MINUTE);
    const device = new OfflineDevice(server, school.student);
    await device.fetch(school.testId);
    await device.open(await showCode(server, school));
    expect((await device.begin(2 * MINUTE)).body.beginHold).toBeDefined();
    const start = await new TestDevice(server, school.student).start(school.testId);
    expect(errorOf(start).code).toBe('BEGIN_HELD');
  });
});

describe('a begin is refused in words', () => {
  test('of another student’s offer, of an unknown one, and of another test', async () => {
    const { device, testId } = await begunLesson();
    const { device: foreign, testId: otherTest } = await begunLesson();
    const stranger = new OfflineDevice(server, foreign.student);
    stranger.offer = device.ownOffer;
    stranger.proof = device.proof;
    const unknown = { [HEADER.offer]: server.deps.newId() };
    const replies = [
      await stranger.begin(30 * MINUTE),
      await device.begin(30 * MINUTE, unknown),
      await device.start(otherTest, {
        [HEADER.offer]: device.ownOffer.offerId,
        [HEADER.offerProof]: device.proof,
      }),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(422);
      expect(errorOf(reply)).toMatchObject({
        code: 'UNKNOWN_OFFER',
        message: expect.stringContaining('Ответы на устройстве целы') as string,
      });
    }
    expect(await rows(server.pool, 'select 1 from attempts where test_id = $1', [testId])).toEqual(
      [],
    );
  });

  test('of a begun offer of another student', async () => {
    const { device } = await begunLesson();
    await device.begin(30 * MINUTE);
    const stranger = new OfflineDevice(server, await server.user());
    stranger.offer = device.ownOffer;
    stranger.proof = device.proof;
    expect(errorOf(await stranger.begin(30 * MINUTE)).code).toBe('UNKNOWN_OFFER');
  });

  test.each([
    ['a damaged id', { [HEADER.offer]: 'a-damaged-id' }],
    ['a damaged proof', { [HEADER.offerProof]: 'short' }],
    ['a damaged age', { [HEADER.age]: '-5' }],
    ['a take-over', { [HEADER.takeOver]: '00000000-0000-4000-8000-000000000001' }],
  ])('with %s', async (_, headers) => {
    const { device } = await begunLesson();
    const refused = await device.begin(30 * MINUTE, headers);
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/[а-я]/);
    expect((await device.begin(30 * MINUTE)).status).toBe(200);
  });

  test('without a stream, a key or a proof', async () => {
    const { device, student, testId } = await begunLesson();
    const refused = await server.send(
      startAttempt,
      { params: { id: testId } },
      { as: student, headers: { [HEADER.offer]: device.ownOffer.offerId } },
    );
    expect(errorOf(refused)).toMatchObject({
      code: 'VALIDATION',
      details: {
        fields: [HEADER.stream, HEADER.offerProof, HEADER.idempotencyKey].map((field) => ({
          field,
          message: 'Начало без сети пришло неполным. Повторите',
        })),
      },
    });
  });
});
