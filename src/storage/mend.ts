import type { IDBPTransaction } from 'idb';
import * as v from 'valibot';
import { STORES, type BrokenRow, type Key, type Rows, type StoreName } from './rows.ts';
import type { StorageLog, Transaction } from './storage.ts';

type Raw = IDBPTransaction<unknown, string[], 'readonly' | 'readwrite'>;

/** Parses rows; what fails is moved to `broken` with its original content, and the app goes on. */
export interface Mender {
  /** Null: the row is broken. In a writing transaction it is moved at once. */
  parsed<S extends StoreName>(store: S, key: Key, found: unknown, tx: Raw): Promise<Rows[S] | null>;
  /** Whether a reading transaction met broken rows that still lie in their stores. */
  found(): boolean;
  stores(): StoreName[];
  /** Reads the rows met before, which moves them. */
  moveFound(tx: Transaction): Promise<void>;
  /** Puts back broken rows that this version can read. */
  bringBack(tx: Transaction): Promise<void>;
  readonly allStores: readonly StoreName[];
}

export function createMender(log?: StorageLog): Mender {
  const met = new Map<string, { store: StoreName; key: Key }>();
  const allStores = Object.keys(STORES) as StoreName[];

  async function move(store: StoreName, key: Key, original: unknown, issue: string, tx: Raw) {
    const row: BrokenRow = { id: `${store}:${JSON.stringify(key)}`, store, original, issue };
    await tx.objectStore('broken').put?.(row);
    await tx.objectStore(store).delete?.(key as IDBValidKey);
  }

  return {
    allStores,
    parsed: async <S extends StoreName>(store: S, key: Key, found: unknown, tx: Raw) => {
      const result = v.safeParse(STORES[store].schema, found);
      if (result.success) return result.output as Rows[S];
      const [first] = result.issues;
      const issue = `${v.getDotPath(first) ?? ''}: ${first.message}`;
      if (tx.mode === 'readonly') {
        met.set(JSON.stringify([store, key]), { store, key });
        return null;
      }
      log?.({ kind: 'brokenRow', store, issue });
      await move(store, key, found, issue, tx);
      return null;
    },
    found: () => met.size > 0,
    stores: () => [...new Set([...met.values()].map((item) => item.store))],
    moveFound: async (tx) => {
      const items = [...met.values()];
      met.clear();
      for (const { store, key } of items) await tx.get(store, key);
    },
    bringBack: async (tx) => {
      for (const row of await tx.all('broken')) {
        const store = allStores.find((name) => name === row.store);
        if (!store || !v.is(STORES[store].schema, row.original)) continue;
        await tx.put(store, row.original as Rows[typeof store]);
        await tx.delete('broken', row.id);
        log?.({ kind: 'mendedRow', store });
      }
    },
  };
}
