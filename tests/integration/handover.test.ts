import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addTime } from '#contract/attempts.ts';
import { getBoard } from '#contract/board.ts';
import { listMissing, listTestHeld } from '#contract/grading.ts';
import { bringHandover, HANDOVER_CALLS, type HandoverReceipts } from '#contract/handover.ts';
import { HEADER } from '#contract/headers.ts';
import { getLostTime } from '#contract/lost-time.ts';
import { handoverPlace, handoverReceiptsPlace, joinPart, splitPart } from '#domain/handover.ts';
import { deviceKeyBytes, encrypt } from '#server/auth/device-key.ts';
import { rows } from '#server/db/query.ts';
import {
  decrypt,
  makeOfflineSchool,
  OfflineDevice,
  secondOf,
  showCode,
} from '#tests/offline-device.ts';
import { errorOf, Q, RIGHT, type School, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const iso = (ago = 0) => new Date(server.clock.now.getTime() - ago).toISOString();

interface Lesson extends School {
  readonly device: OfflineDevice;
}

/** An offer that was opened on a device half an hour ago, five minutes after the code was shown. */
async function begunLesson(): Promise<Lesson> {
  const school = await makeOfflineSchool(server);
  const device = new OfflineDevice(server, school.student);
  await device.fetch(school.testId);
  server.clock.advance(60 * MINUTE);
  const code = await showCode(server, school);
  server.clock.advance(5 * MINUTE);
  await device.open(code);
  server.clock.advance(30 * MINUTE);
  return { ...school, device };
}

const keyOf = ({ student }: School) => deviceKeyBytes(server.deps.state.sealKey, student.userId);

/** A part as a device makes it. */
function sealed(school: School, calls: unknown[], madeAt: string | null = iso(), file = '') {
  const packed = deflateRawSync(joinPart({ madeAt, calls }, Buffer.from(file)));
  return encrypt(keyOf(school), packed, handoverPlace(school.student.userId));
}

async function bring(school: School, bytes: Buffer) {
  const { userId } = school.student;
  const reply = await server.send(
    bringHandover,
    { params: { owner: userId }, bytes },
    { as: school.teacher },
  );
  return reply;
}

function receiptsOf(school: School, text: string): HandoverReceipts {
  const bytes = Buffer.from(text, 'base64');
  const plain = decrypt(keyOf(school), bytes, handoverReceiptsPlace(school.student.userId));
  const part = splitPart(inflateRawSync(plain));
  return JSON.parse(Buffer.from(part?.json ?? []).toString()) as HandoverReceipts;
}

const beginCall = ({ device }: Lesson, age: number | 'unknown') => ({
  call: 'begin',
  testId: device.ownOffer.testId,
  headers: {
    [HEADER.idempotencyKey]: device.beginKey,
    [HEADER.stream]: device.stream,
    [HEADER.offer]: device.ownOffer.offerId,
    [HEADER.offerProof]: device.proof,
    [HEADER.age]: String(age),
  },
});

const answerCall = ({ device }: Lesson, body: unknown, age: number) => ({
  call: 'answer',
  attemptId: device.ownOffer.offerId,
  headers: device.operation({ [HEADER.age]: String(age) }),
  body,
});

const stored = async (attemptId: string) =>
  rows<{ outcome: string }>(
    server.pool,
    'select outcome from operations where attempt_id = $1 order by ordinal',
    [attemptId],
  );

describe('a begin without a network that comes in another way', () => {
  test('counts from the moment on the device, with its answers, however long it travelled', async () => {
    const lesson = await begunLesson();
    const part = sealed(lesson, [
      beginCall(lesson, 30 * MINUTE),
      answerCall(lesson, RIGHT.single, 20 * MINUTE),
    ]);
    server.clock.advance(120 * MINUTE);
    const { body } = await bring(lesson, part);
    expect(body).toMatchObject({ begins: 1, heldBegins: 0, answers: 1, held: 0, problems: [] });
    const { begins, receipts, serverEpoch } = receiptsOf(lesson, body.receipts);
    expect(serverEpoch).toBe(server.deps.state.epoch);
    expect(begins).toEqual([
      expect.objectContaining({
        attemptId: lesson.device.ownOffer.offerId,
        stream: lesson.device.stream,
        startedAt: iso(150 * MINUTE),
        deadline: iso(110 * MINUTE),
        hold: null,
      }),
    ]);
    expect(receipts.map(({ outcome, writtenAt }) => ({ outcome, writtenAt }))).toEqual([
      { outcome: 'stored', writtenAt: iso(140 * MINUTE) },
    ]);
    // The device sends its begin after all.
    const direct = await lesson.device.begin(150 * MINUTE);
    expect(direct.body).toMatchObject({ startedAt: iso(150 * MINUTE), epoch: 1 });
    expect(direct.body.beginHold).toBeUndefined();
  });

  test('fails for the moment: brought in again it is over by its finish, whatever was replaced', async () => {
    const lesson = await begunLesson();
    const { device } = lesson;
    device.operation();
    const answer = answerCall(lesson, RIGHT.single, 20 * MINUTE);
    const finish = {
      call: 'finish',
      attemptId: device.ownOffer.offerId,
      headers: device.operation(),
    };
    const part = sealed(lesson, [
      beginCall(lesson, 30 * MINUTE),
      { ...answer, headers: { ...answer.headers, [HEADER.folded]: '1' } },
      finish,
    ]);
    await server.pool.query('alter table begins rename to begins_away');
    const failed = await bring(lesson, part);
    await server.pool.query('alter table begins_away rename to begins');
    expect(failed.body).toMatchObject({ begins: 0, stray: 1, strayFinishes: 1, unmade: 1 });
    expect((await bring(lesson, part)).body).toMatchObject({ begins: 1, answers: 1, unmade: 0 });
    expect(
      await rows(server.pool, 'select ended from attempts where id = $1', [
        device.ownOffer.offerId,
      ]),
    ).toEqual([{ ended: 'finished' }]);
  });

  test('has an unknown age where the device does not know the server’s time', async () => {
    const lesson = await begunLesson();
    const { body } = await bring(lesson, sealed(lesson, [beginCall(lesson, 30 * MINUTE)], null));
    // The earliest moment that the evidence allows: the showing of the code.
    expect(receiptsOf(lesson, body.receipts).begins[0]?.startedAt).toBe(iso(35 * MINUTE));
  });

  test('has an unknown age above ten years, however its parts add up', async () => {
    const lesson = await begunLesson();
    const stranger = { [HEADER.stream]: server.deps.newId(), [HEADER.epoch]: '2' };
    const answer = answerCall(lesson, RIGHT.single, 315_576_000_000);
    const part = sealed(
      lesson,
      [
        beginCall(lesson, 315_576_000_000),
        { ...answer, headers: { ...answer.headers, ...stranger } },
      ],
      '1970-01-01T00:00:00.000Z',
    );
    const { body } = await bring(lesson, part);
    expect(body).toMatchObject({ begins: 1, held: 1, problems: [] });
    const { begins, receipts } = receiptsOf(lesson, body.receipts);
    expect(begins[0]?.startedAt).toBe(iso(35 * MINUTE));
    expect(receipts.map(({ writtenAt }) => writtenAt)).toEqual([null]);
  });

  test('dated by a year that no device has is no handover', async () => {
    const lesson = await begunLesson();
    const part = sealed(lesson, [beginCall(lesson, 0)], '0000-01-01T00:00:00.000Z');
    expect(errorOf(await bring(lesson, part)).code).toBe('HANDOVER_UNREADABLE');
  });

  test('of a second device waits for the teacher with its finish, and its device learns so', async () => {
    const lesson = await begunLesson();
    await lesson.device.begin(30 * MINUTE);
    const at = { ...lesson, device: secondOf(lesson.device) };
    const finish = {
      call: 'finish',
      attemptId: at.device.ownOffer.offerId,
      headers: at.device.operation(),
    };
    const { body } = await bring(lesson, sealed(lesson, [beginCall(at, 20 * MINUTE), finish]));
    expect(body).toMatchObject({ begins: 0, heldBegins: 1, problems: [] });
    expect(body).toMatchObject({ finishes: 0, heldFinishes: 1 });
    expect(receiptsOf(lesson, body.receipts).begins[0]?.hold).toBe('secondDevice');
  });

  test('of an offer that a restored database does not know: its answers wait for no decision', async () => {
    const lesson = await begunLesson();
    const { offerId } = lesson.device.ownOffer;
    await server.pool.query('delete from offers where id = $1', [offerId]);
    const { epoch } = server.deps.state;
    server.deps.state.epoch = 5;
    const answer = answerCall(lesson, RIGHT.single, 0);
    const finish = { call: 'finish', attemptId: offerId, headers: lesson.device.operation() };
    const part = sealed(lesson, [beginCall(lesson, 0), answer, finish]);
    const { body } = await bring(lesson, part);
    server.deps.state.epoch = epoch;
    expect(body).toMatchObject({ held: 0, heldFinishes: 0, stray: 1, strayFinishes: 1 });
    expect(receiptsOf(lesson, body.receipts).receipts).toHaveLength(2);
    const of = { params: { id: lesson.testId }, query: { page: 1, pageSize: 10 } };
    const held = await server.send(listTestHeld, of, { as: lesson.teacher });
    expect(held.body.total).toBe(0);
    const missing = await server.send(listMissing, of, { as: lesson.teacher });
    expect(missing.body.items).toMatchObject([{ attemptId: null, stray: 1 }]);
  });

  test('is not ended by a finish of a deadline that was moved before the finish came', async () => {
    const lesson = await begunLesson();
    const { device } = lesson;
    await device.begin(30 * MINUTE);
    server.clock.advance(10 * MINUTE);
    const finish = {
      call: 'finish',
      attemptId: device.ownOffer.offerId,
      headers: device.operation({ [HEADER.age]: '0', [HEADER.finishReason]: 'deadline' }),
    };
    const part = sealed(lesson, [finish]);
    await server.send(
      addTime,
      { params: { attemptId: device.attemptId }, body: { minutes: 10 } },
      { as: lesson.teacher },
    );
    server.clock.advance(11 * MINUTE);
    const { body } = await bring(lesson, part);
    expect(body).toMatchObject({ finishes: 0, problems: [expect.stringContaining('продлили')] });
    const inAddedTime = answerCall(lesson, RIGHT.single, 9 * MINUTE);
    expect((await bring(lesson, sealed(lesson, [inAddedTime]))).body).toMatchObject({ answers: 1 });
  });

  test('a start that is no begin is not made for anybody', async () => {
    const lesson = await begunLesson();
    const { headers, ...call } = beginCall(lesson, 0);
    const { [HEADER.offer]: _, [HEADER.offerProof]: __, ...plain } = headers;
    const { body } = await bring(lesson, sealed(lesson, [{ ...call, headers: plain }]));
    expect(body).toMatchObject({ begins: 0, problems: [expect.stringContaining('не понял')] });
    const made = await rows(server.pool, 'select 1 from attempts where test_id = $1', [
      lesson.testId,
    ]);
    expect(made).toEqual([]);
  });
});

const uploadCall = ({ device }: Lesson, size: number) => ({
  call: 'upload',
  attemptId: device.ownOffer.offerId,
  fileId: server.deps.newId(),
  questionId: Q.file,
  name: 'решение.pdf',
  mimeType: 'application/pdf',
  size: String(size),
  sha256: createHash('sha256').update('решение').digest('hex'),
});

test.each([
  ['an empty file', 0, '', 'Файл пустой. Выберите другой'],
  ['a file whose bytes are not all there', 14, 'реш', 'Файл дошёл повреждённым'],
])('%s is reported, not passed over', async (_, size, file, problem) => {
  const lesson = await begunLesson();
  await bring(lesson, sealed(lesson, [beginCall(lesson, 30 * MINUTE)]));
  const { body } = await bring(lesson, sealed(lesson, [uploadCall(lesson, size)], iso(), file));
  expect(body).toMatchObject({ files: 0, problems: [expect.stringContaining(problem)] });
});

describe('a part whose calls fail on the server', () => {
  /** As a database that fails for these answers until it is repaired. */
  async function breakFor(questionIds: readonly string[]) {
    await server.pool.query(`
      create function fail_for_test() returns trigger language plpgsql as
        $$ begin raise exception 'planted'; end $$;
      create trigger fail_for_test before insert on operations for each row
        when (new.question_id in (${questionIds.map((id) => `'${id}'`).join(', ')}))
        execute function fail_for_test()`);
    return () => server.pool.query('drop function fail_for_test cascade');
  }

  test('says what is left, and a repeat brings in the rest without doubling anything', async () => {
    const lesson = await begunLesson();
    const part = sealed(lesson, [
      beginCall(lesson, 30 * MINUTE),
      answerCall(lesson, RIGHT.single, 20 * MINUTE),
      answerCall(lesson, RIGHT.several, 19 * MINUTE),
      answerCall(lesson, RIGHT.open, 18 * MINUTE),
    ]);
    const repair = await breakFor([Q.single]);
    const { body, status } = await bring(lesson, part);
    await repair();
    expect(status).toBe(200);
    expect(body).toMatchObject({ begins: 1, answers: 2, unmade: 1, problems: [] });
    expect(receiptsOf(lesson, body.receipts).receipts).toHaveLength(2);
    const again = await bring(lesson, part);
    expect(again.body).toMatchObject({ begins: 1, answers: 3, unmade: 0 });
    expect(await stored(lesson.device.ownOffer.offerId)).toHaveLength(3);
  });

  test('stops after three failures in a row, since each may have waited for the database', async () => {
    const lesson = await begunLesson();
    const failing = [RIGHT.single, RIGHT.several, RIGHT.single];
    const part = sealed(lesson, [
      beginCall(lesson, 30 * MINUTE),
      ...[...failing, RIGHT.open].map((answer) => answerCall(lesson, answer, 20 * MINUTE)),
    ]);
    const repair = await breakFor([Q.single, Q.several]);
    const { body } = await bring(lesson, part);
    await repair();
    expect(body).toMatchObject({ begins: 1, answers: 0, unmade: 4 });
    expect(await stored(lesson.device.ownOffer.offerId)).toEqual([]);
  });
});

describe('a part made by a device that is not ours', () => {
  test('one call that is none spoils no other', async () => {
    const lesson = await begunLesson();
    const { body } = await bring(
      lesson,
      sealed(lesson, [
        beginCall(lesson, 30 * MINUTE),
        { call: 'erase', attemptId: lesson.device.ownOffer.offerId },
        answerCall(lesson, RIGHT.single, 20 * MINUTE),
      ]),
    );
    expect(body).toMatchObject({ begins: 1, answers: 1, problems: [expect.any(String)] });
  });

  test('an attempt of somebody else takes nothing', async () => {
    const [lesson, other] = [await begunLesson(), await begunLesson()];
    await lesson.device.begin(30 * MINUTE);
    const theft = [answerCall(lesson, RIGHT.single, 0)];
    const { body } = await bring(other, sealed(other, theft));
    expect(body).toMatchObject({ answers: 0, held: 0, problems: [expect.any(String)] });
    expect(await stored(lesson.device.ownOffer.offerId)).toEqual([]);
  });

  test.each([
    [
      'more calls than a part may have',
      () =>
        joinPart(
          { madeAt: null, calls: Array.from({ length: HANDOVER_CALLS + 1 }, () => ({})) },
          Buffer.alloc(0),
        ),
    ],
    [
      'JSON beyond its limit',
      () => joinPart({ madeAt: null, calls: ['я'.repeat(1_000_000)] }, Buffer.alloc(0)),
    ],
    [
      'bytes that unpack to more than a file',
      () => joinPart({ madeAt: null, calls: [] }, Buffer.alloc(40_000_000)),
    ],
    ['a length beyond its bytes', () => Buffer.from([255, 255, 255, 255, 0])],
    ['no JSON', () => Buffer.from([0, 0, 0, 2, 0x7b, 0x7b])],
  ])('is refused as a whole: %s', async (_, plain) => {
    const lesson = await begunLesson();
    const { userId } = lesson.student;
    const bytes = encrypt(keyOf(lesson), deflateRawSync(plain()), handoverPlace(userId));
    expect(errorOf(await bring(lesson, bytes)).code).toBe('HANDOVER_UNREADABLE');
  });

  test('what was encrypted for another purpose is no handover', async () => {
    const lesson = await begunLesson();
    const packed = deflateRawSync(joinPart({ madeAt: null, calls: [] }, Buffer.alloc(0)));
    const row = encrypt(keyOf(lesson), packed, `attempts/${lesson.device.ownOffer.offerId}`);
    expect(errorOf(await bring(lesson, row)).code).toBe('HANDOVER_UNREADABLE');
  });
});

describe('a handover is no contact of its device', () => {
  const boardRow = async ({ testId, teacher }: School) => {
    const of = { params: { id: testId }, query: {} };
    return (await server.send(getBoard, of, { as: teacher })).body.rows[0];
  };
  const lost = async ({ testId, teacher }: School) =>
    (await server.send(getLostTime, { params: { id: testId } }, { as: teacher })).body.items;

  test('the board shows what it says of the device, and the minutes until the next one are lost', async () => {
    const school = await makeOfflineSchool(server);
    const device = new TestDevice(server, school.student);
    await device.start(school.testId);
    const startedAt = iso();
    server.clock.advance(3 * MINUTE);
    // It wrote two answers; the other one is not in this part.
    const headers = device.operation({ [HEADER.head]: '2' });
    const answer = { call: 'answer', attemptId: device.attemptId, headers, body: RIGHT.single };
    const part = sealed(school, [answer]);
    server.clock.advance(10 * MINUTE);
    expect((await bring(school, part)).body).toMatchObject({ answers: 1 });
    const writtenAt = iso(10 * MINUTE);
    expect(await boardRow(school)).toMatchObject({
      lastSeenAt: startedAt,
      unsent: 1,
      unsentAt: writtenAt,
      unsentSince: writtenAt,
    });
    const takeOver = { [HEADER.takeOver]: device.attemptId };
    await new TestDevice(server, school.student).start(school.testId, takeOver);
    const minutes = [{ minutes: 10, causes: [{ periods: [{ from: writtenAt, to: iso() }] }] }];
    expect(await lost(school)).toMatchObject(minutes);
    // The old device works again. It was in no contact before.
    server.clock.advance(MINUTE);
    await device.answer(RIGHT.open, device.operation({ [HEADER.age]: String(11 * MINUTE) }));
    expect(await lost(school)).toMatchObject([{ minutes: 10 }]);
  });

  test('nor is its begin, or an answer that came before it', async () => {
    const lesson = await begunLesson();
    const begin = sealed(lesson, [beginCall(lesson, 20 * MINUTE)]);
    const answer = sealed(lesson, [answerCall(lesson, RIGHT.single, 15 * MINUTE)]);
    server.clock.advance(10 * MINUTE);
    expect((await bring(lesson, answer)).body).toMatchObject({ stray: 1 });
    expect((await bring(lesson, begin)).body).toMatchObject({ begins: 1 });
    expect(await boardRow(lesson)).toMatchObject({ lastSeenAt: iso(30 * MINUTE) });
    const takeOver = { [HEADER.takeOver]: lesson.device.ownOffer.offerId };
    await new TestDevice(server, lesson.student).start(lesson.testId, takeOver);
    expect(await lost(lesson)).toMatchObject([{ minutes: 25 }]);
  });
});
