import { unwrap, wrap, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { createConnection, type DatabaseConnection, type PageVisits } from './connection.ts';
import { createRowRepair, type RowRepair } from './repair-rows.ts';
import {
  keyOf,
  STORES,
  type IndexName,
  type Key,
  type StoredRows,
  type StoreName,
} from './rows.ts';
import { StorageFailure, type Storage, type StorageLog, type Transaction } from './storage.ts';

const DATABASE = 'exam-room';
/** Raised when stores or indexes are added. */
const DATABASE_VERSION = 1;
const OPEN_TIMEOUT_MS = 10_000;

export interface OpenOptions {
  readonly log?: StorageLog;
  /** Absent in a worker, which the back/forward cache never freezes. */
  readonly page?: PageVisits;
  /** In WebKit an open sometimes never completes; then the device is treated as without a database. */
  readonly openTimeoutMs?: number;
  readonly transactionTimeoutMs?: number;
}

type Mode = 'readonly' | 'readwrite';

/** Stores and indexes are only added: rows of an older app stay unchanged. */
function upgrade(db: IDBDatabase, transaction: IDBTransaction): void {
  for (const name of Object.keys(STORES) as StoreName[]) {
    const { keyPath, indexes } = STORES[name];
    const store = db.objectStoreNames.contains(name)
      ? transaction.objectStore(name)
      : db.createObjectStore(name, { keyPath: keyPath as string | string[] });
    for (const [index, path] of Object.entries(indexes as Record<string, string | string[]>)) {
      if (!store.indexNames.contains(index)) store.createIndex(index, path);
    }
  }
}

/** A database upgraded by a newer app is opened with its own version: upgrades only add. */
async function openAny(
  factory: IDBFactory,
  timeoutMs: number,
  track: (upgrading: IDBTransaction, onInterrupted: () => void) => void,
): Promise<IDBPDatabase> {
  try {
    return await open(factory, DATABASE_VERSION, timeoutMs, track);
  } catch (error) {
    if (nameOf(error) !== 'VersionError') throw error;
    return open(factory, undefined, timeoutMs, track);
  }
}

async function open(
  factory: IDBFactory,
  version: number | undefined,
  timeoutMs: number,
  track: (upgrading: IDBTransaction, onInterrupted: () => void) => void,
): Promise<IDBPDatabase> {
  const request = factory.open(DATABASE, version);
  const interrupted = new Promise<never>((_resolve, reject) => {
    request.addEventListener('upgradeneeded', () => {
      if (!request.transaction) return;
      track(request.transaction, () => reject(new StorageFailure('lost')));
      upgrade(request.result, request.transaction);
    });
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // It is no longer needed, and open it would block an upgrade.
      request.addEventListener('success', () => request.result.close());
      reject(new StorageFailure('silent'));
    }, timeoutMs);
  });
  try {
    return (await Promise.race([wrap(request), late, interrupted])) as unknown as IDBPDatabase;
  } finally {
    clearTimeout(timer);
  }
}

const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';

/** WebKit's «connection is closing», a closed handle, a lost database process. */
function isLost(error: unknown): boolean {
  const message = error instanceof Error ? error.message : '';
  return (
    (error instanceof StorageFailure && error.kind === 'lost') ||
    nameOf(error) === 'InvalidStateError' ||
    nameOf(error) === 'UnknownError' ||
    /connection (is closing|to indexed database server lost)|database (is )?clos/i.test(message)
  );
}

function toFailure(error: unknown): unknown {
  if (nameOf(error) === 'QuotaExceededError') return new StorageFailure('quota', error);
  if (isLost(error)) return new StorageFailure('lost', error);
  return error instanceof DOMException ? new StorageFailure('failed', error) : error;
}

type IdbTransaction = IDBPTransaction<unknown, string[], Mode>;

function transactionOver(tx: IdbTransaction, rowRepair: RowRepair): Transaction {
  return {
    get: async <S extends StoreName>(store: S, key: Key) => {
      const found: unknown = await tx.objectStore(store).get(key as IDBValidKey);
      return found === undefined ? null : await rowRepair.parsed(store, key, found, tx);
    },
    all: async <S extends StoreName>(store: S, index?: IndexName<S>, value?: Key) => {
      const source = tx.objectStore(store);
      const found: unknown[] =
        index === undefined
          ? await source.getAll()
          : await source.index(index).getAll(value as IDBValidKey);
      const rows: StoredRows[S][] = [];
      for (const item of found) {
        const row = await rowRepair.parsed(store, keyOf(store, item as object), item, tx);
        if (row !== null) rows.push(row);
      }
      return rows;
    },
    put: async (store, row) => {
      await tx.objectStore(store).put?.(row);
    },
    delete: async (store, key) => {
      await tx.objectStore(store).delete?.(key as IDBValidKey);
    },
  };
}

