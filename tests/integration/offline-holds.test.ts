import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteAttempt, restoreAttempt } from '#contract/attempts.ts';
import { addTimeToMany } from '#contract/board.ts';
import { decideTestHeld, listTestHeld } from '#contract/grading.ts';
import { HEADER } from '#contract/headers.ts';
import { uploadChunk, type Receipt } from '#contract/passing.ts';
import { decideHolds, listHolds } from '#contract/offers.ts';
import { ROLE } from '#contract/auth.ts';
import { one, rows } from '#server/db/query.ts';
import {
  makeOfflineSchool,
  ofClass,
  OfflineDevice,
  renewCode,
  secondOf,
  showCode,
} from '#tests/offline-device.ts';
import { errorOf, makeGroup, makeTest, Q, RIGHT, type School } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const FIRST_PAGE = { page: 1, pageSize: 20 } as const;

const holds = ({ teacher, testId }: Pick<School, 'teacher' | 'testId'>, groupId?: string) =>
  server.send(listHolds, { params: { id: testId }, query: ofClass(groupId) }, { as: teacher });

const decide = (
  { teacher, testId }: Pick<School, 'teacher' | 'testId'>,
  decision: 'accept' | 'refuse',
  attemptIds: string[],
) =>
  server.send(
    decideHolds,
    { params: { id: testId }, body: { attemptIds, decision } },
    { as: teacher },
  );

/** A begin that the device dates before the first showing of the code, with an answer. */
async function heldBegin(): Promise<School & { device: OfflineDevice }> {
  const school = await makeOfflineSchool(server);
  const device = new OfflineDevice(server, school.student);
  await device.fetch(school.testId);
  server.clock.advance(60 * MINUTE);
  await device.open(await showCode(server, school));
  const reply = await device.begin(5 * MINUTE);
  expect(reply.body.beginHold).toBe('beforeCode');
  expect((await device.answer(RIGHT.single)).body.outcome).toBe('held');
  return { ...school, device };
}

const addMinute = ({ teacher, testId }: Pick<School, 'teacher' | 'testId'>, attemptId: string) =>
  server.send(
    addTimeToMany,
    {
      params: { id: testId },
      body: { key: server.deps.newId(), minutes: 1, attemptIds: [attemptId] },
    },
    { as: teacher },
  );
/** A begin that counts; the code was shown an hour ago. */
async function countedBegin(): Promise<School & { device: OfflineDevice }> {
  const school = await makeOfflineSchool(server);
  const device = new OfflineDevice(server, school.student);
  await device.fetch(school.testId);
  const code = await showCode(server, school);
  server.clock.advance(60 * MINUTE);
  await device.open(code);
  expect((await device.begin(0)).body.beginHold).toBeUndefined();
  return { ...school, device };
}

const outcomes = (attemptId: string) =>
  rows(server.pool, 'select outcome from operations where attempt_id = $1 order by ordinal', [
    attemptId,
  ]);

/** The operation once more, with its old receipt, as after a restore. */
const withReceipt = (headers: Record<string, string>, receipt: Receipt) => ({
  ...headers,
  [HEADER.receipt]: JSON.stringify(receipt),
});

