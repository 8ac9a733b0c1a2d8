import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { openStorage } from '#app/storage/open.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { ANNA, open } from './fake-server.ts';
import { device, drain, running } from './test-device.ts';

/** A storage that does not answer for a while. */

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

/** A device with one delivered and one waiting answer. */
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

test('a finish waits for the answers of a temporarily unreadable device', async () => {
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

test('while the device cannot be read the screen shows the last rows, and none as saved on the server', async () => {
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

test('a reply from the worker’s cache says nothing about the connection', async () => {
  const { outbox, world } = await device();
  const reply = {
    route: 'listMyTests',
    status: 200,
    serverEpoch: null,
    activeStream: null,
    sessionExpiresAt: null,
    receivedWall: world.now,
    rttMs: 5,
  };
  outbox.setReachability('offline');
  await outbox.observe({ ...reply, serverTime: null });
  expect(outbox.reachability()).toBe('offline');
  await outbox.observe({ ...reply, serverTime: world.now });
  expect(outbox.reachability()).toBe('reachable');
});
