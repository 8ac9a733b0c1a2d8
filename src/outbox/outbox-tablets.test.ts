import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, test } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { openStorage } from '#app/storage/open.ts';
import { STORES, type StoreName } from '#app/storage/rows.ts';
import { clearMirror } from '#app/storage/session-mirror.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { ANNA, BORIS, open, QUESTIONS, TEST_ID } from './fake-server.ts';
import { device, drain, running, signIn, type TestDevice } from './test-device.ts';

/** A tablet shared by several students. */

const KEYS = { [ANNA]: 'A'.repeat(43), [BORIS]: 'B'.repeat(42) + 'A' };
const SECRETS = [
  'тайна первая',
  'тайна вторая',
  'секретное имя',
  'байты-в-файле',
  'Проба',
  'Вопрос',
];

/** In the app's order: rows first, then the session mirror, then rows that others left meanwhile. */
async function arrive(
  made: Pick<TestDevice, 'outbox' | 'storage'>,
  user: string,
  key = KEYS[user],
) {
  await made.outbox.openRows(user, key ?? null);
  await signIn(made.storage, user);
  await made.outbox.openRows(user, null);
}

async function leave({ outbox, storage }: Pick<TestDevice, 'outbox' | 'storage'>): Promise<void> {
  await clearMirror(storage);
  await outbox.encryptRows();
}

/** All stored rows as one text; bytes decoded as text. */
async function dump(storage: Storage): Promise<string> {
  const stores = Object.keys(STORES) as StoreName[];
  const rows = await storage.read(stores, (tx) =>
    Promise.all(stores.map((store) => tx.all(store))),
  );
  return JSON.stringify(rows, (_key, value: unknown) =>
    value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value,
  );
}

/** Plaintext rows of each store, by key. */
async function inPlain(storage: Storage) {
  const stores = ['attempts', 'contents', 'operations', 'files', 'fileBytes'] as const;
  const rows = await storage.read(stores, (tx) =>
    Promise.all(stores.map((store) => tx.all(store))),
  );
  return JSON.stringify(rows, (_key, value: unknown) =>
    value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value,
  );
}

const secretsIn = async (storage: Storage) => {
  const text = await dump(storage);
  return SECRETS.filter((secret) => text.includes(secret));
};

const countOf = (storage: Storage, store: StoreName) =>
  storage.read([store], async (tx) => (await tx.all(store)).length);

const textFile = () => ({
  name: 'секретное имя.txt',
  mimeType: 'text/plain',
  bytes: new TextEncoder().encode('байты-в-файле'),
});

/** Anna has started: one answer is on the server, another one and a file wait. */
async function annaAtWork(options: Parameters<typeof running>[0] = {}) {
  const made = await running(options);
  await arrive(made, ANNA);
  await made.outbox.answer(made.attemptId, open('тайна первая'));
  await drain(made);
  made.server.fault = () => 'UNAVAILABLE';
  await made.outbox.answer(made.attemptId, open('тайна вторая', 1));
  await made.outbox.addFile(made.attemptId, QUESTIONS[2], textFile());
  return made;
}

const storages: [string, () => Promise<Storage>][] = [
  ['IndexedDB', () => openStorage(new IDBFactory())],
  ['memory', async () => createMemoryStorage({ durable: true })],
];

