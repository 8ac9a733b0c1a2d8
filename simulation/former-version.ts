import type { Outbox } from '#app/outbox/outbox.ts';
import { StorageFailure, type Storage, type Transaction } from '#app/storage/storage.ts';

/**
 * A former app: the oldest wire version that is served, and the database before rows were encrypted at sign-out, with
 * two stores less. Its rows are today's; it neither reads nor writes the later stores.
 */

export const FORMER_WIRE_VERSION = 1;
const DATABASE = 'exam-room';
const DATABASE_VERSION = 1;

/** Stores and indexes of version 1, spelled out because today's definitions may grow. */
const STORES: Readonly<
  Record<string, [key: string | string[], indexes: Record<string, string | string[]>]>
> = {
  session: ['key', {}],
  device: ['key', {}],
  attempts: ['attemptId', { owner: 'owner' }],
  contents: ['attemptId', {}],
  operations: [
    'operationId',
    {
      attempt: 'attemptId',
      ownerState: ['owner', 'state'],
      state: 'state',
      foldedInto: 'foldedInto',
    },
  ],
  files: ['fileId', { attempt: 'attemptId', owner: 'owner' }],
  fileBytes: [['fileId', 'part'], { file: 'fileId' }],
  leases: ['name', {}],
  broken: ['id', {}],
};

const isKnown = (store: string): boolean => store in STORES;

/** Creates the former app's database if the device has none. */
async function makeDatabase(factory: IDBFactory): Promise<void> {
  const databases = await factory.databases();
  if (databases.some(({ name }) => name === DATABASE)) return;
  await new Promise<void>((resolve, reject) => {
    const request = factory.open(DATABASE, DATABASE_VERSION);
    request.addEventListener('upgradeneeded', () => {
      for (const [name, [keyPath, indexes]] of Object.entries(STORES)) {
        const store = request.result.createObjectStore(name, { keyPath });
        for (const [index, path] of Object.entries(indexes)) store.createIndex(index, path);
      }
    });
    request.addEventListener('error', () => reject(new Error('the former database did not open')));
    request.addEventListener('success', () => {
      request.result.close();
      resolve();
    });
  });
}

/** A database that begins transactions only over the stores of the former app. */
function withoutLaterStores(database: IDBDatabase): void {
  const begin = database.transaction.bind(database);
  database.transaction = (stores, mode, options) => {
    const known = (typeof stores === 'string' ? [stores] : [...stores]).filter(isKnown);
    return begin(known.length > 0 ? known : ['leases'], mode, options);
  };
}

/** An IDBFactory that opens databases with the former app's version. */
export async function formerFactory(factory: IDBFactory): Promise<IDBFactory> {
  await makeDatabase(factory);
  const open = (name: string, version?: number): IDBOpenDBRequest => {
    const request =
      version === undefined ? factory.open(name) : factory.open(name, DATABASE_VERSION);
    request.addEventListener('success', () => withoutLaterStores(request.result));
    return request;
  };
  return { open } as IDBFactory;
}

function formerTransaction(tx: Transaction): Transaction {
  return {
    get: async (store, key) => (isKnown(store) ? tx.get(store, key) : null),
    all: async (store, index, value) => (isKnown(store) ? tx.all(store, index, value) : []),
    put: async (store, row) => {
      if (!isKnown(store)) throw new StorageFailure('failed');
      await tx.put(store, row);
    },
    delete: async (store, key) => {
      if (isKnown(store)) await tx.delete(store, key);
    },
  };
}

/** The later stores are absent. */
export const formerStorage = (storage: Storage): Storage => ({
  ...storage,
  read: (stores, run) => storage.read(stores, (tx) => run(formerTransaction(tx))),
  write: (stores, run) => storage.write(stores, (tx) => run(formerTransaction(tx))),
});

/** Sign-out and sign-in left all rows as plaintext. */
export const formerOutbox = (outbox: Outbox): Outbox => ({
  ...outbox,
  openRows: async () => true,
  encryptRows: async () => undefined,
});
