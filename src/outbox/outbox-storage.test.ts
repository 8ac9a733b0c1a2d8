import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { openStorage } from '#app/storage/open.ts';
import { StorageFailure, type Storage, type StorageFailureKind } from '#app/storage/storage.ts';
import { ANNA, FakeServer, open, QUESTIONS, TEST_ID } from './fake-server.ts';
import { device, drain, newWorld, running } from './test-device.ts';

interface Weak {
  readonly storage: Storage;
  /** Writes fail with this kind; reads too when it is `lost`. */
  failing: StorageFailureKind | null;
}

async function weakStorage(): Promise<Weak> {
  const inner = await openStorage(new IDBFactory());
  const weak: Weak = {
    failing: null,
    storage: {
      durable: true,
      read: async (stores, run) => {
        if (weak.failing === 'lost') throw new StorageFailure('lost');
        return inner.read(stores, run);
      },
      write: async (stores, run) => {
        if (weak.failing) throw new StorageFailure(weak.failing);
        return inner.write(stores, run);
      },
      close: () => inner.close(),
    },
  };
  return weak;
}

test('row 8: an answer of an aborted transaction is absent and not shown as saved', async () => {
  const weak = await weakStorage();
  const made = await running({ storage: weak.storage });
  const inner = weak.storage.write;
  weak.storage.write = async (stores, run) =>
    inner(stores, async (tx) => {
      await run(tx);
      throw new Error('killed');
    });
  await expect(made.outbox.answer(made.attemptId, open('один'))).rejects.toThrow('killed');
  weak.storage.write = inner;
  const reloaded = await device({ storage: weak.storage, server: made.server, user: null });
  expect((await reloaded.outbox.snapshot(made.attemptId))?.answers[0]?.stage).toBe('none');
  expect(await reloaded.outbox.answer(made.attemptId, open('снова'))).toMatchObject({
    sequence: 1,
  });
});

test('row 12: a write repeated after it completed is still one operation', async () => {
  const weak = await weakStorage();
  const made = await running({ storage: weak.storage });
  const inner = weak.storage.write;
  // The connection breaks after the commit and before its event: the caller cannot know that it succeeded.
  weak.storage.write = async (stores, run) => {
    await inner(stores, run);
    return inner(stores, run);
  };
  expect(await made.outbox.answer(made.attemptId, open('один'))).toMatchObject({ sequence: 1 });
  expect(await made.outbox.finish(made.attemptId, 'student')).toMatchObject({ sequence: 2 });
  weak.storage.write = inner;
  const rows = await weak.storage.read(['operations'], (tx) => tx.all('operations'));
  expect(rows.map(({ sequence }) => sequence).sort()).toEqual([1, 2]);
  await drain(made);
  expect(made.server.finished).toMatchObject({ sequence: 2 });
  expect(made.server.count('finish')).toBe(1);
});

test('row 9: a full device frees test caches first', async () => {
  const weak = await weakStorage();
  const made = await running({
    storage: weak.storage,
    freeSpace: async () => {
      weak.failing = null;
    },
  });
  weak.failing = 'quota';
  expect(await made.outbox.answer(made.attemptId, open('один'))).toMatchObject({ saved: true });
});

test('row 9: on a device that stays full the answer is not shown as saved, is sent at once, and retains its sequence', async () => {
  const weak = await weakStorage();
  const made = await running({ storage: weak.storage });
  await made.outbox.answer(made.attemptId, open('первый', 0));
  weak.failing = 'quota';
  const stored = await made.outbox.answer(made.attemptId, open('второй', 1));
  expect(stored).toMatchObject({ sequence: 2, saved: false });
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view?.answers[1]?.stage).toBe('unsaved');
  expect(view?.sync.kind).toBe('unstorable');
  await made.outbox.flush();
  expect(made.server.text(1)).toBe('второй');
  weak.failing = null;
  expect(await made.outbox.answer(made.attemptId, open('третий', 2))).toMatchObject({
    sequence: 3,
    saved: true,
  });
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.finished?.sequence).toBe(4);
  const rows = await weak.storage.read(['operations'], (tx) => tx.all('operations'));
  expect(rows.map((row) => row.sequence).sort()).toEqual([1, 2, 3, 4]);
});

