import { expect, test } from 'vitest';
import type { ReplyFacts } from '#app/api/facts.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { ClockRow, DeviceRow, SessionRow } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import type { ChannelMessage } from './environment.ts';
import { NEW_CLOCK } from './clock.ts';
import { putClock } from './core.ts';
import { ANNA, id, START } from './fake-server.ts';
import { ATTEMPT, attempt, createTestCore, file, operation } from './test-rows.ts';

/** A storage with injected failures that counts its reads and writes. */
function weak() {
  const inner = createMemoryStorage({ durable: true });
  const state = { read: null as Error | null, write: null as Error | null, reads: 0, writes: 0 };
  const storage: Storage = {
    ...inner,
    read: (stores, run) => {
      state.reads += 1;
      return state.read ? Promise.reject(state.read) : inner.read(stores, run);
    },
    write: (stores, run) => {
      state.writes += 1;
      return state.write ? Promise.reject(state.write) : inner.write(stores, run);
    },
  };
  return Object.assign(state, { storage });
}

const quota = new StorageFailure('quota');
const mistake = new Error('a mistake');
const clock: ClockRow = {
  ...NEW_CLOCK,
  offset: 5_000,
  offsetRtt: 10,
  offsetAt: START,
  lastWall: START,
};
const server: DeviceRow = { key: 'server', kind: 'server', epoch: 3 };
const facts = (serverTime: number | null): ReplyFacts => ({
  route: 'x',
  status: 200,
  serverTime,
  serverEpoch: null,
  activeStream: null,
  sessionExpiresAt: null,
  receivedWall: START,
  rttMs: 0,
});
const session: SessionRow = {
  key: 'current',
  token: 'token-1',
  owner: ANNA,
  user: { userId: ANNA, userName: '', email: 'a@b.ru', role: 0, isAdmin: false },
  expiresAt: '',
};

test('clock and server epoch continue from the stored values, read once', async () => {
  const device = weak();
  const made = await createTestCore(
    {
      device: [
        clock,
        server,
        {
          key: 'start',
          kind: 'start',
          owner: ANNA,
          testId: id(),
          idempotencyKey: id(),
          stream: id(),
          takeOver: null,
        },
      ],
    },
    { storage: device.storage },
  );
  device.reads = 0;
  await Promise.all([made.core.ready(), made.core.ready()]);
  expect(device.reads).toBe(1);
  expect(made.core.clock.serverNow()).toBe(START + 5_000);
  expect(made.core.runtime.serverEpoch).toBe(3);
});

test.each([
  [7, 7],
  [2, 3],
])(
  'an epoch that this page received meanwhile (%d) never decreases',
  async (received, expected) => {
    const made = await createTestCore({ device: [server] });
    made.core.runtime.serverEpoch = received;
    await made.core.ready();
    expect(made.core.runtime.serverEpoch).toBe(expected);
  },
);

test('an unreadable device is logged and read again the next time; a programming error is thrown', async () => {
  const device = weak();
  const made = await createTestCore({ device: [clock] }, { storage: device.storage });
  device.read = new StorageFailure('silent');
  await made.core.ready();
  expect(made.logged).toEqual([{ event: 'deviceUnreadable', detail: 'silent' }]);
  expect(made.core.clock.serverNow()).toBeNull();
  device.read = null;
  await made.core.ready();
  expect(made.core.clock.serverNow()).toBe(START + 5_000);
  const other = weak();
  const broken = await createTestCore({}, { storage: other.storage });
  other.read = mistake;
  await expect(broken.core.ready()).rejects.toBe(mistake);
});

const anything = (tx: { put: (store: 'operations', row: never) => Promise<void> }) =>
  tx.put('operations', operation() as never);

