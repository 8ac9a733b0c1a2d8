import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decideHeld } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { addTimeToMany, getBoard, type BoardRow, watchBoard } from '#contract/board.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers, uploadChunk } from '#contract/passing.ts';
import { getPassing } from '#contract/tests.ts';
import { execute, one } from '#server/db/query.ts';
import { makeOfflineSchool, OfflineDevice, showCode } from '#tests/offline-device.ts';
import {
  errorOf,
  makeGroup,
  makeSchool,
  Q,
  RIGHT,
  TestDevice,
  type School,
} from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

const MINUTE = 60_000;

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function boardOf({ teacher, testId }: Pick<School, 'teacher' | 'testId'>) {
  const answered = await server.send(getBoard, { params: { id: testId } }, { as: teacher });
  if (answered.status !== 200) throw new Error(answered.text);
  return answered.body;
}

async function rowOf(school: School, student: TestUser = school.student): Promise<BoardRow> {
  const row = (await boardOf(school)).rows.find(({ userId }) => userId === student.userId);
  if (!row) throw new Error('the student is not on the board');
  return row;
}

async function started(school: School, student = school.student): Promise<TestDevice> {
  const device = new TestDevice(server, student);
  const reply = await device.start(school.testId);
  if (reply.status !== 200) throw new Error(reply.text);
  return device;
}

const now = () => server.clock.now.toISOString();
const head = (sequence: number) => ({ [HEADER.head]: String(sequence) });

/** A device's report besides its operations. */
const report = (device: TestDevice, sequence: number) =>
  server.send(
    getPassing,
    { params: { attemptId: device.attemptId } },
    { as: device.student, headers: { [HEADER.stream]: device.stream, ...head(sequence) } },
  );

const PICTURE = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
  Buffer.alloc(2_000, 7),
]);
const SHA256 = createHash('sha256').update(PICTURE).digest('hex');
const fileAnswer = (fileId: string) => ({
  questionId: Q.file,
  kind: 'file' as const,
  fileId,
  name: 'решение.jpg',
  size: PICTURE.length,
  mimeType: 'image/jpeg',
  sha256: SHA256,
});

const sendPart = (device: TestDevice, fileId: string, from: number, to: number) =>
  server.send(
    uploadChunk,
    {
      params: { id: device.attemptId, fileId },
      query: {
        offset: from,
        size: PICTURE.length,
        sha256: SHA256,
        name: 'решение.jpg',
        mimeType: 'image/jpeg',
        questionId: Q.file,
      },
      bytes: PICTURE.subarray(from, to),
    },
    { as: device.student },
  );

test('an assigned student is on the board before starting, directly or through a class', async () => {
  const school = await makeSchool(server);
  const mate = await server.user({ userName: 'Белов Тимофей' });
  const groupId = await makeGroup(server, school.teacher, [mate, school.student]);
  await execute(
    server.pool,
    'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, $4)',
    [server.deps.newId(), school.testId, groupId, server.clock.now],
  );
  const board = await boardOf(school);
  expect(board.title).toBe('Законы Ньютона');
  expect(board.serverTime).toBe(now());
  expect(board.rows).toHaveLength(2);
  expect(await rowOf(school, mate)).toEqual({
    userId: mate.userId,
    userName: 'Белов Тимофей',
    groups: ['9А'],
    attemptId: null,
    attemptNumber: null,
    trial: false,
    state: 'notStarted',
    startedAt: null,
    deadline: null,
    countsUntil: null,
    finishedAt: null,
    answered: 0,
    totalQuestions: 6,
    lastSeenAt: null,
    unsent: 0,
    unsentAt: null,
    unsentSince: null,
    filesUnderway: 0,
    held: 0,
    devices: 0,
  });
});

test('on an open test, everybody with an attempt is on the board', async () => {
  const school = await makeSchool(server, { openToAll: true });
  const guest = await server.user({ userName: 'Гость' });
  await started(school, guest);
  expect(await rowOf(school, guest)).toMatchObject({ state: 'running', devices: 1, groups: [] });
  expect(await rowOf(school)).toMatchObject({ state: 'notStarted' });
});

test('trials are on the board only where they are requested', async () => {
  const school = await makeSchool(server, { openToAll: true });
  await started(school, school.teacher);
  const of = async (query: { trials?: '1' }) => {
    const params = { id: school.testId };
    const { body } = await server.send(getBoard, { params, query }, { as: school.teacher });
    return { total: body.trials, shown: body.rows.filter(({ trial }) => trial).length };
  };
  expect(await of({})).toEqual({ total: 1, shown: 0 });
  expect(await of({ trials: '1' })).toEqual({ total: 1, shown: 1 });
});

test("another teacher's board is not found, and no minutes are added", async () => {
  const school = await makeSchool(server);
  const { attemptId } = await started(school);
  const stranger = await server.user({ role: ROLE.teacher });
  const params = { id: school.testId };
  const body = { key: server.deps.newId(), minutes: 5, attemptIds: [attemptId] };
  const { deadline } = await rowOf(school);
  for (const reply of [
    await server.send(getBoard, { params, query: {} }, { as: stranger }),
    await server.send(watchBoard, { params, query: { once: '1' } }, { as: stranger }),
    await server.send(addTimeToMany, { params, body }, { as: stranger }),
  ])
    expect([reply.status, errorOf(reply).code]).toEqual([404, 'NOT_FOUND']);
  expect((await rowOf(school)).deadline).toBe(deadline);
});

