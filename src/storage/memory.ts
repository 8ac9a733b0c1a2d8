import { keyOf, STORES, type IndexName, type Key, type Rows, type StoreName } from './rows.ts';
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

/** IndexedDB's order of keys, as far as this app's keys go: numbers before strings, arrays by parts. */
function compareKeys(a: Key, b: Key): number {
  const left = typeof a === 'string' ? [a] : a;
  const right = typeof b === 'string' ? [b] : b;
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const x = left[i] as string | number;
    const y = right[i] as string | number;
    if (x === y) continue;
    return x < y ? -1 : 1;
  }
  return left.length - right.length;
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
      return row ? (structuredClone(row) as Rows[S]) : null;
    },
    all: async <S extends StoreName>(store: S, index?: IndexName<S>, value?: Key) => {
      const rows = [...table(store).values()] as Rows[S][];
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
 * Everything in this page's memory: emergency mode when IndexedDB cannot be opened, and the place for
 * answers that found no room. Transactions run one after another; a thrown error undoes its own.
 */
export function createMemoryStorage(options: { durable?: boolean } = {}): Storage {
  let tables: Tables = new Map(
    (Object.keys(STORES) as StoreName[]).map((name) => [name, new Map()]),
  );
  let queue: Promise<unknown> = Promise.resolve();

  async function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const mine = queue.then(run);
    queue = mine.catch(() => undefined);
    return mine;
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
