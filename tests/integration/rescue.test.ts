import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addTime, decideHeld, deleteAttempt, restoreAttempt } from '#contract/attempts.ts';
import type { Answer } from '#contract/answers.ts';
import { getFile } from '#contract/files.ts';
import { HEADER } from '#contract/headers.ts';
import { FILE_CHUNK_BYTES } from '#contract/limits.ts';
import { getLostTime } from '#contract/lost-time.ts';
import { decideHolds } from '#contract/offers.ts';
import { bringAnswers, bringFile, type RescuedAnswer } from '#contract/rescue.ts';
import { execute, rows } from '#server/db/query.ts';
import { makeOfflineSchool, OfflineDevice, showCode } from '#tests/offline-device.ts';
import { errorOf, makeSchool, makeTest, Q, RIGHT, TestDevice, type School } from '#tests/school.ts';
import { type Answered, type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let school: School;
let device: TestDevice;
/** A student has started a test of a teacher's. */
async function begin(): Promise<void> {
  school = await makeSchool(server);
  device = new TestDevice(server, school.student);
  await device.start(school.testId);
}

/** An answer as the student's device saved it to its file. */
const saved = (answer: Answer, of: Partial<RescuedAnswer> = {}): RescuedAnswer => ({
  operationId: server.deps.newId(),
  stream: device.stream,
  epoch: 1,
  sequence: 1,
  answer,
  writtenAt: null,
  seenServerTime: null,
  ...of,
});

interface Where {
  testId: string;
  attemptId: string;
  owner: string;
  as: TestUser;
}
const here = (): Where => ({
  testId: school.testId,
  attemptId: device.attemptId,
  owner: school.student.userId,
  as: school.teacher,
});

const bring = (
  answers: readonly RescuedAnswer[],
  { testId, attemptId, owner, as }: Where = here(),
) =>
  server.send(
    bringAnswers,
    { params: { id: testId, attemptId }, body: { owner, answers: [...answers] } },
    { as },
  );

const PICTURE = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(900, 7)]);

