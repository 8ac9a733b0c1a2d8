import type { IDBPTransaction } from 'idb';
import * as v from 'valibot';
import { STORES, type BrokenRow, type Key, type StoredRows, type StoreName } from './rows.ts';
import type { StorageLog, Transaction } from './storage.ts';

type Raw = IDBPTransaction<unknown, string[], 'readonly' | 'readwrite'>;

/** Validates rows; invalid ones are moved to `broken` with their original content. */
export interface RowRepair {
  /** Null: the row is broken. In a readwrite transaction it is moved at once. */
  parsed<S extends StoreName>(
    store: S,
    key: Key,
    found: unknown,
    tx: Raw,
  ): Promise<StoredRows[S] | null>;
  /** Whether a readonly transaction found broken rows that are still in their stores. */
  found(): boolean;
  stores(): StoreName[];
  /** Reads the rows found before, which moves them. */
  moveFound(tx: Transaction): Promise<void>;
  /** Restores broken rows that this version can read. */
  restoreBroken(tx: Transaction): Promise<void>;
  readonly allStores: readonly StoreName[];
}

export function createRowRepair(log?: StorageLog): RowRepair {
  const foundBroken = new Map<string, { store: StoreName; key: Key }>();
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
      if (result.success) return result.output as StoredRows[S];
      const [first] = result.issues;
      const issue = `${v.getDotPath(first) ?? ''}: ${first.message}`;
      if (tx.mode === 'readonly') {
        foundBroken.set(JSON.stringify([store, key]), { store, key });
        return null;
      }
      log?.({ kind: 'brokenRow', store, issue });
      await move(store, key, found, issue, tx);
      return null;
    },
    found: () => foundBroken.size > 0,
    stores: () => [...new Set([...foundBroken.values()].map((item) => item.store))],
    moveFound: async (tx) => {
      const items = [...foundBroken.values()];
      foundBroken.clear();
      for (const { store, key } of items) await tx.get(store, key);
    },
    restoreBroken: async (tx) => {
      for (const row of await tx.all('broken')) {
        const store = allStores.find((name) => name === row.store);
        if (!store || !v.is(STORES[store].schema, row.original)) continue;
        await tx.put(store, row.original as StoredRows[typeof store]);
        await tx.delete('broken', row.id);
        log?.({ kind: 'mendedRow', store });
      }
    },
  };
}