describe('after a restore a begin that is held stays held', () => {
  test.each([
    ['with the begin', false],
    ['from before the begin', true],
  ])('of a backup %s', async (_, isForgotten) => {
    const { device } = await heldBegin();
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.several, headers);
    expect(receipt.outcome).toBe('held');
    if (isForgotten) {
      await server.pool.query(`delete from start_keys where reply ->> 'attemptId' = $1`, [
        device.attemptId,
      ]);
      await server.pool.query('delete from attempts where id = $1', [device.attemptId]);
    }
    server.deps.state.epoch += 1;
    const again = await device.answer(RIGHT.several, withReceipt(headers, receipt));
    expect(again.body.outcome).toBe('held');
    expect((await device.answer(RIGHT.open)).body.outcome).toBe('held');
    const begun = await device.begin(5 * MINUTE);
    expect(begun.body).toMatchObject({ beginHold: 'beforeCode', questions: [] });
    expect((await device.answer(RIGHT.open)).body.outcome).toBe('held');
  });

  test('and one that was accepted goes on to count by the receipts of its answers', async () => {
    const { device, ...school } = await heldBegin();
    await decide(school, 'accept', [device.attemptId]);
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.several, headers);
    expect(receipt.outcome).toBe('stored');
    await server.pool.query('delete from attempts where id = $1', [device.attemptId]);
    server.deps.state.epoch += 1;
    await device.answer(RIGHT.several, withReceipt(headers, receipt));
    expect((await device.answer(RIGHT.open)).body.outcome).toBe('stored');
  });

  test('and its finish, sent again, states once more what will never come', async () => {
    const { device, ...school } = await heldBegin();
    const fileId = server.deps.newId();
    const file = { name: 'a.jpg', size: 9, mimeType: 'image/jpeg', sha256: 'a'.repeat(64) };
    await server.send(
      uploadChunk,
      {
        params: { id: device.attemptId, fileId },
        query: { ...file, offset: 0, questionId: Q.file },
        bytes: Buffer.alloc(3),
      },
      { as: device.student },
    );
    await device.answer({ questionId: Q.file, kind: 'file', fileId, ...file });
    device.operation();
    device.operation();
    const headers = device.operation({
      [HEADER.folded]: '3',
      [HEADER.setAside]: '4',
      [HEADER.filesSetAside]: fileId,
    });
    const { body: receipt } = await device.finish(headers);
    const of = [device.attemptId];
    await server.pool.query('update uploads set set_aside = false where attempt_id = $1', of);
    await server.pool.query(`delete from operations where attempt_id = $1 and kind = 'finish'`, of);
    await server.pool.query('delete from spare_sequences where attempt_id = $1', of);
    server.deps.state.epoch += 1;
    const again = await device.finish(withReceipt(headers, receipt));
    expect(again.body.outcome).toBe('held');
    await decide(school, 'accept', of);
    expect(await one(server.pool, 'select ended from attempts where id = $1', of)).toEqual({
      ended: 'finished',
    });
  });
});