test('answered are questions with an answer on the server; a cleared one is not', async () => {
  const school = await makeSchool(server);
  const device = await started(school);
  await device.answer(RIGHT.open);
  await device.answer(RIGHT.single);
  expect(await rowOf(school)).toMatchObject({ answered: 2, totalQuestions: 6, unsent: 0 });
  await device.answer({ ...RIGHT.open, text: ' \u00a0' });
  expect(await rowOf(school)).toMatchObject({ answered: 1 });
});

test('unsent is what the device reported as written and the server does not have, with the age of that report', async () => {
  const school = await makeSchool(server);
  const device = await started(school);
  await device.answer(RIGHT.open, { ...device.operation(), ...head(1) });
  server.clock.advance(MINUTE);
  const saidAt = now();
  const third = { ...device.operation(), ...head(4), [HEADER.sequence]: '3' };
  await device.answer(RIGHT.single, third);
  server.clock.advance(3 * MINUTE);
  expect(await rowOf(school)).toMatchObject({
    answered: 2,
    unsent: 2,
    unsentAt: saidAt,
    unsentSince: saidAt,
    lastSeenAt: saidAt,
  });
  // The device repeats its report: the report is new, the missing operations are as old as before.
  await report(device, 4);
  expect(await rowOf(school)).toMatchObject({ unsent: 2, unsentAt: now(), unsentSince: saidAt });
  await device.answer(RIGHT.several, { ...device.operation(), ...head(4), [HEADER.sequence]: '2' });
  await device.answer(RIGHT.matching, {
    ...device.operation(),
    ...head(4),
    [HEADER.sequence]: '4',
  });
  expect(await rowOf(school)).toMatchObject({ answered: 4, unsent: 0, unsentAt: now() });
  expect((await rowOf(school)).unsentSince).toBeNull();
});

test('a delayed answer is as old as the first that overtook it', async () => {
  const school = await makeSchool(server);
  const device = await started(school);
  const overtaken = now();
  for (const sequence of [2, 3, 4]) {
    await device.answer(RIGHT.open, {
      ...device.operation(),
      [HEADER.sequence]: String(sequence),
      ...head(sequence),
    });
    server.clock.advance(MINUTE);
  }
  expect(await rowOf(school)).toMatchObject({ unsent: 1, unsentSince: overtaken });
});

test('what was folded or set aside is not missing', async () => {
  const school = await makeSchool(server);
  const device = await started(school);
  await device.answer(RIGHT.open, {
    ...device.operation(),
    [HEADER.sequence]: '3',
    [HEADER.folded]: '1-2',
    ...head(3),
  });
  expect(await rowOf(school)).toMatchObject({ unsent: 0 });
  const finished = await device.finish({
    ...device.operation(),
    [HEADER.sequence]: '6',
    [HEADER.setAside]: '4,5',
    ...head(6),
  });
  expect(finished.status, finished.text).toBe(200);
  expect(await rowOf(school)).toMatchObject({ state: 'finished', unsent: 0 });
});

test('an impossible head makes no absurd figure', async () => {
  const school = await makeSchool(server);
  const device = await started(school);
  await report(device, 1_000_000);
  expect(await rowOf(school)).toMatchObject({ unsent: 10_000 });
  expect((await report(device, 1_000_001)).status).toBe(400);
  expect(await rowOf(school)).toMatchObject({ unsent: 10_000 });
});

test('any call of the attempt updates the last contact; a teacher who reads does not', async () => {
  const school = await makeSchool(server);
  const device = await started(school);
  const startedAt = now();
  server.clock.advance(MINUTE);
  const input = { params: { id: device.attemptId } };
  const headers = { [HEADER.stream]: device.stream };
  await server.send(getSavedAnswers, input, { as: school.teacher, headers });
  expect(await rowOf(school)).toMatchObject({ lastSeenAt: startedAt });
  await server.send(getSavedAnswers, input, { as: school.student, headers });
  expect(await rowOf(school)).toMatchObject({ lastSeenAt: now() });
});

test('finished on a new device while the old one has answers: finished, and not all received', async () => {
  const school = await makeSchool(server);
  const phone = await started(school);
  await phone.answer(RIGHT.open, { ...phone.operation(), ...head(3) });
  const saidAt = now();
  server.clock.advance(MINUTE);
  const desk = new TestDevice(server, school.student);
  await desk.start(school.testId, { [HEADER.takeOver]: phone.attemptId });
  await desk.answer(RIGHT.single, { ...desk.operation(), ...head(1) });
  await desk.finish({ ...desk.operation(), ...head(2) });
  expect(await rowOf(school)).toMatchObject({
    state: 'finished',
    finishedAt: now(),
    answered: 2,
    devices: 2,
    unsent: 2,
    unsentAt: saidAt,
    lastSeenAt: now(),
  });
});