test('row 9: on a full device test caches are freed once, then the row goes to memory', async () => {
  const device = weak();
  let freed = 0;
  const made = await createTestCore(
    {},
    {
      storage: device.storage,
      freeSpace: async () => {
        freed += 1;
        throw mistake;
      },
    },
  );
  device.write = quota;
  device.writes = 0;
  expect(await made.core.storage.writeEither(['operations'], anything)).toMatchObject({
    saved: false,
  });
  expect([freed, device.writes]).toEqual([1, 2]);
  const failure = { event: 'storageFailed', detail: 'quota' };
  expect(made.logged).toEqual([failure, failure]);
  expect(await made.memory.read(['operations'], (tx) => tx.all('operations'))).toHaveLength(1);
});

test.each(['lost', 'silent', 'unopenable', 'failed'] as const)(
  'a device that is %s frees nothing, and the row goes to memory at once',
  async (kind) => {
    const device = weak();
    let freed = 0;
    const freeSpace = async () => {
      freed += 1;
    };
    const made = await createTestCore({}, { storage: device.storage, freeSpace });
    device.write = new StorageFailure(kind);
    device.writes = 0;
    expect(await made.core.storage.writeEither(['operations'], anything)).toMatchObject({
      saved: false,
    });
    expect([freed, device.writes]).toEqual([0, 1]);
  },
);

test('without caches to free the row goes to memory after one try; a programming error is thrown', async () => {
  const device = weak();
  const made = await createTestCore({}, { storage: device.storage });
  device.write = quota;
  device.writes = 0;
  await made.core.storage.writeEither(['operations'], anything);
  expect(device.writes).toBe(1);
  device.write = mistake;
  await expect(made.core.storage.writeEither(['operations'], anything)).rejects.toBe(mistake);
});

test('other tabs are notified of changes and of finishes; an unsubscribed listener receives nothing', async () => {
  const posted: ChannelMessage[] = [];
  const made = await createTestCore(
    {},
    { channel: { post: (message) => posted.push(message), listen: () => () => undefined } },
  );
  const received: string[] = [];
  const stop = made.core.subscribe(({ kind }) => received.push(kind));
  made.core.emit({ kind: 'changed', attemptId: ATTEMPT });
  made.core.emit({ kind: 'written', attemptId: ATTEMPT });
  made.core.emit({ kind: 'finished', attemptId: ATTEMPT });
  stop();
  made.core.emit({ kind: 'changed', attemptId: null });
  expect(posted).toEqual([
    { kind: 'changed', attemptId: ATTEMPT },
    { kind: 'finished', attemptId: ATTEMPT },
    { kind: 'changed', attemptId: null },
  ]);
  expect(received).toEqual(['changed', 'written', 'finished']);
});

test('while the device cannot be read the last known session is used; a programming error is thrown', async () => {
  const device = weak();
  const made = await createTestCore({ session: [session] }, { storage: device.storage });
  expect(await made.core.session()).toEqual(session);
  device.read = new StorageFailure('silent');
  expect(await made.core.session()).toEqual(session);
  device.read = mistake;
  await expect(made.core.session()).rejects.toBe(mistake);
  device.read = null;
  await made.core.storage.write(['session'], (tx) => tx.delete('session', 'current'));
  expect(await made.core.session()).toBeNull();
});

test('a reply without a time does not change the clock', async () => {
  const { core } = await createTestCore();
  core.observeTime(facts(null));
  expect(core.clock.serverNow()).toBeNull();
  core.observeTime(facts(START + 7));
  expect(core.clock.serverNow()).toBe(START + 7);
});

test('the clock is stored at most every 15 seconds, and a full device loses no reply', async () => {
  const device = weak();
  const made = await createTestCore({}, { storage: device.storage });
  const saves = async (ms: number) => {
    made.server.world.now += ms;
    device.writes = 0;
    await made.core.saveClock();
    return device.writes;
  };
  expect(await saves(20_000)).toBe(1);
  expect(await made.all('device')).toMatchObject([{ kind: 'clock' }]);
  expect(await saves(14_999)).toBe(0);
  expect(await saves(1)).toBe(1);
  device.write = quota;
  expect(await saves(15_000)).toBe(1);
  device.write = mistake;
  await expect(saves(15_000)).rejects.toBe(mistake);
});