test('row 9: a finish on a full device accounts for operations in memory and on the device', async () => {
  const weak = await weakStorage();
  const made = await running({ storage: weak.storage });
  await made.outbox.answer(made.attemptId, open('а', 0));
  await made.outbox.answer(made.attemptId, open('аб', 0));
  weak.failing = 'quota';
  await made.outbox.answer(made.attemptId, open('второй', 1));
  await made.outbox.finish(made.attemptId, 'student');
  expect((await made.outbox.snapshot(made.attemptId))?.state).toBe('finishing');
  weak.failing = null;
  await drain(made);
  expect(made.server.finished?.sequence).toBe(4);
  expect((await made.outbox.snapshot(made.attemptId))?.state).toBe('finished');
});

test('row 9: a test started on a full device is answered from memory', async () => {
  const weak = await weakStorage();
  const made = await device({ storage: weak.storage });
  weak.failing = 'quota';
  const outcome = await made.outbox.startAttempt(TEST_ID);
  if (outcome.kind !== 'started') throw new Error('not started');
  const { attemptId } = outcome.attempt;
  expect(await made.outbox.answer(attemptId, open('один'))).toMatchObject({ saved: false });
  await made.outbox.flush();
  expect(made.server.text()).toBe('один');
  weak.failing = null;
  await made.outbox.flush();
  expect(await made.outbox.answer(attemptId, open('два', 1))).toMatchObject({
    saved: true,
    sequence: 2,
  });
});

test('row 12: while the connection is lost the operation is in memory, then stored', async () => {
  const weak = await weakStorage();
  const made = await running({ storage: weak.storage });
  weak.failing = 'lost';
  expect(await made.outbox.answer(made.attemptId, open('один'))).toMatchObject({ saved: false });
  weak.failing = null;
  made.server.fault = (call) => (call.name === 'answer' ? 'loseRequest' : null);
  await made.outbox.flush();
  const reloaded = await device({ storage: weak.storage, server: made.server, user: null });
  expect((await reloaded.outbox.snapshot(made.attemptId))?.answers[0]).toMatchObject({
    answer: open('один'),
    stage: 'device',
  });
});

test('row 13: without a database answers are sent at once and can be exported', async () => {
  const made = await running({ storage: createMemoryStorage() });
  made.server.fault = (call) => (call.name === 'answer' ? 'loseRequest' : null);
  expect(await made.outbox.answer(made.attemptId, open('один'))).toMatchObject({ saved: false });
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view?.answers[0]?.stage).toBe('unsaved');
  expect(view?.sync.kind).toBe('unstorable');
  const exported: unknown = JSON.parse(await made.outbox.exportUnsent(ANNA));
  expect(exported).toMatchObject({
    format: 'exam-room-answers',
    attempts: [{ attemptId: made.attemptId, operations: [{ sequence: 1, answer: open('один') }] }],
  });
  made.server.fault = () => null;
  await drain(made);
  expect((await made.outbox.snapshot(made.attemptId))?.answers[0]?.stage).toBe('server');
});

test('row 10: a lost attempt row loses neither the answers nor their sequences', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('один', 0));
  await made.outbox.answer(made.attemptId, open('два', 1));
  await made.storage.write(['attempts'], (tx) => tx.delete('attempts', made.attemptId));
  await drain(made);
  expect(made.server.text(1)).toBe('два');
  const stream = made.server.activeStream;
  await made.outbox.adoptStarted(ANNA, made.server.start(stream));
  expect(await made.outbox.answer(made.attemptId, open('три', 2))).toMatchObject({ sequence: 3 });
});