/** A transaction that takes longer is aborted: it would hang for ever. */
const TRANSACTION_TIMEOUT_MS = 10_000;
/** After a hung transaction nothing is tried for this long. */
const SILENCE_MS = 30_000;

/** One open database of the outbox. */
interface OpenDatabase {
  readonly connection: DatabaseConnection<IDBPDatabase>;
  readonly rowRepair: RowRepair;
  readonly log: StorageLog | undefined;
  readonly transactionTimeoutMs: number;
  isClosed: boolean;
  /** The database is treated as silent until this `performance.now()`. */
  silentUntil: number;
}

/** Aborts a transaction that does not end in time. */
async function inTime<T>(
  database: OpenDatabase,
  tx: IdbTransaction,
  running: Promise<T>,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    database.connection.track(unwrap(tx), () => reject(new StorageFailure('lost')));
    timer = setTimeout(() => {
      database.silentUntil = performance.now() + SILENCE_MS;
      database.log?.({ kind: 'silent' });
      try {
        tx.abort();
      } catch {
        // Already ended.
      }
      reject(new StorageFailure('silent'));
    }, database.transactionTimeoutMs);
  });
  running.then(
    () => (database.silentUntil = 0),
    () => undefined,
  );
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function complete<T>(
  { rowRepair }: OpenDatabase,
  tx: IdbTransaction,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const done = tx.done;
  done.catch(() => undefined);
  let result: T;
  try {
    result = await run(transactionOver(tx, rowRepair));
  } catch (error) {
    const cause = tx.error;
    try {
      tx.abort();
    } catch {
      // Already aborted by the failure.
    }
    throw cause ?? error;
  }
  try {
    // Lets it complete even if the page is hidden now.
    tx.commit();
  } catch {
    // Already ended, successfully or not.
  }
  await done;
  return result;
}

async function once<T>(
  database: OpenDatabase,
  mode: Mode,
  stores: readonly StoreName[],
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (database.isClosed) throw new StorageFailure('lost');
  if (performance.now() < database.silentUntil) throw new StorageFailure('silent');
  const db = await database.connection.use();
  const scope = mode === 'readwrite' ? [...new Set([...stores, 'broken'])] : [...stores];
  const tx = db.transaction(scope, mode, {
    durability: mode === 'readwrite' ? 'strict' : 'default',
  });
  return inTime(database, tx, complete(database, tx, run));
}

/** Repeats a transaction whose connection was lost. */
async function twice<T>(
  database: OpenDatabase,
  mode: Mode,
  stores: readonly StoreName[],
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await once(database, mode, stores, run);
  } catch (error) {
    if (!isLost(error) || database.isClosed) throw toFailure(error);
    database.log?.({ kind: 'connectionLost', issue: String(error) });
    database.connection.drop();
  }
  try {
    return await once(database, mode, stores, run);
  } catch (error) {
    throw toFailure(error);
  }
}

/** Storage over one IndexedDB factory. */
export async function createIndexedDbStorage(
  factory: IDBFactory,
  {
    log,
    page,
    openTimeoutMs = OPEN_TIMEOUT_MS,
    transactionTimeoutMs = TRANSACTION_TIMEOUT_MS,
  }: OpenOptions,
): Promise<Storage> {
  const rowRepair = createRowRepair(log);
  const connection: DatabaseConnection<IDBPDatabase> = createConnection(
    () => openAny(factory, openTimeoutMs, connection.track),
    page,
  );
  const database: OpenDatabase = {
    connection,
    rowRepair,
    log,
    transactionTimeoutMs,
    isClosed: false,
    silentUntil: 0,
  };

  const storage: Storage = {
    durable: true,
    read: async (stores, run) => {
      const result = await twice(database, 'readonly', stores, run);
      // A failed move is ignored: the rows read are valid.
      if (rowRepair.found()) {
        await twice(database, 'readwrite', rowRepair.stores(), (tx) =>
          rowRepair.moveFound(tx),
        ).catch(() => undefined);
      }
      return result;
    },
    write: (stores, run) => twice(database, 'readwrite', stores, run),
    close: () => {
      connection.close();
      database.isClosed = true;
    },
  };
  try {
    await storage.write(rowRepair.allStores, (tx) => rowRepair.restoreBroken(tx));
  } catch (error) {
    storage.close();
    throw new StorageFailure('unopenable', error);
  }
  return storage;
}
