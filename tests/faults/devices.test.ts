import { afterAll, beforeAll, expect, test } from 'vitest';
import { OutboxRefusal } from '#app/outbox/types.ts';
import type { Tab } from '#simulation/tab.ts';
import {
  addMinutes,
  choice,
  died,
  drain,
  essay,
  MINUTE,
  openClassroom,
  Q,
  shown,
  start,
  text,
  view,
  type Classroom,
} from './classroom.ts';

let classroom: Classroom;
beforeAll(async () => {
  classroom = await openClassroom({ attemptsCount: 50 });
});
afterAll(() => classroom.close());

const DAY = 24 * 60 * MINUTE;

async function seated(traits: { skewMs?: number; hasWebLocks?: boolean } = {}) {
  const student = await classroom.addStudent();
  const tab = await classroom.open(classroom.device('A', traits), student);
  const { attemptId } = await start(classroom, tab);
  return { student, tab, attemptId };
}

const outcomes = async (attemptId: string) =>
  (await classroom.journal(attemptId)).map(({ text: said, outcome }) => [said, outcome]);

test('row 5: two tabs that write at once share no sequence, and one sends', async () => {
  const { tab, attemptId } = await seated();
  const second = await classroom.open(tab.device);
  const written = await Promise.all([
    tab.outbox.answer(attemptId, text('one')),
    second.outbox.answer(attemptId, choice('b')),
    tab.outbox.answer(attemptId, essay('three')),
  ]);
  expect(new Set(written.map(({ sequence }) => sequence)).size).toBe(3);
  const before = classroom.record.deliveries.length;
  await Promise.all([tab.outbox.flush(), second.outbox.flush()]);
  expect((await drain(classroom, tab)).waiting).toBe(0);
  const sent = classroom.record.deliveries.slice(before).map(({ operationId }) => operationId);
  expect(sent).toHaveLength(3);
  expect(new Set(sent).size).toBe(3);
});

test('row 6: late answers of a dead phone fill blanks and overwrite nothing', async () => {
  const { student, tab: phone, attemptId } = await seated();
  phone.device.line.online = false;
  await phone.outbox.answer(attemptId, text('phone'));
  await phone.outbox.answer(attemptId, choice('a'));
  await phone.outbox.flush();

  const tablet = await classroom.open(classroom.device('B'), student);
  const refused = await tablet.outbox.startAttempt(classroom.testId);
  expect(refused.kind).toBe('runningElsewhere');
  const taken = await start(classroom, tablet, attemptId);
  expect(taken.epoch).toBe(2);
  await tablet.outbox.answer(attemptId, text('tablet'));
  await drain(classroom, tablet);

  phone.device.line.online = true;
  expect((await drain(classroom, phone)).waiting).toBe(0);
  expect((await view(phone, attemptId)).readOnly).toBe('takenOver');
  await tablet.fetchSaved(attemptId);
  expect((await shown(tablet, attemptId, Q.open)).text).toBe('tablet');
  expect((await shown(tablet, attemptId, Q.single)).stage).toBe('server');
  const journal = await outcomes(attemptId);
  expect(journal).toHaveLength(3);
  expect(journal).toEqual(
    expect.arrayContaining([
      ['tablet', 'stored'],
      ['phone', 'superseded'],
      [null, 'stored'],
    ]),
  );
});

test('row 6: a second take-over still shows unsent answers of the older stream', async () => {
  const { student, tab: phone, attemptId } = await seated();
  await phone.outbox.answer(attemptId, text('sent'));
  await drain(classroom, phone);
  await phone.fetchSaved(attemptId);
  phone.device.line.online = false;
  await phone.outbox.answer(attemptId, text('unsent'));
  phone.device.line.online = true;
  const tablet = await classroom.open(classroom.device('B'), student);
  await start(classroom, tablet, attemptId);
  await start(classroom, phone, attemptId);
  expect(await shown(phone, attemptId, Q.open)).toEqual({ text: 'unsent', stage: 'device' });
  expect((await drain(classroom, phone)).waiting).toBe(0);
  expect((await shown(phone, attemptId, Q.open)).text).toBe('unsent');
  await phone.fetchSaved(attemptId);
  expect(await shown(phone, attemptId, Q.open)).toEqual({ text: 'unsent', stage: 'server' });
});

