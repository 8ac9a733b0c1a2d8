import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import type { CallFault } from '#simulation/faults.ts';
import type { Plant } from '#simulation/plant.ts';
import {
  choice,
  drain,
  essay,
  MINUTE,
  openClassroom,
  Q,
  shown,
  start,
  text,
  type Classroom,
} from './classroom.ts';

let classroom: Classroom;
beforeAll(async () => {
  classroom = await openClassroom({ attemptsCount: 50 });
});
afterAll(() => classroom.close());

/** A separate student, on a page with a running attempt. */
async function seated() {
  const student = await classroom.addStudent();
  const tab = await classroom.open(classroom.device(), student);
  const { attemptId } = await start(classroom, tab);
  return { student, tab, attemptId };
}

const journalled = async (attemptId: string) =>
  (await classroom.journal(attemptId)).map(({ text: said, outcome }) => [said, outcome]);

const said = async (attemptId: string) =>
  (await classroom.journal(attemptId)).map((line) => line.text);

const sendings = (operationId: string) =>
  classroom.record.deliveries.filter((one) => one.operationId === operationId);

test('row 1: a reply lost after the server stored the answer costs nothing', async () => {
  const { tab, attemptId } = await seated();
  const { operationId } = await tab.outbox.answer(attemptId, text('4,9'));
  classroom.network.force('answer', 'replyLost');
  await tab.outbox.flush();
  expect(await shown(tab, attemptId, Q.open)).toEqual({ text: '4,9', stage: 'device' });
  expect(await journalled(attemptId)).toEqual([['4,9', 'stored']]);

  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect(await shown(tab, attemptId, Q.open)).toEqual({ text: '4,9', stage: 'server' });
  expect(await journalled(attemptId)).toEqual([['4,9', 'stored']]);
  expect(sendings(operationId)).toHaveLength(2);
});

test('row 1: a lost reply to a start costs no attempt', async () => {
  const student = await classroom.addStudent();
  const tab = await classroom.open(classroom.device(), student);
  classroom.network.force('start', 'replyLost', 'timeoutAfter');
  expect((await tab.outbox.startAttempt(classroom.testId)).kind).toBe('unknown');
  expect((await tab.outbox.startAttempt(classroom.testId)).kind).toBe('unknown');
  const attempt = await start(classroom, tab);
  const { rowCount } = await classroom.server.pool.query(
    'select 1 from attempts where user_id = $1',
    [student.userId],
  );
  expect(rowCount).toBe(1);
  expect(attempt.epoch).toBe(1);
});

test('row 2: a lost request leaves the answer waiting on the device', async () => {
  const { tab, attemptId } = await seated();
  await tab.outbox.answer(attemptId, text('4,9'));
  classroom.network.force('answer', 'requestLost');
  const report = await tab.outbox.flush();
  expect(report).toMatchObject({ acknowledged: 0, failed: 1, waiting: 1 });
  expect(await shown(tab, attemptId, Q.open)).toEqual({ text: '4,9', stage: 'device' });
  expect(await journalled(attemptId)).toEqual([]);
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect(await journalled(attemptId)).toEqual([['4,9', 'stored']]);
});

test.each<[string, CallFault]>([
  ['at the same moment', 'parallelDuplicate'],
  ['much later', 'lateDuplicate'],
])('row 3: an answer that comes twice, %s, has one effect', async (_when, fault) => {
  const { tab, attemptId } = await seated();
  const { operationId } = await tab.outbox.answer(attemptId, text('4,9'));
  classroom.network.force('answer', fault);
  expect((await tab.outbox.flush()).acknowledged).toBe(1);
  while (classroom.network.inFlight() > 0) await classroom.network.arrive();
  expect(sendings(operationId).map(({ status }) => status)).toEqual([200, 200]);
  expect(await journalled(attemptId)).toEqual([['4,9', 'stored']]);
});

test('row 3: the same id with another body is refused and changes nothing', async () => {
  const { tab, attemptId, student } = await seated();
  const { operationId } = await tab.outbox.answer(attemptId, text('4,9'));
  await drain(classroom, tab);
  const { token } = await classroom.server.signIn(student);
  const reply = await classroom.server.deliver({
    method: 'POST',
    url: `/api/TestPassing/${attemptId}/answer`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      [HEADER.idempotencyKey]: operationId,
    },
    payload: JSON.stringify(text('5')),
  });
  expect(reply.status).toBe(422);
  expect(await journalled(attemptId)).toEqual([['4,9', 'stored']]);
});

test('row 4: a delayed answer changes nothing when a newer one counts', async () => {
  const { tab, attemptId } = await seated();
  await tab.outbox.answer(attemptId, text('first'));
  classroom.network.force('answer', 'delayed');
  await tab.outbox.flush();
  await tab.outbox.answer(attemptId, text('second'));
  expect((await drain(classroom, tab)).waiting).toBe(0);
  await classroom.network.arrive();
  expect(await shown(tab, attemptId, Q.open)).toEqual({ text: 'second', stage: 'server' });
  await tab.fetchSaved(attemptId);
  expect(await shown(tab, attemptId, Q.open)).toEqual({ text: 'second', stage: 'server' });
  expect(await journalled(attemptId)).toEqual([
    ['first', 'stored'],
    ['second', 'stored'],
  ]);
});