const bringPicture = (
  { testId, attemptId, owner, as }: Where = here(),
  fileId = server.deps.newId(),
  bytes = PICTURE,
) =>
  server.send(
    bringFile,
    {
      params: { id: testId, attemptId, fileId },
      query: {
        owner,
        questionId: Q.file,
        name: 'решение.jpg',
        mimeType: 'image/jpeg',
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
      bytes,
    },
    { as },
  );

const outcomes = ({ body }: Answered<{ results: { outcome: string }[] }>) =>
  body.results.map(({ outcome }) => outcome);

/** The journal and the files of all attempts of a test. */
async function storedFor(...attemptIds: readonly string[]) {
  const operations = await rows<{
    id: string;
    attemptId: string;
    sequence: number | null;
    outcome: string;
    text: string | null;
  }>(
    server.pool,
    `select id, attempt_id as "attemptId", sequence, outcome, body ->> 'text' as text
     from operations where attempt_id = any($1) order by ordinal`,
    [attemptIds],
  );
  const files = await rows<{ id: string }>(
    server.pool,
    'select id from uploads where attempt_id = any($1) order by id',
    [attemptIds],
  );
  return { operations, files: files.map(({ id }) => id) };
}
const NOTHING = { operations: [], files: [] };

const MINUTE = 60_000;

const addMinutes = () =>
  server.send(
    addTime,
    { params: { attemptId: device.attemptId }, body: { minutes: 5 } },
    { as: school.teacher },
  );

/** An answer that the file dates before the deadline, brought in after it. */
async function bringLate(): Promise<RescuedAnswer> {
  await begin();
  server.clock.advance(9 * MINUTE);
  const answer = saved(RIGHT.open, { writtenAt: server.clock.now.toISOString() });
  server.clock.advance(34 * MINUTE);
  expect(outcomes(await bring([answer]))).toEqual(['held']);
  return answer;
}

const journal = () =>
  rows(
    server.pool,
    `select o.stream, o.sequence, o.outcome, o.decision, o.by_file as "byFile",
       exists (select from answers a where a.attempt_id = o.attempt_id and a.operation_id = o.id)
         as counts
     from operations o where attempt_id = $1 order by ordinal`,
    [device.attemptId],
  );

describe('a file of answers is refused, and nothing of it is stored,', () => {
  /** Refused wherever the answers and the file are sent. */
  async function expectRefused(at: Where, attemptIds: readonly string[]): Promise<void> {
    const answered = await bring([saved(RIGHT.single)], at);
    expect(answered.status, answered.text).toBe(404);
    const file = await bringPicture(at);
    expect(file.status, file.text).toBe(404);
    expect(await storedFor(...attemptIds)).toEqual(NOTHING);
  }

  test('through another test of the same teacher', async () => {
    await begin();
    const otherTest = await makeTest(server, school.teacher, { students: [school.student] });
    await expectRefused({ ...here(), testId: otherTest }, [device.attemptId]);
  });

  test('when it names the attempt of another test of the same teacher and student', async () => {
    await begin();
    const otherTest = await makeTest(server, school.teacher, { students: [school.student] });
    const other = new TestDevice(server, school.student);
    await other.start(otherTest);
    await expectRefused({ ...here(), attemptId: other.attemptId }, [
      other.attemptId,
      device.attemptId,
    ]);
  });

  test('through a test of a colleague', async () => {
    await begin();
    const colleague = await makeSchool(server);
    await expectRefused({ ...here(), testId: colleague.testId, as: colleague.teacher }, [
      device.attemptId,
    ]);
    await expectRefused({ ...here(), as: colleague.teacher }, [device.attemptId]);
  });

  test('for an attempt of a classmate at the same test', async () => {
    await begin();
    const classmate = await server.user({ userName: 'Другой Ученик' });
    await execute(
      server.pool,
      'insert into assignments (id, test_id, user_id, created_at) values ($1, $2, $3, $4)',
      [server.deps.newId(), school.testId, classmate.userId, server.clock.now],
    );
    const theirs = new TestDevice(server, classmate);
    await theirs.start(school.testId);
    await expectRefused({ ...here(), owner: classmate.userId }, [device.attemptId]);
    await expectRefused({ ...here(), attemptId: theirs.attemptId }, [theirs.attemptId]);
  });

  test('for an attempt that was deleted, until it is restored', async () => {
    await begin();
    const params = { attemptId: device.attemptId };
    await server.send(deleteAttempt, { params }, { as: school.teacher });
    await expectRefused(here(), [device.attemptId]);
    await server.send(restoreAttempt, { params }, { as: school.teacher });
    expect(outcomes(await bring([saved(RIGHT.single)]))).toEqual(['held']);
    expect((await bringPicture()).body).toEqual({ complete: true });
  });

  test('for an unknown attempt', async () => {
    await begin();
    await expectRefused({ ...here(), attemptId: server.deps.newId() }, [device.attemptId]);
  });

  test('by a student, even the author of the answers', async () => {
    await begin();
    expect((await bring([saved(RIGHT.single)], { ...here(), as: school.student })).status).toBe(
      403,
    );
    expect((await bringPicture({ ...here(), as: school.student })).status).toBe(403);
    expect(await storedFor(device.attemptId)).toEqual(NOTHING);
  });
});

describe('a sequence that another answer has', () => {
  const text = (words: string): Answer => ({ questionId: Q.essay, kind: 'open', text: words });

  test('stays with that answer: the one of the file is held without a sequence', async () => {
    await begin();
    await device.answer(text('на сервере'));
    const late = saved(text('из файла'), { sequence: device.sequence });
    expect(outcomes(await bring([late]))).toEqual(['held']);
    const { operations } = await storedFor(device.attemptId);
    expect(
      operations.map(({ sequence, outcome, text: words }) => [sequence, outcome, words]),
    ).toEqual([
      [1, 'stored', 'на сервере'],
      [null, 'held', 'из файла'],
    ]);
  });

  test('may be the second one of a renumbered answer', async () => {
    await begin();
    const first = await device.answer(text('первый'));
    const again = device.operation({ [HEADER.idempotencyKey]: first.body.operationId });
    expect((await device.answer(text('первый'), again)).status).toBe(200);
    expect(outcomes(await bring([saved(text('из файла'), { sequence: 2 })]))).toEqual(['held']);
    const { operations } = await storedFor(device.attemptId);
    expect(operations.at(-1)).toMatchObject({ sequence: null, text: 'из файла' });
  });

  test('is that of the first of two in one file', async () => {
    await begin();
    const file = [saved(text('первый')), saved(text('второй'))];
    expect(outcomes(await bring(file))).toEqual(['held', 'held']);
    const { operations } = await storedFor(device.attemptId);
    expect(operations.map(({ sequence, text: words }) => [sequence, words])).toEqual([
      [1, 'первый'],
      [null, 'второй'],
    ]);
  });

  test('is no obstacle in another stream of the same attempt', async () => {
    await begin();
    await device.answer(text('на сервере'));
    const elsewhere = saved(text('с другого устройства'), {
      stream: server.deps.newId(),
      sequence: device.sequence,
    });
    expect(outcomes(await bring([elsewhere]))).toEqual(['held']);
    const { operations } = await storedFor(device.attemptId);
    expect(operations.at(-1)).toMatchObject({ sequence: 1, text: 'с другого устройства' });
  });
});

test('an answer that the server has stays as it is, whatever the file says of it', async () => {
  await begin();
  const known = await device.answer({ questionId: Q.essay, kind: 'open', text: 'на сервере' });
  const forged = saved(
    { questionId: Q.essay, kind: 'open', text: 'подменён' },
    { operationId: known.body.operationId, sequence: 9 },
  );
  expect(outcomes(await bring([forged]))).toEqual(['known']);
  expect((await storedFor(device.attemptId)).operations).toMatchObject([
    { sequence: 1, outcome: 'stored', text: 'на сервере' },
  ]);
});

test('a file of another attempt is not overwritten through this one', async () => {
  await begin();
  const fileId = server.deps.newId();
  expect((await bringPicture(here(), fileId)).body).toEqual({ complete: true });
  const otherTest = await makeTest(server, school.teacher, { students: [school.student] });
  const other = new TestDevice(server, school.student);
  await other.start(otherTest);
  const there = { ...here(), testId: otherTest, attemptId: other.attemptId };
  expect((await bringPicture(there, fileId)).status).toBe(404);
  expect((await storedFor(other.attemptId)).files).toEqual([]);
});

test('a long file is stored whole', async () => {
  await begin();
  const long = Buffer.concat([PICTURE, Buffer.alloc(2 * FILE_CHUNK_BYTES, 9)]);
  const fileId = server.deps.newId();
  expect((await bringPicture(here(), fileId, long)).body).toEqual({ complete: true });
  const file = await server.send(getFile, { query: { path: fileId } }, { as: school.teacher });
  expect(Buffer.from(file.body.item1, 'base64').equals(long)).toBe(true);
});

test('an empty file is refused with the reason', async () => {
  await begin();
  const reply = await bringPicture(here(), server.deps.newId(), Buffer.alloc(0));
  expect(errorOf(reply)).toMatchObject({
    code: 'FILE_REFUSED',
    message: 'Файл пустой. Выберите другой',
  });
});

test('the journal has what the file says of its answers, which are all late', async () => {
  await begin();
  server.clock.advance(60_000);
  const at = (ms: number) => new Date(server.clock.now.getTime() + ms);
  const iso = (ms: number) => at(ms).toISOString();
  const reply = await bring([
    saved(RIGHT.single, { writtenAt: iso(-30_000), seenServerTime: iso(-45_000) }),
    saved(RIGHT.several, { sequence: 2, writtenAt: iso(5_000) }),
    saved(RIGHT.open, { sequence: null }),
  ]);
  expect(reply.body.userName).toBe(school.student.userName);
  const journal = await rows(
    server.pool,
    `select question_id as question, sequence, age_ms as age, written_at as written,
       seen_server_at as seen, received_at as received, received_late as late,
       after_result as "afterResult", outcome
     from operations where attempt_id = $1 order by ordinal`,
    [device.attemptId],
  );
  const all = { received: at(0), late: true, afterResult: false, outcome: 'held' };
  expect(journal).toEqual([
    {
      ...all,
      question: Q.single,
      sequence: 1,
      age: 30_000,
      written: at(-30_000),
      seen: at(-45_000),
    },
    { ...all, question: Q.several, sequence: 2, age: 0, written: at(5_000), seen: null },
    { ...all, question: Q.open, sequence: null, age: null, written: null, seen: null },
  ]);
});

test('a file gives an unknown stream no epoch, so that its answer outranks none that the server has', async () => {
  await begin();
  const answer = saved(RIGHT.single, { stream: server.deps.newId(), epoch: 9 });
  await bring([answer]);
  const stored = await rows(server.pool, 'select stream, epoch from operations where id = $1', [
    answer.operationId,
  ]);
  expect(stored).toEqual([{ stream: answer.stream, epoch: 0 }]);
});

test('an answer that comes when its student could see the result is marked', async () => {
  await begin();
  await device.finish();
  await bring([saved(RIGHT.single, { sequence: 5 })]);
  const marks = await rows(
    server.pool,
    `select after_result as "afterResult" from operations where attempt_id = $1 and kind = 'answer'`,
    [device.attemptId],
  );
  expect(marks).toEqual([{ afterResult: true }]);
});

test('an answer that fits no question is reported, and those beside it are held', async () => {
  await begin();
  const strange: Answer = { questionId: server.deps.newId(), kind: 'open', text: 'к чему это' };
  const reply = await bring([saved(strange), saved(RIGHT.single, { sequence: 2 })]);
  expect(outcomes(reply)).toEqual(['wrong', 'held']);
  expect((await storedFor(device.attemptId)).operations).toHaveLength(1);
});

test('bringing a file is no sign that the device was used until then', async () => {
  await begin();
  server.clock.advance(10 * MINUTE);
  expect(outcomes(await bring([saved(RIGHT.single)]))).toEqual(['held']);
  const takeOver = { [HEADER.takeOver]: device.attemptId };
  await new TestDevice(server, school.student).start(school.testId, takeOver);
  const of = { params: { id: school.testId } };
  const lost = await server.send(getLostTime, of, { as: school.teacher });
  expect(lost.body.items).toMatchObject([{ minutes: 10, causes: [{ cause: 'takeOver' }] }]);
});

describe('an answer from a file counts only by a decision on it:', () => {
  const waiting = { outcome: 'held', decision: null, byFile: true, counts: false };

  test('added minutes let it wait', async () => {
    await bringLate();
    expect((await addMinutes()).status).toBe(200);
    expect(await journal()).toMatchObject([waiting]);
  });

  test('an accepted begin lets it wait', async () => {
    const offline = await makeOfflineSchool(server);
    const late = new OfflineDevice(server, offline.student);
    await late.fetch(offline.testId);
    server.clock.advance(60 * MINUTE);
    await late.open(await showCode(server, offline));
    expect((await late.begin(5 * MINUTE)).body.beginHold).toBe('beforeCode');
    school = offline;
    device = late;
    expect((await device.answer(RIGHT.single)).body.outcome).toBe('held');
    const ofFile = saved(RIGHT.open, {
      sequence: 2,
      writtenAt: server.clock.now.toISOString(),
    });
    expect(outcomes(await bring([ofFile]))).toEqual(['held']);
    await server.send(
      decideHolds,
      {
        params: { id: school.testId },
        body: { attemptIds: [device.attemptId], decision: 'accept' },
      },
      { as: school.teacher },
    );
    expect(await journal()).toMatchObject([
      { outcome: 'stored', byFile: false, counts: true },
      waiting,
    ]);
  });

  test.each(['before', 'after'])('accepted %s added minutes, it counts', async (order) => {
    const { operationId } = await bringLate();
    const accept = () =>
      server.send(
        decideHeld,
        {
          params: { attemptId: device.attemptId },
          body: { operationIds: [operationId], decision: 'accepted' },
        },
        { as: school.teacher },
      );
    if (order === 'before') await accept();
    await addMinutes();
    if (order === 'after') expect((await accept()).status).toBe(200);
    expect(await journal()).toMatchObject([{ ...waiting, decision: 'accepted', counts: true }]);
  });
});

describe('an answer from a file that its device sends after all', () => {
  const resend = ({ operationId }: RescuedAnswer, sequence = '1') =>
    device.operation({ [HEADER.idempotencyKey]: operationId, [HEADER.sequence]: sequence });

  test('counts as if no file had been brought in, with the stream and number of its device', async () => {
    await begin();
    const answer = saved(RIGHT.open, { stream: server.deps.newId(), sequence: 900 });
    await bring([answer]);
    const reply = await device.answer(RIGHT.open, resend(answer));
    expect(reply.body).toMatchObject({ outcome: 'stored', sequence: 1, receivedLate: false });
    expect(await journal()).toEqual([
      {
        stream: device.stream,
        sequence: 1,
        outcome: 'stored',
        decision: null,
        byFile: false,
        counts: true,
      },
    ]);
    expect((await device.answer(RIGHT.open, resend(answer))).body).toEqual(reply.body);
    device.sequence = 1;
    expect((await device.finish()).body.outcome).toBe('stored');
  });

  test('counts by added minutes when it came late by itself', async () => {
    const answer = await bringLate();
    const hidden = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
    await execute(server.pool, 'update tests set visibility = $2 where id = $1', [
      school.testId,
      JSON.stringify(hidden),
    ]);
    server.clock.advance(60 * MINUTE);
    expect((await device.answer(RIGHT.open, resend(answer))).body.outcome).toBe('held');
    await addMinutes();
    expect(await journal()).toMatchObject([{ outcome: 'stored', byFile: false, counts: true }]);
  });

  test('stays as the file brought it once the result could be seen', async () => {
    const answer = await bringLate();
    server.clock.advance(15 * MINUTE);
    const reply = await device.answer(RIGHT.open, resend(answer));
    expect(reply.body.outcome).toBe('held');
    expect(await journal()).toMatchObject([{ outcome: 'held', byFile: true }]);
  });

  test('is another one with another text, and with a used number it is sent again', async () => {
    await begin();
    await device.answer(RIGHT.single);
    const answer = saved(RIGHT.open, { sequence: 7 });
    await bring([answer]);
    const other = await device.answer({ ...RIGHT.open, text: '5' }, resend(answer, '2'));
    expect(errorOf(other).code).toBe('OPERATION_REUSED');
    const reply = await device.answer(RIGHT.open, resend(answer, '1'));
    expect(errorOf(reply).code).toBe('SEQUENCE_TAKEN');
    expect(await journal()).toMatchObject([{ outcome: 'stored' }, { outcome: 'held' }]);
  });

  test('leaves the teacher’s decision as it is', async () => {
    const { operationId, ...answer } = await bringLate();
    await server.send(
      decideHeld,
      {
        params: { attemptId: device.attemptId },
        body: { operationIds: [operationId], decision: 'refused' },
      },
      { as: school.teacher },
    );
    await addMinutes();
    const reply = await device.answer(RIGHT.open, resend({ operationId, ...answer }));
    expect(reply.body.outcome).toBe('held');
    expect(await journal()).toMatchObject([{ decision: 'refused', counts: false }]);
  });
});