describe.each(storages)('a shared tablet over %s', (_name, make) => {
  test('after an explicit sign-out nothing of the student can be read, and the next sign-in restores all of it', async () => {
    const made = await annaAtWork({ storage: await make() });
    expect(await secretsIn(made.storage)).toEqual(SECRETS);
    const bytes = new Uint8Array(2_500_000).map((_zero, index) => index % 251);
    await made.outbox.addFile(made.attemptId, QUESTIONS[3], { ...textFile(), bytes });
    const before = await inPlain(made.storage);
    await leave(made);
    expect(await secretsIn(made.storage)).toEqual([]);
    expect(await countOf(made.storage, 'deviceKeys')).toBe(0);
    expect(await made.outbox.othersWaiting(null)).toBe(true);

    await arrive(made, BORIS);
    await made.outbox.flush();
    expect(await secretsIn(made.storage)).toEqual([]);
    expect(await made.outbox.othersWaiting(BORIS)).toBe(true);
    expect(await made.outbox.unsentCount(BORIS)).toBe(0);
    await leave(made);

    await arrive(made, ANNA);
    // Not by `toEqual`: it would show millions of bytes.
    expect((await inPlain(made.storage)) === before).toBe(true);
    expect(await countOf(made.storage, 'encrypted')).toBe(0);
    made.server.fault = () => null;
    await drain(made);
    expect(made.server.text(1)).toBe('тайна вторая');
    expect(await made.outbox.unsentCount(ANNA)).toBe(0);
  });

  test('a student continues after the session expired; the next one finds nothing of theirs', async () => {
    const made = await annaAtWork({ storage: await make() });
    await clearMirror(made.storage);
    await made.outbox.answer(made.attemptId, open('тайна вторая', 3));
    expect((await made.outbox.snapshot(made.attemptId))?.counts.waiting).toBe(3);
    await arrive(made, BORIS);
    expect(await secretsIn(made.storage)).toEqual([]);
    expect(await countOf(made.storage, 'deviceKeys')).toBe(1);
  });

  test('without a key delivered and finished rows are deleted, and waiting ones stay readable for their owner', async () => {
    const made = await running({ storage: await make() });
    await made.outbox.answer(made.attemptId, open('тайна первая'));
    await made.outbox.finish(made.attemptId, 'student');
    await drain(made);
    await leave(made);
    expect(await secretsIn(made.storage)).toEqual([]);
    expect(await countOf(made.storage, 'operations')).toBe(0);

    const waiting = await running({ storage: await make() });
    await waiting.outbox.answer(waiting.attemptId, open('тайна вторая'));
    await leave(waiting);
    await signIn(waiting.storage, ANNA);
    await drain(waiting);
    expect(waiting.server.text()).toBe('тайна вторая');
  });

  test('a wrong key decrypts nothing, loses nothing, and is reported; the right one decrypts it later', async () => {
    const made = await annaAtWork({ storage: await make() });
    await leave(made);
    await arrive(made, ANNA, 'C'.repeat(42) + 'A');
    expect(await made.outbox.unreadable()).toBe(1);
    expect(await made.outbox.unsentCount(ANNA)).toBe(0);
    expect(await made.outbox.syncState()).toEqual({ kind: 'setAside', count: 1 });
    const exported = JSON.parse(await made.outbox.exportUnsent(ANNA)) as {
      broken: { store: string; cipher: string }[];
    };
    expect(exported.broken).toEqual([
      expect.objectContaining({ store: 'encrypted', cipher: expect.stringMatching(/.{100}/) }),
    ]);
    await leave(made);
    await arrive(made, ANNA);
    expect(await made.outbox.unreadable()).toBe(0);
    expect(await made.outbox.unsentCount(ANNA)).toBe(2);
  });
});

/** Boris at the tablet learns that the server was restored without Anna's delivered answers; then she returns. */
async function restoredMeanwhile(made: Awaited<ReturnType<typeof running>>): Promise<void> {
  await arrive(made, BORIS);
  made.server.journal.clear();
  made.server.finished = null;
  made.server.epoch = 2;
  await made.outbox.observe({
    route: 'getPassing',
    status: 200,
    serverTime: made.world.now,
    serverEpoch: 2,
    activeStream: null,
    sessionExpiresAt: null,
    receivedWall: made.world.now,
    rttMs: 10,
  });
  await leave(made);
  await arrive(made, ANNA);
  await drain(made);
}

test('what a restored server may lack is resent, even if it was encrypted when the epoch changed', async () => {
  const made = await running();
  await arrive(made, ANNA);
  await made.outbox.answer(made.attemptId, open('тайна первая'));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  await leave(made);
  expect(await secretsIn(made.storage)).toEqual([]);

  await restoredMeanwhile(made);
  expect(made.server.text()).toBe('тайна первая');
  expect(made.server.finished).not.toBeNull();
});

test('it is resent, too, where the tablet was full at the sign-in and had no space for the key', async () => {
  const inner = createMemoryStorage({ durable: true });
  let isFull = false;
  const storage: Storage = {
    ...inner,
    write: (stores, run) =>
      isFull && stores.includes('deviceKeys')
        ? Promise.reject(new StorageFailure('quota'))
        : inner.write(stores, run),
  };
  const made = await running({ storage });
  isFull = true;
  await arrive(made, ANNA);
  isFull = false;
  await made.outbox.answer(made.attemptId, open('тайна первая'));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);

  await restoredMeanwhile(made);
  expect(made.server.text()).toBe('тайна первая');
  expect(made.server.finished).not.toBeNull();
});

test('delivered and finished rows are deleted 7 days after the finish under any user', async () => {
  const made = await running();
  await arrive(made, ANNA);
  await made.outbox.addFile(made.attemptId, QUESTIONS[2], textFile());
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  await leave(made);
  await arrive(made, BORIS);
  made.world.now += 7 * 86_400_000 - 60_000;
  await made.outbox.opened();
  expect(await countOf(made.storage, 'encrypted')).toBe(2);
  made.world.now += 120_000;
  await made.outbox.opened();
  expect(await countOf(made.storage, 'encrypted')).toBe(0);
});