test('row 4: the older of two answers that arrives last is acknowledged as superseded', async () => {
  const { tab, attemptId } = await seated();
  const older = await tab.outbox.answer(attemptId, text('older'));
  await tab.outbox.answer(attemptId, choice('b'));
  classroom.network.force('answer', 'delayed');
  await tab.outbox.flush();
  classroom.network.poisoned.add(older.operationId);
  await tab.outbox.answer(attemptId, text('newer'));
  // The older one fails repeatedly, so that the newer one overtakes it.
  for (let i = 0; i < 60 && !(await said(attemptId)).includes('newer'); i += 1) {
    await drain(classroom, tab, 2);
  }
  classroom.network.poisoned.delete(older.operationId);
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect(await journalled(attemptId)).toContainEqual(['older', 'superseded']);
  await tab.fetchSaved(attemptId);
  expect(await shown(tab, attemptId, Q.open)).toEqual({ text: 'newer', stage: 'server' });
});

test.each<[string, CallFault]>([
  ['a portal’s page', 'portalPage'],
  ['a redirect', 'redirect'],
  ['an empty 200', 'emptyOk'],
  ['somebody’s JSON', 'foreignJson'],
])('row 22: %s acknowledges nothing', async (_name, fault) => {
  const { tab, attemptId } = await seated();
  await tab.outbox.answer(attemptId, text('4,9'));
  await tab.outbox.finish(attemptId, 'student');
  classroom.network.force('answer', fault);
  classroom.network.force('finish', fault);
  expect((await tab.outbox.flush()).acknowledged).toBe(0);
  expect(await shown(tab, attemptId, Q.open)).toEqual({ text: '4,9', stage: 'device' });
  expect(await journalled(attemptId)).toEqual([]);
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect((await tab.outbox.attempt(attemptId))?.state).toBe('finished');
});

test('row 23: 5xx and time-outs do not reorder a question or delay others', async () => {
  const { tab, attemptId } = await seated();
  const first = await tab.outbox.answer(attemptId, text('first'));
  classroom.network.force('answer', 'status500');
  await tab.outbox.flush();
  await tab.outbox.answer(attemptId, text('second'));
  await tab.outbox.answer(attemptId, choice('b'));
  classroom.network.poisoned.add(first.operationId);
  const report = await tab.outbox.flush({ force: true });
  expect(report.acknowledged).toBe(1);
  expect((await shown(tab, attemptId, Q.single)).stage).toBe('server');
  expect((await shown(tab, attemptId, Q.open)).stage).toBe('device');
  classroom.network.poisoned.delete(first.operationId);
  classroom.network.force('answer', 'timeoutBefore');
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect(await journalled(attemptId)).toEqual([
    [null, 'stored'],
    ['first', 'stored'],
    ['second', 'stored'],
  ]);
});

test.each(['status429', 'status503'] as const)(
  'row 24: a stranger’s Retry-After of an hour (%s) delays an answer by at most 30 s',
  async (fault) => {
    const { tab, attemptId } = await seated();
    const { operationId } = await tab.outbox.answer(attemptId, text('4,9'));
    classroom.network.force('answer', fault);
    expect((await tab.outbox.flush()).nextInMs).toBe(30_000);
    classroom.timeline.advance(29_000);
    await tab.outbox.flush();
    expect(sendings(operationId)).toHaveLength(0);
    classroom.timeline.advance(1_000);
    expect((await tab.outbox.flush()).acknowledged).toBe(1);
  },
);

test('row 24: any success of our server ends a stranger’s wait', async () => {
  const { tab, attemptId } = await seated();
  await tab.outbox.answer(attemptId, text('4,9'));
  classroom.network.force('answer', 'status429');
  await tab.outbox.flush();
  await tab.outbox.report();
  classroom.timeline.advance(1_000);
  expect((await tab.outbox.flush()).acknowledged).toBe(1);
});

/** Our server's refusal of the next answers, with a wait of this many seconds. */
function refusing(seconds: number): { plant: Plant; stop: () => void } {
  let isRefusing = true;
  const body = { code: 'TOO_MANY_REQUESTS', message: 'Подождите', requestId: 'r' };
  const plant: Plant = {
    fetch: (fetch) => async (input, init) => {
      const address = input instanceof Request ? input.url : input.toString();
      if (!isRefusing || !address.endsWith('/answer')) return fetch(input, init);
      const serverTime = new Date(classroom.server.schoolTime()).toISOString();
      const headers = { 'retry-after': String(seconds), [HEADER.serverTime]: serverTime };
      return new Response(JSON.stringify(body), { status: 429, headers });
    },
  };
  return { plant, stop: () => (isRefusing = false) };
}

