import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { openStorage } from '#app/storage/open.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { browserTimers } from '#app/api/timers.ts';
import { type Locks, leaseLocks } from './environment.ts';
import { ANNA, id, open, QUESTIONS, TEST_ID, type FakeServer } from './fake-server.ts';
import { device, drain, fakeLocks, running, type TestDevice } from './test-device.ts';

/** Counts concurrent calls. */
function watchOverlap(server: FakeServer): { most: number } {
  const seen = { most: 0 };
  let now = 0;
  server.fault = async (call) => {
    if (call.name !== 'answer') return null;
    now += 1;
    seen.most = Math.max(seen.most, now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now -= 1;
    return null;
  };
  return seen;
}

async function twoTabs(lockOf: (made: TestDevice | null) => Promise<Locks>) {
  const factory = new IDBFactory();
  const first = await running({ factory, locks: await lockOf(null) });
  const second = await device({ factory, server: first.server, locks: await lockOf(first) });
  return { first, second };
}

const shared = (): (() => Promise<Locks>) => {
  const locks = fakeLocks();
  return async () => locks;
};

const lease = (): (() => Promise<Locks>) => {
  const factory = new IDBFactory();
  return async () =>
    leaseLocks({
      storage: await openStorage(factory),
      wall: () => Date.now(),
      timers: browserTimers,
      newId: id,
    });
};

test.each([
  ['a Web Lock', shared],
  ['the lease', lease],
])('row 5: two tabs under %s never share a sequence nor send at once', async (_name, kind) => {
  const { first, second } = await twoTabs(kind());
  const overlap = watchOverlap(first.server);
  const tabs = [first, second];
  const writes = Array.from({ length: 12 }, async (_unused, index) => {
    const tab = tabs[index % 2] ?? first;
    const stored = await tab.outbox.answer(first.attemptId, open(String(index), index % 3));
    void tab.outbox.flush();
    return stored.sequence;
  });
  const sequences = await Promise.all(writes);
  await Promise.all(tabs.map((tab) => tab.outbox.flush()));
  await drain(first);
  expect([...sequences].sort((a, b) => a - b)).toEqual(
    Array.from({ length: 12 }, (_u, n) => n + 1),
  );
  expect(overlap.most).toBe(1);
  const ids = first.server.calls.flatMap((call) => call.headers[HEADER.idempotencyKey] ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await first.outbox.unsentCount(ANNA)).toBe(0);
});

test('row 5: the second tab of an attempt is read-only until the first releases it', async () => {
  const { first, second } = await twoTabs(shared());
  expect(await first.outbox.claimTab(first.attemptId)).toBe(true);
  expect(await second.outbox.claimTab(first.attemptId)).toBe(false);
  const view = await second.outbox.snapshot(first.attemptId);
  expect(view).toMatchObject({ readOnly: 'secondTab', sync: { kind: 'secondTab' } });
  first.outbox.releaseTab(first.attemptId);
  expect(await second.outbox.claimTab(first.attemptId)).toBe(true);
  expect((await second.outbox.snapshot(first.attemptId))?.readOnly).toBeNull();
});

test('row 6: after a take-over the old device is read-only and sends its remaining operations', async () => {
  const phone = await running();
  await phone.outbox.answer(phone.attemptId, open('с телефона', 0));
  await phone.outbox.answer(phone.attemptId, open('и это', 1));
  const tablet = await device({ server: phone.server });
  const outcome = await tablet.outbox.startAttempt(TEST_ID, { takeOver: phone.attemptId });
  expect(outcome.kind).toBe('started');
  await tablet.outbox.answer(phone.attemptId, open('с планшета', 0));
  await drain(tablet);
  await drain(phone);
  expect(phone.events).toContainEqual({ kind: 'takenOver', attemptId: phone.attemptId });
  const view = await phone.outbox.snapshot(phone.attemptId);
  expect(view).toMatchObject({ readOnly: 'takenOver', counts: { waiting: 0 } });
  expect(phone.server.text(0)).toBe('с планшета');
  expect(phone.server.text(1)).toBe('и это');
  const late = phone.outbox.answer(phone.attemptId, open('ещё'));
  await expect(late).rejects.toMatchObject({ reason: 'takenOver' });
});

test('row 6: a device that reads an answer of a later owner detects the take-over and accepts no further answer', async () => {
  const phone = await running();
  const tablet = await device({ server: phone.server });
  await tablet.outbox.startAttempt(TEST_ID, { takeOver: phone.attemptId });
  await phone.outbox.adoptSaved(phone.attemptId, phone.server.saved());
  expect(await phone.outbox.snapshot(phone.attemptId)).toMatchObject({ readOnly: null });
  await tablet.outbox.answer(phone.attemptId, open('с планшета', 0));
  await drain(tablet);
  for (const one of [phone, tablet]) {
    await one.outbox.adoptSaved(phone.attemptId, phone.server.saved());
    await one.outbox.adoptSaved(phone.attemptId, phone.server.saved());
  }
  const takenOver = { kind: 'takenOver', attemptId: phone.attemptId };
  expect(phone.events.filter(({ kind }) => kind === 'takenOver')).toEqual([takenOver]);
  expect(tablet.events).not.toContainEqual(takenOver);
  expect(await phone.outbox.snapshot(phone.attemptId)).toMatchObject({ readOnly: 'takenOver' });
  await expect(phone.outbox.answer(phone.attemptId, open('с телефона', 0))).rejects.toMatchObject({
    reason: 'takenOver',
  });
  // After taking the attempt back, it owns it again.
  await phone.outbox.startAttempt(TEST_ID, { takeOver: phone.attemptId });
  await phone.outbox.adoptSaved(phone.attemptId, phone.server.saved());
  expect(await phone.outbox.snapshot(phone.attemptId)).toMatchObject({ readOnly: null });
});

test('row 6: a finished attempt stays finished, whatever answers come of it', async () => {
  const phone = await running();
  await phone.outbox.answer(phone.attemptId, open('с телефона', 0));
  await phone.outbox.finish(phone.attemptId, 'student');
  await drain(phone);
  const { openAnswers, ...others } = phone.server.saved();
  const later = openAnswers.map((one) => ({ ...one, epoch: 2 }));
  await phone.outbox.adoptSaved(phone.attemptId, { ...others, openAnswers: later });
  expect(phone.events.map(({ kind }) => kind)).not.toContain('takenOver');
});

test('row 6: after a take-over the finish of the old device does not end the attempt; it stays read-only', async () => {
  const phone = await running();
  await phone.outbox.finish(phone.attemptId, 'student');
  phone.server.start(id());
  await drain(phone);
  expect(phone.server.finished).toBeNull();
  const view = await phone.outbox.snapshot(phone.attemptId);
  expect(view).toMatchObject({ state: 'running', readOnly: 'takenOver' });
});

test('row 6: after taking the attempt back the device writes a new stream and its old answers overwrite nothing', async () => {
  const phone = await running();
  phone.server.fault = (call) => (call.name === 'answer' ? 'loseRequest' : null);
  await phone.outbox.answer(phone.attemptId, open('старый', 0));
  await phone.outbox.answer(phone.attemptId, open('только здесь', 1));
  const tablet = await device({ server: phone.server });
  await tablet.outbox.startAttempt(TEST_ID, { takeOver: phone.attemptId });
  phone.server.fault = () => null;
  await tablet.outbox.answer(phone.attemptId, open('с планшета', 0));
  await drain(tablet);
  const back = await phone.outbox.startAttempt(TEST_ID, { takeOver: phone.attemptId });
  expect(back).toMatchObject({ kind: 'started', attempt: { epoch: 3, takenOver: false } });
  await phone.outbox.adoptSaved(phone.attemptId, phone.server.saved());
  const view = await phone.outbox.snapshot(phone.attemptId);
  expect(view?.answers[0]).toMatchObject({ answer: open('с планшета', 0), stage: 'server' });
  expect(view?.answers[1]).toMatchObject({ answer: open('только здесь', 1), stage: 'device' });
  expect(await phone.outbox.answer(phone.attemptId, open('новый', 2))).toMatchObject({
    sequence: 1,
  });
  await drain(phone);
  expect([0, 1, 2].map((question) => phone.server.text(question))).toEqual([
    'с планшета',
    'только здесь',
    'новый',
  ]);
});

test('after the take-back on a full device a new answer goes to the new stream', async () => {
  const factory = new IDBFactory();
  const inner = await openStorage(factory);
  const space = { isLeft: true };
  const storage: Storage = {
    ...inner,
    write: (stores, run) =>
      inner.write(stores, (tx) =>
        run({
          ...tx,
          put: async (store, row) => {
            // An attempt's row still fits, an answer does not.
            if (store === 'operations' && !space.isLeft) throw new StorageFailure('quota');
            await tx.put(store, row);
          },
        }),
      ),
  };
  const phone = await running({ storage, factory });
  phone.server.fault = ({ name }) => (name === 'answer' ? 'loseRequest' : null);
  space.isLeft = false;
  await phone.outbox.answer(phone.attemptId, open('старый', 0));
  const tablet = await device({ server: phone.server });
  await tablet.outbox.startAttempt(TEST_ID, { takeOver: phone.attemptId });
  await tablet.outbox.answer(phone.attemptId, open('с планшета', 0));
  phone.server.fault = () => null;
  await drain(tablet);
  await phone.outbox.startAttempt(TEST_ID, { takeOver: phone.attemptId });
  const { operationId } = await phone.outbox.answer(phone.attemptId, open('новый', 0));
  await drain(phone);
  expect(phone.server.text(0)).toBe('новый');
  expect(phone.server.journal.get(operationId)?.receipt).toMatchObject({ outcome: 'stored' });
});

test('row 10: wiped storage starts a new stream and shows what the server has', async () => {
  const before = await running();
  await before.outbox.answer(before.attemptId, open('сохранён', 0));
  await drain(before);
  const wiped = await device({ server: before.server });
  before.server.fault = (call) => {
    const isTakeOver = call.headers[HEADER.takeOver] !== undefined;
    if (call.name !== 'start' || isTakeOver) return null;
    const details = { userTestId: before.attemptId, lastHeardAt: null };
    return { code: 'RUNNING_ELSEWHERE', details };
  };
  const refused = await wiped.outbox.startAttempt(TEST_ID);
  expect(refused).toEqual({
    kind: 'runningElsewhere',
    attemptId: before.attemptId,
    lastHeardAt: null,
  });
  await wiped.outbox.startAttempt(TEST_ID, { takeOver: before.attemptId });
  await wiped.outbox.adoptSaved(before.attemptId, before.server.saved());
  const view = await wiped.outbox.snapshot(before.attemptId);
  expect(view?.answers[0]).toMatchObject({ answer: open('сохранён', 0), stage: 'server' });
  expect(view?.epoch).toBe(2);
});

test('a start with a lost reply is repeated with the same key and stream, also after a reload', async () => {
  const made = await device();
  made.server.fault = () => 'loseReply';
  expect(await made.outbox.startAttempt(TEST_ID)).toMatchObject({ kind: 'unknown' });
  const reloaded = await device({ ...made, user: null });
  made.server.fault = () => null;
  expect(await reloaded.outbox.startAttempt(TEST_ID)).toMatchObject({ kind: 'started' });
  const starts = made.server.calls.filter((call) => call.name === 'start');
  const keys = starts.map((call) => [
    call.headers[HEADER.idempotencyKey],
    call.headers[HEADER.stream],
  ]);
  expect(keys[0]).toEqual(keys[1]);
  await reloaded.outbox.startAttempt(TEST_ID);
  const third = made.server.calls.at(-1)?.headers ?? {};
  expect(third[HEADER.idempotencyKey]).not.toBe(keys[0]?.[0]);
  expect(third[HEADER.stream]).toBe(keys[0]?.[1]);
});

test('marks and the last opened question survive a reload', async () => {
  const made = await running();
  await made.outbox.setMark(made.attemptId, QUESTIONS[1], true);
  await made.outbox.setLastQuestion(made.attemptId, QUESTIONS[2]);
  const reloaded = await device({ factory: made.factory, server: made.server, user: null });
  const view = await reloaded.outbox.snapshot(made.attemptId);
  expect(view?.answers.map((answer) => answer.marked)).toEqual([false, true, false, false]);
  expect(view?.lastQuestionId).toBe(QUESTIONS[2]);
});