test('an answer in flight when its student signs out arrives once', async () => {
  const made = await running();
  await arrive(made, ANNA);
  await made.outbox.answer(made.attemptId, open('тайна первая'));
  made.server.fault = async (call) => {
    if (call.name === 'answer') {
      made.server.fault = () => null;
      await leave(made);
    }
    return null;
  };
  await made.outbox.flush();
  expect(await secretsIn(made.storage)).toEqual([]);
  await arrive(made, BORIS);
  await leave(made);
  await arrive(made, ANNA);
  await drain(made);
  expect(made.server.journal.size).toBe(1);
  expect(await made.outbox.unsentCount(ANNA)).toBe(0);
});

test('rows of an app version without keys are encrypted once there is a key', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('тайна вторая'));
  expect(await made.outbox.openRows(ANNA, null)).toBe(false);
  await made.outbox.openRows(ANNA, KEYS[ANNA] ?? null);
  await leave(made);
  expect(await secretsIn(made.storage)).toEqual([]);
});

test('an unreadable row is encrypted and restored with its original bytes', async () => {
  const made = await annaAtWork();
  const original = { operationId: 'x', text: 'тайна первая', bytes: Uint8Array.of(1, 2, 3).buffer };
  const broken = { id: 'operations:"x"', store: 'operations', original, issue: 'owner' };
  await made.storage.write(['broken'], (tx) => tx.put('broken', broken));
  await leave(made);
  expect(await secretsIn(made.storage)).toEqual([]);
  await arrive(made, ANNA);
  expect(await made.storage.read(['broken'], (tx) => tx.all('broken'))).toEqual([broken]);
});

test('a start made before the rows were restored is merged with them', async () => {
  const made = await annaAtWork();
  await leave(made);
  await signIn(made.storage, ANNA);
  expect(await made.outbox.openRows(ANNA, null)).toBe(false);
  expect(await made.outbox.unreadable()).toBe(1);
  made.server.fault = () => null;
  const started = await made.outbox.startAttempt(TEST_ID);
  expect(started.kind).not.toBe('unknown');
  await arrive(made, ANNA);
  await drain(made);
  expect(made.server.text(1)).toBe('тайна вторая');
  expect(await made.outbox.unsentCount(ANNA)).toBe(0);
});

test('a sign-in while another tab still encrypts leaves the rows as plaintext', async () => {
  const made = await annaAtWork();
  const second = await device({ factory: made.factory, server: made.server, user: null });
  await clearMirror(made.storage);
  await Promise.all([second.outbox.encryptRows(), arrive(made, ANNA)]);
  await made.outbox.openRows(ANNA, KEYS[ANNA] ?? null);
  expect(await made.outbox.unsentCount(ANNA)).toBe(2);
  expect(await countOf(made.storage, 'encrypted')).toBe(0);
  expect(await countOf(made.storage, 'deviceKeys')).toBe(1);
});

/** Fails at the n-th write: before it, or right after it was committed. */
function dying(real: Storage, steps: number, isAfter: boolean): Storage {
  let left = steps;
  return {
    ...real,
    write: async (stores, run) => {
      left -= 1;
      if (left < 0 || (left === 0 && !isAfter)) throw new StorageFailure('lost');
      const value = await real.write(stores, run);
      if (left === 0) throw new StorageFailure('lost');
      return value;
    },
  };
}

test.each(['encrypting', 'opening'] as const)(
  'a page killed at any step of %s rows loses nothing and leaves nothing half done',
  async (what) => {
    for (let steps = 1; steps < 12; steps += 1) {
      for (const isAfter of [false, true]) {
        const made = await annaAtWork();
        const before = await inPlain(made.storage);
        if (what === 'opening') await leave(made);
        const doomed = await device({
          factory: made.factory,
          server: made.server,
          user: null,
          storage: dying(made.storage, steps, isAfter),
        });
        await clearMirror(made.storage);
        const task =
          what === 'encrypting'
            ? doomed.outbox.encryptRows()
            : doomed.outbox.openRows(ANNA, KEYS[ANNA] ?? null).then(() => undefined);
        await task.catch(() => undefined);

        // The next sign-in completes the encryption and finds nothing.
        const next = await device({ factory: made.factory, server: made.server, user: null });
        await arrive(next, BORIS);
        expect(await secretsIn(next.storage)).toEqual([]);
        await leave(next);
        await arrive(next, ANNA);
        expect(await inPlain(next.storage)).toEqual(before);
        made.server.fault = () => null;
        await drain({ ...made, outbox: next.outbox });
        expect(made.server.text(1)).toBe('тайна вторая');
      }
    }
  },
  60_000,
);