test('the stored clock is merged with the one another page stored', async () => {
  const made = await createTestCore({ device: [clock] });
  await made.core.storage.write(['device'], (tx) => putClock(tx, made.core));
  expect(await made.all('device')).toMatchObject([{ kind: 'clock', offset: 5_000 }]);
});

test('an attempt is read from the device, else from the last read, else from memory', async () => {
  const device = weak();
  const row = attempt();
  const made = await createTestCore({ attempts: [row] }, { storage: device.storage });
  expect(await made.core.storage.readAttempt(ATTEMPT)).toEqual(row);
  device.read = new StorageFailure('silent');
  expect(await made.core.storage.readAttempt(ATTEMPT)).toEqual(row);
  expect(await made.core.storage.readAttempt('another')).toBeNull();
  device.read = mistake;
  await expect(made.core.storage.readAttempt(ATTEMPT)).rejects.toBe(mistake);
  device.read = null;
  await made.core.storage.write(['attempts'], (tx) => tx.delete('attempts', ATTEMPT));
  const copy = attempt({ title: 'в памяти' });
  await made.putInMemory({ attempts: [copy] });
  expect(await made.core.storage.readAttempt(ATTEMPT)).toEqual(copy);
  expect(await made.core.storage.readAttempt('another')).toBeNull();
  device.read = new StorageFailure('silent');
  expect(await made.core.storage.readAttempt('another')).toBeNull();
});

test('a device that answers again after a silence is announced once; a programming error is thrown', async () => {
  const device = weak();
  const made = await createTestCore({}, { storage: device.storage });
  const look = () => made.core.storage.readAll(['operations'], (tx) => tx.all('operations'));
  expect(made.core.storage.isSilent()).toBe(false);
  expect(await look()).toEqual([]);
  expect(made.events).toEqual([]);
  device.read = new StorageFailure('silent');
  expect(await look()).toEqual([]);
  expect(made.core.storage.isSilent()).toBe(true);
  device.read = null;
  await look();
  await look();
  expect(made.events).toEqual([{ kind: 'changed', attemptId: null }]);
  expect(made.core.storage.isSilent()).toBe(false);
  device.read = mistake;
  await expect(look()).rejects.toBe(mistake);
});

test('rows on the device and in memory are one list, in which memory’s row wins', async () => {
  const device = weak();
  const one = operation();
  const made = await createTestCore({ operations: [one] }, { storage: device.storage });
  const inMemory = { ...one, failures: 1 };
  const other = operation();
  await made.memory.write(['operations'], async (tx) => {
    await tx.put('operations', inMemory);
    await tx.put('operations', other);
  });
  const both = () => made.core.storage.readAll(['operations'], (tx) => tx.all('operations'));
  const every = () => made.core.storage.readEvery(['operations'], (tx) => tx.all('operations'));
  expect(await both(), 'no copy in memory counts').toEqual([one]);
  made.core.storage.copies.add(ATTEMPT);
  expect(await both()).toEqual([inMemory, other]);
  expect(await every()).toEqual([inMemory, other]);
  device.read = new StorageFailure('silent');
  expect(await both(), 'an unreadable device counts as empty').toEqual([inMemory, other]);
  await expect(every()).rejects.toThrow('silent');
  made.core.storage.copies.clear();
  expect(await both()).toEqual([]);
});

test('two files of one answer are two rows', async () => {
  const operationId = id();
  const files = [file({ operationId }), file({ operationId })];
  const made = await createTestCore({ files });
  made.core.storage.copies.add(ATTEMPT);
  expect(await made.core.storage.readAll(['files'], (tx) => tx.all('files'))).toEqual(files);
});

test('unreadable rows are returned whole, none while the device does not answer', async () => {
  const device = weak();
  const broken = { id: 'x', store: 'operations', original: { a: 1 }, issue: 'owner' };
  const made = await createTestCore({ broken: [broken] }, { storage: device.storage });
  expect(await made.core.storage.readBroken()).toEqual([broken]);
  device.read = new StorageFailure('silent');
  expect(await made.core.storage.readBroken()).toEqual([]);
});