test('a file is in progress until it is complete, whichever comes first, answer or bytes', async () => {
  const school = await makeSchool(server);
  const device = await started(school);
  const early = server.deps.newId();
  await sendPart(device, early, 0, 500);
  expect(await rowOf(school)).toMatchObject({ filesUnderway: 1, unsentSince: now() });
  await device.answer(fileAnswer(early));
  expect(await rowOf(school)).toMatchObject({ filesUnderway: 1, answered: 1 });
  await sendPart(device, early, 500, PICTURE.length);
  expect(await rowOf(school)).toMatchObject({ filesUnderway: 0, unsentSince: null });

  const late = server.deps.newId();
  server.clock.advance(MINUTE);
  await device.answer(fileAnswer(late));
  expect(await rowOf(school)).toMatchObject({ filesUnderway: 1 });
  // Replaced by another one, so nothing waits for it any more.
  await device.answer(fileAnswer(early));
  expect(await rowOf(school)).toMatchObject({ filesUnderway: 0 });
});

test('a file that its device declares lost before any byte arrived is not awaited after the finish', async () => {
  const school = await makeSchool(server);
  const phone = await started(school);
  const [lost, underway] = [server.deps.newId(), server.deps.newId()];
  await phone.answer(fileAnswer(underway));
  const desk = new TestDevice(server, school.student);
  await desk.start(school.testId, { [HEADER.takeOver]: phone.attemptId });
  await desk.finish();
  // The former device may still send its file.
  expect(await rowOf(school)).toMatchObject({ state: 'finished', filesUnderway: 1 });

  const other = await makeSchool(server);
  const device = await started(other);
  await device.answer(fileAnswer(lost));
  expect(await rowOf(other)).toMatchObject({ filesUnderway: 1 });
  await device.finish({ ...device.operation(), [HEADER.filesSetAside]: lost });
  expect(await rowOf(other)).toMatchObject({ state: 'finished', filesUnderway: 0, answered: 1 });
});

test('held answers are counted until they are decided', async () => {
  const school = await makeSchool(server);
  const device = await started(school);
  const stranger = { ...device.operation(), [HEADER.stream]: server.deps.newId() };
  const held = await device.answer(RIGHT.single, stranger);
  expect(await rowOf(school)).toMatchObject({ held: 1, answered: 0 });
  const body = { operationIds: [held.body.operationId], decision: 'refused' as const };
  const params = { attemptId: device.attemptId };
  await server.send(decideHeld, { params, body }, { as: school.teacher });
  expect(await rowOf(school)).toMatchObject({ held: 0 });
});

test('time over, then closed by reading the board', async () => {
  const school = await makeSchool(server, { passMinutes: 10, windowMinutes: 5 });
  const device = await started(school);
  const deadline = new Date(server.clock.now.getTime() + 10 * MINUTE);
  const closes = new Date(deadline.getTime() + 5 * MINUTE);
  expect(await rowOf(school)).toMatchObject({
    state: 'running',
    deadline: deadline.toISOString(),
    countsUntil: closes.toISOString(),
  });
  server.clock.advance(10 * MINUTE);
  expect(await rowOf(school)).toMatchObject({ state: 'timeOver', finishedAt: null });
  server.clock.advance(6 * MINUTE);
  expect(await rowOf(school)).toMatchObject({
    state: 'closed',
    finishedAt: closes.toISOString(),
  });
  const stored = await one<{ ended: string }>(
    server.pool,
    'select ended from attempts where id = $1',
    [device.attemptId],
  );
  expect(stored?.ended).toBe('closed');
});

test('the newest attempt is shown, and a deleted one is none', async () => {
  const school = await makeSchool(server, { attemptsCount: 2 });
  const first = await started(school);
  await first.answer(RIGHT.open);
  await first.finish();
  const second = await started(school);
  expect(await rowOf(school)).toMatchObject({
    attemptId: second.attemptId,
    attemptNumber: 2,
    answered: 0,
    state: 'running',
  });
  await execute(server.pool, 'update attempts set deleted_at = $2 where id = $1', [
    second.attemptId,
    server.clock.now,
  ]);
  expect(await rowOf(school)).toMatchObject({ attemptNumber: 1, state: 'finished' });
});

test('the attempt that runs is shown, also when its begin is held, not one that is over', async () => {
  const school = await makeOfflineSchool(server, { attemptsCount: 3 });
  const first = await started(school);
  await first.finish();
  server.clock.advance(60 * MINUTE);
  const device = new OfflineDevice(server, school.student);
  await device.fetch(school.testId);
  server.clock.advance(60 * MINUTE);
  await device.open(await showCode(server, school));
  expect((await device.begin(5 * MINUTE)).body.beginHold).toBe('beforeCode');
  await device.answer(RIGHT.open);
  expect(await rowOf(school)).toMatchObject({
    attemptId: device.attemptId,
    state: 'running',
    held: 1,
  });
  server.clock.advance(60 * MINUTE);
  expect(await rowOf(school)).toMatchObject({ attemptId: first.attemptId, state: 'finished' });
});