test('an empty or failed read of the saved answers removes nothing shown', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('один', 0));
  await drain(made);
  await made.outbox.adoptSaved(made.attemptId, made.server.saved());
  const nothing = {
    ...NO_SAVED_ANSWERS,
  };
  await made.outbox.adoptSaved(made.attemptId, nothing);
  const other = await device({
    server: new FakeServer(newWorld()),
    factory: made.factory,
    user: null,
  });
  const view = await other.outbox.snapshot(made.attemptId);
  expect(view?.answers[0]).toMatchObject({ answer: open('один', 0), stage: 'server' });
});

test('row 9: operations stored before the device filled up are sent all the same', async () => {
  const weak = await weakStorage();
  const made = await running({ storage: weak.storage });
  await made.outbox.answer(made.attemptId, open('один'));
  weak.failing = 'quota';
  await made.outbox.flush();
  expect(made.server.text()).toBe('один');
  weak.failing = null;
  await drain(made);
  expect(made.server.journal.size).toBe(1);
  expect((await made.outbox.snapshot(made.attemptId))?.answers[0]?.stage).toBe('server');
});

test('row 9: a take-over on a full device continues in its new stream once there is space', async () => {
  const weak = await weakStorage();
  const made = await running({ storage: weak.storage });
  await made.outbox.answer(made.attemptId, open('старый поток', 0));
  await drain(made);
  weak.failing = 'quota';
  await made.outbox.startAttempt(TEST_ID, { takeOver: made.attemptId });
  expect(await made.outbox.answer(made.attemptId, open('в памяти', 1))).toMatchObject({
    sequence: 1,
  });
  weak.failing = null;
  expect(await made.outbox.answer(made.attemptId, open('на устройстве', 2))).toMatchObject({
    sequence: 2,
    saved: true,
  });
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.finished).toMatchObject({ stream: made.server.activeStream, sequence: 3 });
  expect(await made.outbox.snapshot(made.attemptId)).toMatchObject({ epoch: 2, state: 'finished' });
});

test('row 9: a finish from memory that came before a moved deadline leaves the inputs open', async () => {
  const weak = await weakStorage();
  const made = await running({ storage: weak.storage });
  weak.failing = 'quota';
  await made.outbox.finish(made.attemptId, 'deadline');
  weak.failing = null;
  made.server.deadline += 600_000;
  await drain(made);
  await drain(made);
  expect((await made.outbox.snapshot(made.attemptId))?.readOnly).toBeNull();
  expect(await made.outbox.answer(made.attemptId, open('дальше'))).toMatchObject({ saved: true });
});

test('row 9: a large file in memory blocks no small answer', async () => {
  const weak = await weakStorage();
  const made = await running({ storage: weak.storage });
  weak.failing = 'quota';
  const bytes = new Uint8Array([1, 2, 3]);
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], { name: 'a', mimeType: '', bytes });
  await made.outbox.answer(made.attemptId, open('один', 0));
  const write = weak.storage.write;
  weak.failing = null;
  weak.storage.write = (stores, run) =>
    write(stores, (tx) =>
      run({
        ...tx,
        put: async (store, row) => {
          if (store === 'fileBytes') throw new StorageFailure('quota');
          return tx.put(store, row);
        },
      }),
    );
  made.server.fault = () => 'loseRequest';
  await made.outbox.flush();
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view?.answers[0]?.stage).toBe('device');
  expect(view?.answers[3]?.stage).toBe('unsaved');
  made.server.fault = () => null;
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.finished?.sequence).toBe(3);
  expect([...made.server.uploads.values()][0]?.complete).toBe(true);
});

test('row 9: opening the app on a full device does not throw', async () => {
  const weak = await weakStorage();
  const made = await running({ storage: weak.storage });
  made.server.fault = (call) => (call.name === 'answer' ? 'GONE' : null);
  await made.outbox.answer(made.attemptId, open('один'));
  await made.outbox.flush();
  weak.failing = 'quota';
  await made.outbox.opened();
  await made.outbox.retrySetAside(made.attemptId);
  expect((await made.outbox.snapshot(made.attemptId))?.answers[0]?.stage).toBe('setAside');
});
