import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getPassing } from '#contract/tests.ts';
import { HEADER } from '#contract/headers.ts';
import { execute } from '#server/db/query.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import { restoreBackup, takeBackup, type Backup } from '#simulation/backup.ts';
import type { SimulatedPerson } from '#simulation/server.ts';
import type { Tab } from '#simulation/tab.ts';
import {
  addMinutes,
  bringBack,
  choice,
  drain,
  essay,
  MINUTE,
  openClassroom,
  Q,
  remove,
  shown,
  start,
  text,
  view,
  type Classroom,
} from './classroom.ts';

let classroom: Classroom;
beforeAll(async () => {
  classroom = await openClassroom({ attemptsCount: 50, windowMinutes: 15 });
});
afterAll(() => classroom.close());

let student: SimulatedPerson;
let tab: Tab;
let attemptId: string;
beforeEach(async () => {
  student = await classroom.addStudent();
  tab = await classroom.open(classroom.device(), student);
  ({ attemptId } = await start(classroom, tab));
});

const line = async (said: string) =>
  (await classroom.journal(attemptId)).find((one) => one.text === said);

async function points(): Promise<{ ended: string | null; points: number | null }> {
  const { rows } = await classroom.server.pool.query<{
    ended: string | null;
    points: number | null;
  }>('select ended, points from attempts where id = $1', [attemptId]);
  return rows[0] ?? { ended: null, points: null };
}

describe('row 16: a deadline that passes offline', () => {
  beforeEach(async () => {
    tab.device.line.online = false;
    await tab.outbox.answer(attemptId, text('4,9'));
    classroom.timeline.advance(40 * MINUTE + 5_000);
    await tab.outbox.finish(attemptId, 'deadline');
  });

  test('locks the inputs', async () => {
    expect(await view(tab, attemptId)).toMatchObject({ readOnly: 'finishing', remainingMs: 0 });
  });

  test('sends answers and finish within the window: they count, flagged as late', async () => {
    classroom.timeline.advance(10 * MINUTE);
    tab.device.line.online = true;
    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect(await line('4,9')).toMatchObject({ outcome: 'stored', receivedLate: true });
    expect(await points()).toEqual({ ended: 'finished', points: 2 });
  });

  test('sends them after the window: they are held for the teacher and change no mark', async () => {
    classroom.timeline.advance(20 * MINUTE);
    await closeDueAttempts(classroom.server.pool, new Date(classroom.timeline.now()));
    tab.device.line.online = true;
    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect(await line('4,9')).toMatchObject({ outcome: 'held' });
    expect(await points()).toEqual({ ended: 'closed', points: 0 });
  });

  test('and was moved meanwhile: the inputs open again, and nothing is finished', async () => {
    await addMinutes(classroom, attemptId, 20);
    tab.device.line.online = true;
    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect((await view(tab, attemptId)).readOnly).toBeNull();
    expect(await points()).toEqual({ ended: null, points: null });
    await tab.outbox.answer(attemptId, choice('b'));
    await tab.outbox.finish(attemptId, 'student');
    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect(await points()).toEqual({ ended: 'finished', points: 3 });
  });
});

describe('row 18: a finish', () => {
  test('that overtakes answers is refused with what is missing, and changes nothing', async () => {
    const written = await tab.outbox.answer(attemptId, text('4,9'));
    const { token } = await classroom.server.signIn(student);
    const attempt = await tab.outbox.attempt(attemptId);
    const reply = await classroom.server.deliver({
      method: 'POST',
      url: `/api/TestPassing/${attemptId}/finish`,
      headers: {
        authorization: `Bearer ${token}`,
        [HEADER.idempotencyKey]: classroom.server.deps.newId(),
        [HEADER.stream]: attempt?.stream ?? '',
        [HEADER.epoch]: '1',
        [HEADER.sequence]: String(written.sequence + 1),
      },
      payload: null,
    });
    expect(reply.status).toBe(409);
    expect(JSON.parse(reply.text)).toMatchObject({
      code: 'INCOMPLETE',
      details: { missing: [written.sequence], files: [] },
    });
    expect(await points()).toEqual({ ended: null, points: null });
  });

  test('resends what the server lost below it', async () => {
    await tab.outbox.answer(attemptId, text('4,9'));
    await drain(classroom, tab);
    await execute(classroom.server.pool, 'delete from operations where attempt_id = $1', [
      attemptId,
    ]);
    await tab.outbox.finish(attemptId, 'student');
    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect(await line('4,9')).toMatchObject({ outcome: 'stored' });
    expect(await points()).toEqual({ ended: 'finished', points: 2 });
  });

  test('with a permanent gap names it, and ends the attempt', async () => {
    const lost = await tab.outbox.answer(attemptId, choice('a'));
    await tab.outbox.answer(attemptId, text('4,9'));
    await tab.storage.write(['operations'], (tx) => tx.delete('operations', lost.operationId));
    await tab.outbox.finish(attemptId, 'student');
    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect(await points()).toEqual({ ended: 'finished', points: 2 });
  });

  test('has no gap where answers were folded into newer ones', async () => {
    for (const said of ['4', '4,', '4,9']) await tab.outbox.answer(attemptId, text(said));
    await tab.outbox.finish(attemptId, 'student');
    expect((await drain(classroom, tab)).waiting).toBe(0);
    const journal = await classroom.journal(attemptId);
    expect(journal.map(({ sequence }) => sequence)).toEqual([3, 4]);
    expect(await points()).toEqual({ ended: 'finished', points: 2 });
  });
});

