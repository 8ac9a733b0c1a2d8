import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, test } from 'vitest';
import { openStorage } from './open.ts';
import { keyOf, STORES, type StoreName } from './rows.ts';
import type { Storage, StorageLog } from './storage.ts';

/** Writes and reads raw rows, bypassing validation. */
async function onRaw<T>(
  factory: IDBFactory,
  store: StoreName,
  run: (rows: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = factory.open('exam-room');
    request.addEventListener('success', () => {
      const tx = request.result.transaction(store, 'readwrite');
      const done = run(tx.objectStore(store));
      tx.addEventListener('complete', () => {
        request.result.close();
        resolve(done.result);
      });
      tx.addEventListener('abort', () => reject(tx.error ?? new Error('aborted')));
    });
  });
}

/** A row with a valid key of its store and nothing else that fits. */
function unreadable(store: StoreName): Record<string, unknown> {
  const path: string | readonly string[] = STORES[store].keyPath;
  const names = typeof path === 'string' ? [path] : path;
  const key = Object.fromEntries(names.map((name) => [name, name === 'part' ? 0 : 'ключ']));
  return { ...key, owner: 'кто-то', written: { text: 'ответ, который нельзя потерять' } };
}

const stores = (Object.keys(STORES) as StoreName[]).filter((store) => store !== 'broken');

describe.each(stores)('a row of %s that does not parse', (store) => {
  const row = unreadable(store);
  const key = keyOf(store, row);
  const damages = {
    'a list is read': (storage: Storage) =>
      storage.read([store], async (tx) => (await tx.all(store)).length),
    'it is read alone': (storage: Storage) =>
      storage.read([store], async (tx) => ((await tx.get(store, key)) === null ? 0 : 1)),
    'a list is read to be changed': (storage: Storage) =>
      storage.write([store, 'broken'], async (tx) => (await tx.all(store)).length),
    'it is read to be changed': (storage: Storage) =>
      storage.write([store, 'broken'], async (tx) => ((await tx.get(store, key)) === null ? 0 : 1)),
  };

  test.each(Object.entries(damages))(
    'is set aside with all its content when %s',
    async (_, read) => {
      const factory = new IDBFactory();
      const events: Parameters<StorageLog>[0][] = [];
      const storage = await openStorage(factory, { log: (event) => events.push(event) });
      await onRaw(factory, store, (rows) => rows.put(row));
      expect(await read(storage)).toBe(0);
      const broken = await onRaw(factory, 'broken', (rows) => rows.getAll());
      expect(broken).toEqual([
        {
          id: `${store}:${JSON.stringify(key)}`,
          store,
          original: row,
          issue: expect.stringMatching(/.: ./),
        },
      ]);
      expect(await onRaw(factory, store, (rows) => rows.getAll())).toEqual([]);
      expect(events).toMatchObject([{ kind: 'brokenRow', store }]);
    },
  );

  test('is neither restored nor deleted by an app that cannot read it either', async () => {
    const factory = new IDBFactory();
    (await openStorage(factory)).close();
    const apart = { id: `${store}:"ключ"`, store, original: row, issue: 'прежняя причина' };
    await onRaw(factory, 'broken', (rows) => rows.put(apart));
    (await openStorage(factory)).close();
    expect(await onRaw(factory, 'broken', (rows) => rows.getAll())).toEqual([apart]);
    expect(await onRaw(factory, store, (rows) => rows.getAll())).toEqual([]);
  });
});

test('a row of a store that only a newer app has stays where it is', async () => {
  const factory = new IDBFactory();
  (await openStorage(factory)).close();
  const apart = { id: 'notes:"1"', store: 'notes', original: { key: '1' }, issue: '' };
  await onRaw(factory, 'broken', (rows) => rows.put(apart));
  (await openStorage(factory)).close();
  expect(await onRaw(factory, 'broken', (rows) => rows.getAll())).toEqual([apart]);
});