describe('the teacher', () => {
  test('sees held begins with their reason, times and answers', async () => {
    const { device, student, ...school } = await heldBegin();
    const { body } = await holds(school);
    expect(body).toEqual({
      items: [
        {
          attemptId: device.attemptId,
          attemptNumber: 1,
          userId: student.userId,
          userName: student.userName,
          groups: [],
          hold: 'beforeCode',
          isOtherDevice: false,
          stream: device.stream,
          begunAt: new Date(server.clock.now.getTime() - 5 * MINUTE).toISOString(),
          deadline: new Date(server.clock.now.getTime() + 35 * MINUTE).toISOString(),
          receivedAt: server.clock.now.toISOString(),
          seenServerAt: null,
          isAgeUnknown: false,
          heldAnswers: 1,
          decision: null,
          isInQuestion: true,
        },
      ],
      total: 1,
    });
  });

  test('sees the held begins of one class alone', async () => {
    const { device, student, ...school } = await heldBegin();
    const own = await makeGroup(server, school.teacher, [student], '9А');
    const other = await makeGroup(server, school.teacher, [await server.user()], '9Б');
    expect((await holds(school, own)).body).toMatchObject({
      items: [{ attemptId: device.attemptId, groups: ['9А'] }],
      total: 1,
    });
    expect((await holds(school, other)).body).toEqual({ items: [], total: 0 });
  });

  test('accepts one: its answers count, and the device goes on as usual', async () => {
    const { device, ...school } = await heldBegin();
    expect((await decide(school, 'accept', [device.attemptId])).body).toEqual({ decided: 1 });
    expect(await outcomes(device.attemptId)).toEqual([{ outcome: 'stored' }]);
    expect((await device.begin(5 * MINUTE)).body.beginHold).toBeUndefined();
    expect((await device.answer(RIGHT.several)).body.outcome).toBe('stored');
    expect((await device.finish()).body.outcome).toBe('stored');
    expect((await holds(school)).body.items).toMatchObject([{ decision: 'accept' }]);
  });

  test('accepts one whose answers were refused with all late ones: they count', async () => {
    const { device, ...school } = await heldBegin();
    const params = { id: school.testId };
    const as = school.teacher;
    const listed = await server.send(listTestHeld, { params, query: FIRST_PAGE }, { as });
    const operationIds = listed.body.items.flatMap(({ answers }) =>
      answers.map(({ operationId }) => operationId),
    );
    const body = { operationIds, decision: 'refused' } as const;
    expect((await server.send(decideTestHeld, { params, body }, { as })).body.decided).toBe(1);
    await decide(school, 'accept', [device.attemptId]);
    expect(
      await rows(server.pool, 'select outcome, decision from operations where attempt_id = $1', [
        device.attemptId,
      ]),
    ).toEqual([{ outcome: 'stored', decision: null }]);
  });

  test('accepts one: its answers are ordered by their stream, whatever epoch they claimed', async () => {
    const { device, ...school } = await heldBegin();
    const wrong = { ...RIGHT.several, optionIds: ['b'] };
    await device.answer(wrong, device.operation({ [HEADER.epoch]: '7' }));
    await decide(school, 'accept', [device.attemptId]);
    expect((await device.answer(RIGHT.several)).body.outcome).toBe('stored');
  });

  test('accepts one that its student has finished: it is over at once, with its mark', async () => {
    const { device, ...school } = await heldBegin();
    const ended = () =>
      one(server.pool, 'select ended, points from attempts where id = $1', [device.attemptId]);
    const headers = device.operation();
    // A repeat ends nothing either: the answers would come after it.
    for (const _ of [1, 2]) expect((await device.finish(headers)).body.outcome).toBe('held');
    expect(await ended()).toEqual({ ended: null, points: null });
    await decide(school, 'accept', [device.attemptId]);
    expect(await ended()).toEqual({ ended: 'finished', points: 1 });
    expect(await outcomes(device.attemptId)).toEqual([
      { outcome: 'stored' },
      { outcome: 'stored' },
    ]);
  });

  test.each([
    ['is over', false, 'finished'],
    ['was moved since: it goes on', true, null],
  ])('accepts one that finished by itself at a deadline that %s', async (_, isMoved, ended) => {
    const { device, ...school } = await heldBegin();
    server.clock.advance(35 * MINUTE);
    const headers = { ...device.operation(), [HEADER.finishReason]: 'deadline' };
    expect((await device.finish(headers)).body.outcome).toBe('held');
    if (isMoved) await addMinute(school, device.attemptId);
    await decide(school, 'accept', [device.attemptId]);
    expect(
      await one(server.pool, 'select ended from attempts where id = $1', [device.attemptId]),
    ).toEqual({ ended });
    if (ended === null) expect((await device.answer(RIGHT.several)).body.outcome).toBe('stored');
  });

  test('moves the deadline of one before its device finishes by itself: it goes on', async () => {
    const { device, ...school } = await heldBegin();
    await addMinute(school, device.attemptId);
    server.clock.advance(35 * MINUTE);
    const headers = { ...device.operation(), [HEADER.finishReason]: 'deadline' };
    expect(errorOf(await device.finish(headers))).toMatchObject({
      code: 'DEADLINE_MOVED',
      details: { deadline: new Date(server.clock.now.getTime() + MINUTE).toISOString() },
    });
    server.clock.advance(MINUTE);
    const again = { ...device.operation(), [HEADER.finishReason]: 'deadline' };
    expect((await device.finish(again)).body.outcome).toBe('held');
    await decide(school, 'accept', [device.attemptId]);
    expect(
      await one(server.pool, 'select ended from attempts where id = $1', [device.attemptId]),
    ).toEqual({ ended: 'finished' });
  });

  test('accepts one whose finish names what will never come: it is over', async () => {
    const { device, ...school } = await heldBegin();
    device.operation();
    await device.finish(device.operation({ [HEADER.setAside]: '2' }));
    await decide(school, 'accept', [device.attemptId]);
    expect(
      await one(server.pool, 'select ended from attempts where id = $1', [device.attemptId]),
    ).toEqual({ ended: 'finished' });
  });

  test('finds the finish of a second device held, which ends nothing', async () => {
    const { device, student, ...school } = await heldBegin();
    await decide(school, 'accept', [device.attemptId]);
    const second = new OfflineDevice(server, student);
    second.offer = device.ownOffer;
    second.attemptId = device.attemptId;
    second.proof = device.proof;
    await second.begin(0);
    expect((await second.finish()).body.outcome).toBe('held');
    await decide(school, 'accept', [device.attemptId]);
    expect((await device.answer(RIGHT.several)).body.outcome).toBe('stored');
    expect((await second.finish()).body.outcome).toBe('superseded');
  });

  test('accepts one with a gap before its finish: it is over once the missing answer has come', async () => {
    const { device, ...school } = await heldBegin();
    const missing = device.operation();
    await device.finish();
    await decide(school, 'accept', [device.attemptId]);
    const ended = () =>
      one(server.pool, 'select ended from attempts where id = $1', [device.attemptId]);
    expect(await ended()).toEqual({ ended: null });
    expect((await device.answer(RIGHT.several, missing)).body.outcome).toBe('stored');
    expect(await ended()).toEqual({ ended: 'finished' });
  });

  test('accepts one that was closed meanwhile: its mark is computed again', async () => {
    const { device, ...school } = await heldBegin();
    // Its window ends with a day, whichever hour it is now.
    server.clock.advance(2 * 24 * 60 * MINUTE);
    await device.answer(RIGHT.several);
    await decide(school, 'accept', [device.attemptId]);
    const attempt = await one(server.pool, 'select ended, points from attempts where id = $1', [
      device.attemptId,
    ]);
    expect(attempt).toEqual({ ended: 'closed', points: 1 });
  });

  test('refuses one: the attempt is gone, its answers stay, and it can be accepted later', async () => {
    const { device, ...school } = await heldBegin();
    expect((await decide(school, 'refuse', [device.attemptId])).body).toEqual({ decided: 1 });
    expect((await device.answer(RIGHT.open)).status).toBe(410);
    expect(errorOf(await device.begin(5 * MINUTE)).code).toBe('GONE');
    expect(await outcomes(device.attemptId)).toEqual([{ outcome: 'held' }]);
    expect((await decide(school, 'refuse', [device.attemptId])).body).toEqual({ decided: 0 });
    await decide(school, 'accept', [device.attemptId]);
    expect(await outcomes(device.attemptId)).toEqual([{ outcome: 'stored' }]);
    expect((await device.answer(RIGHT.open)).body.outcome).toBe('stored');
  });

  test('brings a refused attempt back as any deleted one: it stays held', async () => {
    const { device, ...school } = await heldBegin();
    await decide(school, 'refuse', [device.attemptId]);
    const params = { attemptId: device.attemptId };
    await server.send(restoreAttempt, { params }, { as: school.teacher });
    expect((await device.answer(RIGHT.open)).body.outcome).toBe('held');
    expect((await holds(school)).body.items).toMatchObject([{ decision: 'refuse' }]);
  });

  test('decides for a class in one act, which is in the log', async () => {
    const teacher = await server.user({ role: ROLE.teacher });
    const students = await Promise.all([server.user(), server.user(), server.user()]);
    const testId = await makeTest(server, teacher, { offlineStart: true, students });
    const devices = students.map((student) => new OfflineDevice(server, student));
    for (const device of devices) await device.fetch(testId);
    const code = await showCode(server, { teacher, testId });
    for (const device of devices) {
      await device.open(code);
      device.proof = Buffer.alloc(32).toString('base64url');
      await device.begin(0);
    }
    const ids = devices.map(({ attemptId }) => attemptId);
    const { items } = (await holds({ teacher, testId })).body;
    expect(items.map(({ hold, isOtherDevice }) => [hold, isOtherDevice])).toEqual(
      ids.map(() => ['proof', false]),
    );
    expect((await decide({ teacher, testId }, 'accept', ids)).body).toEqual({ decided: 3 });
    const acts = await rows(
      server.pool,
      `select details from audit_log where act = 'beginDecided' and subject_id = any($1)`,
      [ids],
    );
    expect(acts).toEqual(ids.map(() => ({ details: { decision: 'accept' } })));
  });

  test('accepts a second device: what it wrote in time counts beside the first', async () => {
    const { device, ...school } = await heldBegin();
    await decide(school, 'accept', [device.attemptId]);
    const second = secondOf(device);
    expect((await second.begin(0)).body.beginHold).toBe('secondDevice');
    await second.answer(RIGHT.several);
    expect((await holds(school)).body.items).toMatchObject([
      {
        hold: 'secondDevice',
        isOtherDevice: true,
        decision: null,
        isInQuestion: true,
        heldAnswers: 1,
      },
      { hold: 'beforeCode', isOtherDevice: false, decision: 'accept', isInQuestion: false },
    ]);
    await decide(school, 'accept', [device.attemptId]);
    expect(await outcomes(device.attemptId)).toEqual([
      { outcome: 'stored' },
      { outcome: 'stored' },
    ]);
    expect((await second.begin(0)).headers[HEADER.activeStream]).toBe(device.stream);
  });

  test('accepts a second device that began earlier: what it wrote before the first began counts', async () => {
    const { device, ...school } = await countedBegin();
    const second = secondOf(device);
    server.clock.advance(120 * MINUTE);
    await second.begin(135 * MINUTE);
    for (const [answer, minutes] of [
      [RIGHT.single, 130],
      [RIGHT.several, 115],
      // Before it began.
      [RIGHT.open, 140],
    ] as const)
      await second.answer(answer, second.operation({ [HEADER.age]: String(minutes * MINUTE) }));
    await decide(school, 'accept', [device.attemptId]);
    expect(await outcomes(device.attemptId)).toEqual([
      { outcome: 'stored' },
      { outcome: 'stored' },
      { outcome: 'held' },
    ]);
  });

  test('refuses a second device: the attempt of the first goes on', async () => {
    const { device, ...school } = await heldBegin();
    await decide(school, 'accept', [device.attemptId]);
    const second = secondOf(device);
    await second.begin(0);
    await decide(school, 'refuse', [device.attemptId]);
    expect((await device.answer(RIGHT.several)).body.outcome).toBe('stored');
    expect((await second.begin(0)).body.beginHold).toBe('secondDevice');
  });

  test('decides about what was shown: a begin or a decision that came meanwhile is shown first', async () => {
    const { device, ...school } = await heldBegin();
    const { teacher, testId } = school;
    const listed = async () =>
      (await holds(school)).body.items.map(({ stream, decision }) => ({ stream, decision }));
    const refuse = (shown: Awaited<ReturnType<typeof listed>>) =>
      server.send(
        decideHolds,
        {
          params: { id: testId },
          body: { attemptIds: [device.attemptId], decision: 'refuse', shown },
        },
        { as: teacher },
      );
    const first = await listed();
    await decide(school, 'accept', [device.attemptId]);
    expect(errorOf(await refuse(first)).code).toBe('STALE_VERSION');
    const second = await listed();
    await secondOf(device).begin(0);
    expect(errorOf(await refuse(second))).toMatchObject({
      message: 'Список начал тем временем изменился. Посмотрите его и решите снова',
    });
    expect((await refuse(await listed())).body).toEqual({ decided: 1 });
  });

  test('decides again about a refused attempt when another device begins the same offer', async () => {
    const { device, ...school } = await heldBegin();
    await decide(school, 'refuse', [device.attemptId]);
    const second = secondOf(device);
    expect(errorOf(await second.begin(0)).code).toBe('GONE');
    expect((await second.answer(RIGHT.several)).status).toBe(410);
    expect((await holds(school)).body.items).toMatchObject([
      { hold: 'secondDevice', decision: null, isInQuestion: true },
      { hold: 'beforeCode', decision: 'refuse', isInQuestion: true },
    ]);
    await decide(school, 'accept', [device.attemptId]);
    expect((await second.answer(RIGHT.several)).body.outcome).toBe('stored');
    expect(await outcomes(device.attemptId)).toEqual([
      { outcome: 'stored' },
      { outcome: 'stored' },
    ]);
  });

  test('does not bring back what was deleted by accepting another device, whose begin waits for its return', async () => {
    const { device, ...school } = await heldBegin();
    await decide(school, 'accept', [device.attemptId]);
    const params = { attemptId: device.attemptId };
    await server.send(deleteAttempt, { params }, { as: school.teacher });
    const second = secondOf(device);
    expect(errorOf(await second.begin(0)).code).toBe('GONE');
    expect((await holds(school)).body.items).toEqual([]);
    await decide(school, 'accept', [device.attemptId]);
    expect((await second.answer(RIGHT.several)).status).toBe(410);
    await server.send(restoreAttempt, { params }, { as: school.teacher });
    expect((await second.begin(0)).status).toBe(200);
    expect((await second.answer(RIGHT.several)).body.outcome).toBe('stored');
  });

  test('sees when the second device began, also when that was before the first', async () => {
    const { device, ...school } = await countedBegin();
    const second = secondOf(device);
    server.clock.advance(5 * MINUTE);
    await second.begin(50 * MINUTE);
    expect((await holds(school)).body.items).toMatchObject([
      {
        hold: 'secondDevice',
        begunAt: new Date(server.clock.now.getTime() - 50 * MINUTE).toISOString(),
      },
    ]);
  });

  test('sees that a second device did not open the test, and refuses it alone', async () => {
    const { device, ...school } = await countedBegin();
    const second = secondOf(device);
    second.proof = Buffer.alloc(32, 7).toString('base64url');
    expect((await second.begin(0)).body.beginHold).toBe('proof');
    expect((await holds(school)).body.items).toMatchObject([
      { hold: 'proof', isOtherDevice: true, decision: null },
    ]);
    expect(errorOf(await renewCode(server, school)).code).toBe('CODE_IN_USE');
    await decide(school, 'refuse', [device.attemptId]);
    expect((await second.answer(RIGHT.single)).body.outcome).toBe('held');
    expect((await device.answer(RIGHT.several)).body.outcome).toBe('stored');
  });

  test('refuses an accepted second device: what counted stands, and nothing more of it counts', async () => {
    const { device, ...school } = await countedBegin();
    const second = secondOf(device);
    await second.begin(0);
    await decide(school, 'accept', [device.attemptId]);
    expect((await second.answer(RIGHT.single)).body.outcome).toBe('stored');
    expect((await decide(school, 'refuse', [device.attemptId])).body).toEqual({ decided: 1 });
    expect((await second.answer(RIGHT.several)).body.outcome).toBe('held');
    expect((await second.begin(0)).body.beginHold).toBe('secondDevice');
    expect((await device.answer(RIGHT.open)).body.outcome).toBe('stored');
    await decide(school, 'accept', [device.attemptId]);
    expect(await outcomes(device.attemptId)).toEqual([
      { outcome: 'stored' },
      { outcome: 'stored' },
      { outcome: 'stored' },
    ]);
  });

  test('accepts another device: one that was refused before stays refused', async () => {
    const { device, ...school } = await countedBegin();
    await device.answer(RIGHT.several);
    const liar = secondOf(device);
    liar.proof = Buffer.alloc(32, 7).toString('base64url');
    expect((await liar.begin(0)).body.beginHold).toBe('proof');
    await liar.answer(RIGHT.single);
    await decide(school, 'refuse', [device.attemptId]);
    const second = secondOf(device);
    await second.begin(0);
    expect((await decide(school, 'accept', [device.attemptId])).body).toEqual({ decided: 1 });
    expect(await outcomes(device.attemptId)).toEqual([{ outcome: 'stored' }, { outcome: 'held' }]);
    expect((await liar.begin(0)).body.beginHold).toBe('proof');
    expect((await second.answer(RIGHT.open)).body.outcome).toBe('stored');
  });

  test('refuses a third device: the second one, which was accepted before, goes on', async () => {
    const { device, ...school } = await countedBegin();
    const second = secondOf(device);
    await second.begin(0);
    await decide(school, 'accept', [device.attemptId]);
    expect((await second.answer(RIGHT.single)).body.outcome).toBe('stored');
    await secondOf(device).begin(0);
    await decide(school, 'refuse', [device.attemptId]);
    expect((await second.answer(RIGHT.several)).body.outcome).toBe('stored');
    expect((await second.begin(0)).body.beginHold).toBeUndefined();
    // Nothing waits any more, so the next decision is about all of them again.
    await decide(school, 'refuse', [device.attemptId]);
    expect((await second.answer(RIGHT.open)).body.outcome).toBe('held');
  });

  test('does not see a held begin whose attempt was deleted, and accepting brings it back only where it was refused', async () => {
    const { device, ...school } = await heldBegin();
    const params = { attemptId: device.attemptId };
    await server.send(deleteAttempt, { params }, { as: school.teacher });
    expect((await holds(school)).body.items).toEqual([]);
    await decide(school, 'accept', [device.attemptId]);
    expect((await device.answer(RIGHT.open)).status).toBe(410);
    await server.send(restoreAttempt, { params }, { as: school.teacher });
    expect((await device.answer(RIGHT.open)).body.outcome).toBe('stored');
  });

  test('sees at most sixty begins of one attempt', async () => {
    const { device, ...school } = await heldBegin();
    for (let count = 1; count <= 60; count += 1) {
      const other = secondOf(device);
      const begun = await other.begin(0);
      if (count < 60) expect(begun.body.beginHold).toBe('secondDevice');
      else expect(errorOf(begun).code).toBe('TOO_MANY_TAKE_OVERS');
    }
    expect((await device.begin(5 * MINUTE)).body.beginHold).toBe('beforeCode');
    expect((await holds(school)).body.total).toBe(60);
  });

  test('cannot decide about attempts of another test', async () => {
    const { device } = await heldBegin();
    const { device: _, ...other } = await heldBegin();
    expect((await decide(other, 'accept', [device.attemptId])).status).toBe(404);
    expect(await outcomes(device.attemptId)).toEqual([{ outcome: 'held' }]);
  });
});
