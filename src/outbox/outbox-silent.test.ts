import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { openStorage } from '#app/storage/open.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { ANNA, open } from './fake-server.ts';
import { drain, running } from './test-device.ts';

/** A database that answers nothing for a while, and then works again. */

async function silentStorage() {
  const inner = await openStorage(new IDBFactory());
  const state = { isSilent: false };
  const storage: Storage = {
    durable: true,
    read: async (stores, run) => {
      if (state.isSilent) throw new StorageFailure('silent');
      return inner.read(stores, run);
    },
    write: async (stores, run) => {
      if (state.isSilent) throw new StorageFailure('silent');
      return inner.write(stores, run);
    },
    close: () => inner.close(),
  };
  return { state, storage };
}

/** One answer is on the server, one waits on the device. */
async function oneWaits() {
  const { state, storage } = await silentStorage();
  const made = await running({ storage });
  await made.outbox.answer(made.attemptId, open('дошёл'));
  await drain(made);
  made.server.fault = () => 'UNAVAILABLE';
  await made.outbox.answer(made.attemptId, open('ждёт', 1));
  await made.outbox.flush();
  return { ...made, state };
}

test('a finish leaves behind no answer of a device that cannot be read for a while', async () => {
  const made = await oneWaits();
  made.state.isSilent = true;
  made.server.fault = () => null;
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.finished, 'not before the device tells what it holds').toBeNull();
  made.state.isSilent = false;
  await drain(made);
  expect(made.server.text(1)).toBe('ждёт');
  expect(made.server.finished?.sequence).toBe(3);
  expect([...made.server.journal.values()].map(({ receipt }) => receipt.sequence)).toEqual([
    1, 2, 3,
  ]);
});

test('while the device cannot be read the screen keeps what it showed, and nothing is said to be on the server', async () => {
  const made = await oneWaits();
  const before = await made.outbox.snapshot(made.attemptId);
  made.state.isSilent = true;
  const during = await made.outbox.snapshot(made.attemptId);
  expect(during?.questions).toEqual(before?.questions);
  expect(during?.answers).toEqual(before?.answers);
  expect(during?.sync).toEqual({ kind: 'unstorable', count: 1 });
  expect((await made.outbox.syncState()).kind).toBe('unstorable');
  await expect(made.outbox.unsentCount(ANNA)).rejects.toThrow('silent');

  const { saved } = await made.outbox.answer(made.attemptId, open('в памяти', 2));
  expect(saved).toBe(false);
  const stages = async () =>
    (await made.outbox.snapshot(made.attemptId))?.answers.map(({ stage }) => stage);
  expect(await stages()).toEqual(['server', 'device', 'unsaved', 'none']);
  made.state.isSilent = false;
  await made.outbox.flush();
  expect(await stages()).toEqual(['server', 'device', 'device', 'none']);
});