test('row 6: a late reply to an old start restores neither an older stream nor an empty test', async () => {
  const student = await classroom.addStudent();
  const tab = await classroom.open(classroom.device(), student);
  const first = await tab.outbox.startAttempt(classroom.testId);
  if (first.kind !== 'started') throw new Error(first.kind);
  const { attemptId } = first.attempt;
  const taken = await start(classroom, tab, attemptId);
  await tab.outbox.adoptStarted(student.userId, { ...first.started, questions: [] });
  expect(await tab.outbox.attempt(attemptId)).toMatchObject({ stream: taken.stream, epoch: 2 });
  expect((await view(tab, attemptId)).questions).toHaveLength(6);
  await tab.outbox.answer(attemptId, text('4,9'));
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect(await classroom.journal(attemptId)).toMatchObject([{ epoch: 2, outcome: 'stored' }]);
});

test('row 7: an updated app, and a downgraded one, send what waits', async () => {
  const { tab, attemptId } = await seated();
  tab.device.line.online = false;
  await tab.outbox.answer(attemptId, text('4,9'));
  tab.die();
  await new Promise<void>((resolve, reject) => {
    const upgrade = tab.device.factory.open('exam-room', 7);
    upgrade.addEventListener('upgradeneeded', () => upgrade.result.createObjectStore('of-later'));
    upgrade.addEventListener('error', () => reject(new Error('not upgraded')));
    upgrade.addEventListener('success', () => {
      upgrade.result.close();
      resolve();
    });
  });
  tab.device.line.online = true;
  const older = await classroom.open(tab.device);
  expect(await shown(older, attemptId, Q.open)).toEqual({ text: '4,9', stage: 'device' });
  expect((await drain(classroom, older)).waiting).toBe(0);
});

test('row 8: a page killed at any step leaves an answer whole, or absent and never shown as saved', async () => {
  const { tab: first, attemptId } = await seated();
  first.die();
  const seen = new Set<string>();
  for (let step = 1; step <= 8; step += 1) {
    const tab = await classroom.open(first.device);
    const before = (await shown(tab, attemptId, Q.open)).text;
    tab.dieAfter(step);
    const outcome = await tab.run(() => tab.outbox.answer(attemptId, text(`step ${step}`)));
    tab.die();
    const reopened = await classroom.open(first.device);
    const after = (await shown(reopened, attemptId, Q.open)).text;
    expect([before, `step ${step}`]).toContain(after);
    if (!died(outcome)) expect(after).toBe(`step ${step}`);
    seen.add(died(outcome) ? (after === before ? 'absent' : 'whole') : 'saved');
    reopened.die();
  }
  expect([...seen].toSorted()).toEqual(['absent', 'saved', 'whole']);
});

test('row 8: a page killed at any step of sending loses nothing and has no effect twice', async () => {
  const { tab: first, attemptId } = await seated();
  let tab: Tab = first;
  for (let step = 1; step <= 20; step += 1) {
    await tab.outbox.answer(attemptId, text(`${step}`));
    tab.dieAfter(step);
    await tab.run(() => tab.outbox.flush());
    tab = await classroom.reload(tab);
    expect((await shown(tab, attemptId, Q.open)).text).toBe(`${step}`);
  }
  expect((await drain(classroom, tab)).waiting).toBe(0);
  const journal = await classroom.journal(attemptId);
  expect(journal.at(-1)?.text).toBe('20');
  expect(new Set(journal.map(({ id }) => id)).size).toBe(journal.length);
});