test('row 24: our server’s Retry-After is obeyed, never past the deadline', async () => {
  const student = await classroom.addStudent();
  const { plant, stop } = refusing(600);
  const tab = await classroom.open(classroom.device(), student, { plant });
  const { attemptId } = await start(classroom, tab);
  await tab.outbox.answer(attemptId, text('4,9'));
  expect((await tab.outbox.flush()).nextInMs).toBe(600_000);

  const left = (await tab.outbox.snapshot(attemptId))?.remainingMs ?? 0;
  classroom.timeline.advance(left - 5 * MINUTE);
  const { nextInMs } = await tab.outbox.flush({ force: true });
  expect(nextInMs).toBeLessThan(5 * MINUTE);
  stop();
  classroom.timeline.advance(nextInMs ?? 0);
  expect((await tab.outbox.flush()).acknowledged).toBe(1);
  expect(await journalled(attemptId)).toEqual([['4,9', 'stored']]);
});

test('row 25: an answer that the server can never accept is set aside and reported, the rest and the finish continue', async () => {
  const { tab, attemptId } = await seated();
  const both: Answer = { questionId: Q.single, kind: 'variant', optionIds: ['a', 'b'] };
  await tab.outbox.answer(attemptId, both);
  await tab.outbox.answer(attemptId, text('4,9'));
  await tab.outbox.finish(attemptId, 'student');
  const report = await drain(classroom, tab);
  expect(report).toMatchObject({ waiting: 0 });
  expect((await shown(tab, attemptId, Q.single)).stage).toBe('setAside');
  expect((await shown(tab, attemptId, Q.open)).stage).toBe('server');
  expect((await tab.outbox.attempt(attemptId))?.state).toBe('finished');
});

test.each<[string, CallFault[]]>([
  ['cut in the middle', ['uploadCut', 'uploadCut']],
  ['damaged on the way', ['uploadCorrupted']],
  ['cut after the server had it', ['replyLost']],
  ['broken by a server that dies before the commit', ['killedBeforeCommit']],
  ['broken by a server that dies after the commit', ['killedAfterCommit']],
])('row 26: an upload %s goes again, and the finish waits for it', async (_name, faults) => {
  const { tab, attemptId } = await seated();
  const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7) % 256);
  bytes.set([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]);
  const file = { name: 'решение.jpg', mimeType: 'image/jpeg', bytes };
  await tab.outbox.addFile(attemptId, Q.file, file);
  await tab.outbox.finish(attemptId, 'student');
  classroom.network.force('file', ...faults);
  await tab.outbox.flush();
  expect((await tab.outbox.attempt(attemptId))?.state).toBe('finishing');
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect((await shown(tab, attemptId, Q.file)).stage).toBe('server');
  const { rows } = await classroom.server.pool.query<{ complete: boolean; size: number }>(
    'select completed_at is not null as complete, received as size from uploads where attempt_id = $1',
    [attemptId],
  );
  expect(rows).toEqual([{ complete: true, size: bytes.length }]);
  expect((await tab.outbox.attempt(attemptId))?.state).toBe('finished');
});

test('row 26: the last part of a file is accepted again when its commit failed after the file was complete', async () => {
  const { tab, attemptId } = await seated();
  const bytes = new Uint8Array(300_000);
  bytes.set([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]);
  await tab.outbox.addFile(attemptId, Q.file, { name: 'a.jpg', mimeType: 'image/jpeg', bytes });
  // The first part goes well; the second one is the last.
  classroom.network.force('file', 'lateDuplicate', 'killedBeforeCommit');
  await tab.outbox.flush();
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect((await shown(tab, attemptId, Q.file)).stage).toBe('server');
});

test.each<[string, CallFault, boolean]>([
  [
    'row 27: a server killed between commit and reply has the answer once',
    'killedAfterCommit',
    true,
  ],
  [
    'row 28: a server killed before the commit has nothing, and then the answer once',
    'killedBeforeCommit',
    false,
  ],
  ['row 29: a database that is away acknowledges nothing', 'databaseAway', false],
  ['row 29: a commit that nobody heard of is found by the same id', 'commitUnknown', true],
  ['row 30: a full disk acknowledges nothing', 'diskFull', false],
])('%s', async (_name, fault, isStored) => {
  const { tab, attemptId } = await seated();
  await tab.outbox.answer(attemptId, text('4,9'));
  await tab.outbox.answer(attemptId, essay('Опыт'));
  await tab.outbox.finish(attemptId, 'student');
  classroom.network.force('answer', fault, fault);
  classroom.network.force('finish', fault);
  expect((await tab.outbox.flush()).acknowledged).toBe(0);
  expect((await classroom.journal(attemptId)).length > 0).toBe(isStored);
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect((await classroom.journal(attemptId)).map((line) => [line.kind, line.outcome])).toEqual([
    ['answer', 'stored'],
    ['answer', 'stored'],
    ['finish', 'stored'],
  ]);
});
