import {
  keyOf,
  STORES,
  type IndexName,
  type Key,
  type StoredRows,
  type StoreName,
} from './rows.ts';
import type { Storage, Transaction } from './storage.ts';

type Table = Map<string, object>;
type Tables = Map<StoreName, Table>;

const text = (key: Key): string => JSON.stringify(key);

function fieldsAt(path: string | readonly string[], row: object): Key {
  const fields = row as Record<string, string | number>;
  return typeof path === 'string'
    ? (fields[path] as string)
    : path.map((name) => fields[name] as string | number);
}

const partsOf = (key: Key) => (typeof key === 'string' ? [key] : key);

/** IndexedDB's key order within one store. Its keys have the same number and types of parts. */
function compareKeys(a: Key, b: Key): number {
  const others = partsOf(b);
  for (const [index, part] of partsOf(a).entries()) {
    const other = others[index] as typeof part;
    if (part < other) return -1;
    if (part > other) return 1;
  }
  return 0;
}

function transactionOver(tables: Tables, allowed: readonly StoreName[]): Transaction {
  const table = (store: StoreName): Table => {
    const found = tables.get(store);
    if (!found || !allowed.includes(store))
      throw new Error(`store ${store} is not in this transaction`);
    return found;
  };
  return {
    get: async <S extends StoreName>(store: S, key: Key) => {
      const row = table(store).get(text(key));
      return row ? (structuredClone(row) as StoredRows[S]) : null;
    },
    all: async <S extends StoreName>(store: S, index?: IndexName<S>, value?: Key) => {
      const rows = [...table(store).values()] as StoredRows[S][];
      const indexes: Readonly<Record<string, string | readonly string[]>> = STORES[store].indexes;
      const path = index === undefined ? undefined : indexes[index];
      const wanted = value === undefined ? undefined : text(value);
      return rows
        .filter((row) => path === undefined || text(fieldsAt(path, row)) === wanted)
        .sort((a, b) => compareKeys(keyOf(store, a), keyOf(store, b)))
        .map((row) => structuredClone(row));
    },
    put: async (store, row) => {
      table(store).set(text(keyOf(store, row)), structuredClone(row));
    },
    delete: async (store, key) => {
      table(store).delete(text(key));
    },
  };
}

/**
 * Storage in this page's memory: emergency mode when IndexedDB cannot be opened, and the fallback for
 * answers that do not fit. Transactions are serialized; a thrown error rolls its transaction back.
 */
export function createMemoryStorage(options: { durable?: boolean } = {}): Storage {
  let tables: Tables = new Map(
    (Object.keys(STORES) as StoreName[]).map((name) => [name, new Map()]),
  );
  let queue: Promise<unknown> = Promise.resolve();

  async function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = queue.then(run);
    queue = next.catch(() => undefined);
    return next;
  }

  return {
    durable: options.durable ?? false,
    read: (stores, run) => inTurn(() => run(transactionOver(tables, stores))),
    write: (stores, run) =>
      inTurn(async () => {
        const copy: Tables = new Map([...tables].map(([name, table]) => [name, new Map(table)]));
        const result = await run(transactionOver(copy, stores));
        tables = copy;
        return result;
      }),
    close: () => undefined,
  };
}