test.each([DAY, -DAY])(
  'row 14: a clock wrong by %d ms changes neither the time left nor what counts',
  async (skewMs) => {
    const { tab, attemptId } = await seated({ skewMs });
    const truth = async (left: number) =>
      expect(Math.abs((await view(tab, attemptId)).remainingMs - left)).toBeLessThan(1_000);
    await truth(40 * MINUTE);
    await tab.outbox.answer(attemptId, text('4,9'));
    tab.device.clock.shift(-2 * skewMs);
    classroom.timeline.advance(5 * MINUTE);
    expect((await drain(classroom, tab)).waiting).toBe(0);
    await truth(35 * MINUTE);
    // A clock set far forward showed the deadline as past; the server's time opens the inputs again.
    expect((await view(tab, attemptId)).readOnly).toBeNull();
    const journal = await classroom.journal(attemptId);
    expect(journal.find(({ kind }) => kind === 'answer')).toMatchObject({ outcome: 'stored' });
  },
);

test('row 14: an answer written in time counts although the clock was set back before it was sent', async () => {
  const { tab, attemptId } = await seated();
  tab.device.line.online = false;
  await tab.outbox.answer(attemptId, text('4,9'));
  classroom.timeline.advance(42 * MINUTE);
  tab.device.clock.shift(-DAY);
  tab.device.line.online = true;
  expect((await drain(classroom, tab)).waiting).toBe(0);
  const [answer] = await classroom.journal(attemptId);
  expect(answer).toMatchObject({ text: '4,9', outcome: 'stored', receivedLate: true });
});

/** A page that looks at the time four times a second. */
async function setClock(tab: Tab, by: number): Promise<void> {
  tab.outbox.serverNow();
  tab.device.clock.shift(by);
  classroom.timeline.advance(250);
  tab.outbox.serverNow();
  await tab.outbox.flush();
}

const GAPS: readonly number[] = [10 * MINUTE, 60 * MINUTE, DAY];

test.each(GAPS)(
  'row 40: a clock put forward by %d ms offline, under a shown page, costs no minute; nor does putting it back',
  async (by) => {
    const { tab, attemptId } = await seated();
    await tab.outbox.flush();
    tab.device.line.online = false;
    tab.device.clock.isShown = true;
    const before = (await view(tab, attemptId)).remainingMs;
    await setClock(tab, by);
    for (const passed of [250, 500]) {
      const { readOnly, remainingMs } = await view(tab, attemptId);
      expect(readOnly).toBeNull();
      // A new era drops the rounding error of replies, less than a round trip.
      expect(Math.abs(before - passed - remainingMs)).toBeLessThan(300);
      await setClock(tab, -by);
    }
    expect((await view(tab, attemptId)).readOnly).toBeNull();
  },
);

test.each(GAPS.slice(1))(
  'row 40: a clock put forward by %d ms offline, unseen, ends nothing: put right it opens the inputs, and no gap stays',
  async (by) => {
    const { tab, attemptId } = await seated();
    await tab.outbox.answer(attemptId, text('before'));
    await tab.outbox.flush();
    tab.device.line.online = false;
    await setClock(tab, by);
    expect((await view(tab, attemptId)).readOnly).toBe('finishing');

    const reloaded = await classroom.reload(tab);
    await reloaded.outbox.opened();
    expect((await view(reloaded, attemptId)).readOnly).toBe('finishing');
    await setClock(reloaded, -by);
    expect((await view(reloaded, attemptId)).readOnly).toBeNull();
    await reloaded.outbox.answer(attemptId, text('after'));
    reloaded.device.line.online = true;
    expect((await drain(classroom, reloaded)).waiting).toBe(0);
    await reloaded.outbox.finish(attemptId, 'student');
    expect((await drain(classroom, reloaded)).waiting).toBe(0);
    expect(await outcomes(attemptId)).toEqual([
      ['before', 'stored'],
      ['after', 'stored'],
      [null, 'stored'],
    ]);
  },
);

test('row 40: a clock that stays ahead is corrected by the first reply, and the finish is dropped', async () => {
  const { tab, attemptId } = await seated();
  await tab.outbox.flush();
  tab.device.line.online = false;
  const before = (await view(tab, attemptId)).remainingMs;
  await setClock(tab, DAY);
  expect((await view(tab, attemptId)).readOnly).toBe('finishing');
  tab.device.line.online = true;
  await drain(classroom, tab, 5);
  const { readOnly, remainingMs } = await view(tab, attemptId);
  expect(readOnly).toBeNull();
  expect(before - remainingMs).toBeLessThan(MINUTE);
});