test('row 33: a test edited while an attempt runs leaves it its version', async () => {
  await tab.outbox.answer(attemptId, text('4,9'));
  await drain(classroom, tab);
  const contentId = classroom.server.deps.newId();
  await execute(
    classroom.server.pool,
    `insert into test_contents (id, test_id, questions, max_points, created_at)
     select $1, c.test_id, jsonb_path_query_array(c.questions, '$[1 to last]'), 5, now()
     from test_contents c join tests t on t.content_id = c.id where t.id = $2`,
    [contentId, classroom.testId],
  );
  const before = await classroom.server.pool.query<{ content_id: string }>(
    'select content_id from tests where id = $1',
    [classroom.testId],
  );
  const setContent = (id: string | undefined) =>
    execute(classroom.server.pool, 'update tests set content_id = $2 where id = $1', [
      classroom.testId,
      id,
    ]);
  await setContent(contentId);
  try {
    const again = await classroom.reload(tab);
    expect((await view(again, attemptId)).questions).toHaveLength(6);
    await again.outbox.answer(attemptId, essay('Опыт'));
    await again.outbox.finish(attemptId, 'student');
    expect((await drain(classroom, again)).waiting).toBe(0);
    expect(await points()).toEqual({ ended: 'finished', points: 2 });
  } finally {
    await setContent(before.rows[0]?.content_id);
  }
});

test('row 34: answers of a deleted attempt are set aside, and removed when it is restored', async () => {
  await remove(classroom, attemptId);
  await tab.outbox.answer(attemptId, text('4,9'));
  expect(await drain(classroom, tab)).toMatchObject({ waiting: 0, setAside: 1 });
  expect((await view(tab, attemptId)).readOnly).toBe('gone');
  expect((await shown(tab, attemptId, Q.open)).stage).toBe('setAside');
  await bringBack(classroom, attemptId);
  const again = await classroom.reload(tab);
  expect((await drain(classroom, again)).waiting).toBe(0);
  expect(await shown(again, attemptId, Q.open)).toEqual({ text: '4,9', stage: 'server' });
  expect((await view(again, attemptId)).readOnly).toBeNull();
});

test('row 34: a blocked account pauses the whole queue, and loses nothing', async () => {
  const block = (at: Date | null) =>
    execute(classroom.server.pool, 'update users set blocked_at = $2 where id = $1', [
      student.userId,
      at,
    ]);
  await tab.outbox.answer(attemptId, text('4,9'));
  await tab.outbox.answer(attemptId, choice('b'));
  await block(new Date(classroom.timeline.now()));
  const before = classroom.record.deliveries.length;
  expect((await tab.outbox.flush()).pause).toBe('blocked');
  expect(classroom.record.deliveries.length - before).toBe(1);
  expect(await classroom.journal(attemptId)).toEqual([]);
  await block(null);
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect(await classroom.journal(attemptId)).toHaveLength(2);
});