test('row 15: after sleep the time left is right at once', async () => {
  const { tab, attemptId } = await seated();
  classroom.timeline.advance(12 * MINUTE);
  tab.device.clock.slept(12 * MINUTE);
  const { remainingMs } = await view(tab, attemptId);
  expect(Math.abs(remainingMs - 28 * MINUTE)).toBeLessThan(1_000);
});

test("row 19: 401 pauses the whole queue without a storm, and the same user's sign-in resumes it", async () => {
  const { student, tab, attemptId } = await seated();
  await tab.outbox.answer(attemptId, text('4,9'));
  await tab.outbox.answer(attemptId, choice('b'));
  await classroom.server.signOut(tab.device.session?.signedIn.token ?? '');
  const before = classroom.record.deliveries.length;
  expect((await tab.outbox.flush()).pause).toBe('signIn');
  for (let i = 0; i < 5; i += 1) await tab.outbox.flush({ force: true });
  expect(classroom.record.deliveries.length - before).toBe(1);
  // The student continues to answer meanwhile.
  await tab.outbox.answer(attemptId, essay('Опыт'));
  await classroom.signIn(tab, student);
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect(await outcomes(attemptId)).toHaveLength(3);
});

test('row 20: a logout with unsent answers counts and retains them, and sends none', async () => {
  const { student, tab, attemptId } = await seated();
  await tab.outbox.answer(attemptId, text('4,9'));
  expect(await tab.outbox.unsentCount(student.userId)).toBe(1);
  await classroom.signOut(tab);
  expect((await tab.outbox.flush({ force: true })).ran).toBe(false);
  const reopened = await classroom.reload(tab);
  expect((await reopened.outbox.flush({ force: true })).ran).toBe(false);
  expect(await outcomes(attemptId)).toEqual([]);
  await classroom.signIn(reopened, student);
  expect((await drain(classroom, reopened)).waiting).toBe(0);
  expect(await outcomes(attemptId)).toEqual([['4,9', 'stored']]);
});

test('row 21: another student on the tablet sees and sends nothing of the first', async () => {
  const { student, tab, attemptId } = await seated();
  const other = await classroom.addStudent();
  const { operationId } = await tab.outbox.answer(attemptId, text('4,9'));
  await classroom.signOut(tab);
  await classroom.signIn(tab, other);
  expect(await tab.outbox.snapshot(attemptId)).toBeNull();
  expect(await tab.outbox.attempt(attemptId)).toBeNull();
  expect(await tab.outbox.runningAttempts(other.userId)).toEqual([]);
  expect(await tab.outbox.othersWaiting(other.userId)).toBe(true);
  const own = await start(classroom, tab);
  await tab.outbox.answer(own.attemptId, text('own'));
  await drain(classroom, tab);
  expect(classroom.record.deliveries.some((one) => one.operationId === operationId)).toBe(false);
  expect(await outcomes(attemptId)).toEqual([]);

  await classroom.signOut(tab);
  await classroom.signIn(tab, student);
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect(await outcomes(attemptId)).toEqual([['4,9', 'stored']]);
  expect(await outcomes(own.attemptId)).toEqual([['own', 'stored']]);
});

test('row 17: after a finish is queued nothing can be edited, whichever page tries', async () => {
  const { tab, attemptId } = await seated();
  const second = await classroom.open(tab.device);
  tab.device.line.online = false;
  await tab.outbox.answer(attemptId, text('4,9'));
  const finish = await tab.outbox.finish(attemptId, 'student');
  for (const page of [tab, second, await classroom.open(tab.device)]) {
    await expect(page.outbox.answer(attemptId, text('later'))).rejects.toThrow(OutboxRefusal);
    expect((await page.outbox.finish(attemptId, 'student')).operationId).toBe(finish.operationId);
  }
  tab.device.line.online = true;
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect((await classroom.journal(attemptId)).map(({ kind }) => kind)).toEqual([
    'answer',
    'finish',
  ]);
  await addMinutes(classroom, attemptId, 5);
  expect((await view(tab, attemptId)).readOnly).toBe('finished');
});