describe('row 35: a backup restored under running clients', () => {
  const people = () => [student.userId];

  async function backUp(): Promise<Backup> {
    const { pool, deps } = classroom.server;
    return takeBackup(pool, deps.dataDir, people());
  }

  async function restore(backup: Backup, withFiles = true): Promise<void> {
    const { pool, deps } = classroom.server;
    await restoreBackup(pool, deps.dataDir, people(), backup, withFiles);
    deps.state.epoch += 1;
    await classroom.server.restart();
  }

  /** The page learns of the restore by any call. */
  const hear = (page: Tab) => page.ask(getPassing, { params: { attemptId } });

  test('gets everything acknowledged again, with verdicts and times as they were', async () => {
    const backup = await backUp();
    await tab.outbox.answer(attemptId, text('4,9'));
    await tab.outbox.answer(attemptId, choice('b'));
    await tab.outbox.finish(attemptId, 'student');
    await drain(classroom, tab);
    const before = await classroom.server.pool.query(
      'select id, outcome, received_at from operations where attempt_id = $1 order by id',
      [attemptId],
    );
    await restore(backup);
    expect(await classroom.journal(attemptId)).toEqual([]);
    // Beyond every window: only the seals prove that all arrived in time.
    classroom.timeline.advance(5 * 60 * MINUTE);
    await hear(tab);
    expect((await drain(classroom, tab)).waiting).toBe(0);
    const after = await classroom.server.pool.query(
      'select id, outcome, received_at from operations where attempt_id = $1 order by id',
      [attemptId],
    );
    expect(after.rows).toEqual(before.rows);
    expect(await points()).toEqual({ ended: 'finished', points: 3 });
  });

  test('believes a receipt although a late copy arrived first without it', async () => {
    const backup = await backUp();
    await tab.outbox.answer(attemptId, text('4,9'));
    await tab.outbox.finish(attemptId, 'student');
    classroom.network.force('answer', 'lateDuplicate');
    classroom.network.force('finish', 'lateDuplicate');
    await drain(classroom, tab);
    await restore(backup);
    classroom.timeline.advance(5 * 60 * MINUTE);
    while (classroom.network.inFlight() > 0) await classroom.network.arrive();
    expect(await line('4,9')).toMatchObject({ outcome: 'held' });
    await hear(tab);
    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect(await line('4,9')).toMatchObject({ outcome: 'stored' });
    expect((await classroom.journal(attemptId)).length).toBe(2);
    expect((await points()).points).toBe(2);
  });

  test('recreates an attempt that it does not know, including its file', async () => {
    const other = await classroom.addStudent();
    const page = await classroom.open(classroom.device(), other);
    student = other;
    const backup = await backUp();
    ({ attemptId } = await start(classroom, page));
    await page.outbox.answer(attemptId, text('4,9'));
    const bytes = new Uint8Array(20_000);
    bytes.set([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]);
    await page.outbox.addFile(attemptId, Q.file, { name: 'a.jpg', mimeType: 'image/jpeg', bytes });
    await page.outbox.finish(attemptId, 'student');
    await drain(classroom, page);
    await restore(backup, false);
    // The restored server does not know this sign-in either.
    await classroom.signIn(page, other);
    await hear(page);
    expect((await drain(classroom, page)).waiting).toBe(0);
    expect(await points()).toEqual({ ended: 'finished', points: 2 });
    const uploads = await classroom.server.pool.query<{ complete: boolean }>(
      'select completed_at is not null as complete from uploads where attempt_id = $1',
      [attemptId],
    );
    expect(uploads.rows).toEqual([{ complete: true }]);
  });

  test('never gives a new stream the epoch of one that it lost', async () => {
    const backup = await backUp();
    const tablet = await classroom.open(classroom.device('B'), student);
    const forgotten = await start(classroom, tablet, attemptId);
    await tablet.outbox.answer(attemptId, text('tablet'));
    await drain(classroom, tablet);
    await restore(backup);
    await classroom.signIn(tab, student);
    const held = await start(classroom, tab, attemptId);
    expect(held.epoch).toBeGreaterThan(forgotten.epoch);
    await tab.outbox.answer(attemptId, text('phone'));
    await drain(classroom, tab);
    await classroom.signIn(tablet, student);
    await hear(tablet);
    expect((await drain(classroom, tablet)).waiting).toBe(0);
    await tab.fetchSaved(attemptId);
    expect((await shown(tab, attemptId, Q.open)).text).toBe('phone');
    expect(await line('tablet')).toMatchObject({ epoch: forgotten.epoch });
  });
});

test('row 36: an answer that the server always fails is set aside, and the rest and the finish continue', async () => {
  const poison = await tab.outbox.answer(attemptId, essay('яд'));
  classroom.network.poisoned.add(poison.operationId);
  await tab.outbox.answer(attemptId, text('4,9'));
  await tab.outbox.answer(attemptId, choice('b'));
  await tab.outbox.finish(attemptId, 'student');
  for (let i = 0; i < 60 && (await points()).ended === null; i += 1) await drain(classroom, tab, 2);
  expect(await points()).toEqual({ ended: 'finished', points: 3 });
  expect((await shown(tab, attemptId, Q.essay)).stage).toBe('setAside');
  classroom.network.poisoned.delete(poison.operationId);
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect(await line('яд')).toMatchObject({ outcome: 'held' });
});
