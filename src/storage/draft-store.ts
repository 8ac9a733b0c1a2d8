import type { IDBPDatabase, IDBPObjectStore } from 'idb';
import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { createConnection, type DatabaseConnection, type PageVisits } from './connection.ts';
import {
  decryptDraft,
  encryptDraft,
  encryptDraftRows,
  isEncryptedDraft,
  openDraftDatabase,
  type DraftSchema,
  type DraftStoreName,
} from './draft-database.ts';

/**
 * Working copies that editors have not sent yet. In a separate database: the outbox's belongs to students
 * and is never used by editors. In plain while their author is signed in, encrypted afterwards (ADR 9).
 */

const parts = {
  open: ['accepted'],
  variant: ['options'],
  compliance: ['left', 'right', 'pairs'],
  ordering: ['items'],
  gaps: ['gaps'],
  file: [],
};

/** A draft may be temporarily invalid and is stored all the same. */
const Typed = v.custom<Question>((value) => {
  const shape = v.looseObject({
    questionId: v.string(),
    text: v.string(),
    points: v.number(),
    kind: v.picklist(['open', 'variant', 'compliance', 'ordering', 'gaps', 'file']),
  });
  if (!v.is(shape, value)) return false;
  const lists = v.looseObject(
    Object.fromEntries(parts[value.kind].map((name) => [name, v.array(v.looseObject({}))])),
  );
  return v.is(lists, value);
});
/** A question in an editor, complete or not. */
export const TypedQuestion = v.union([Question, Typed]);
const Questions = v.array(TypedQuestion);

const Row = v.object({
  /** `${userId}/${testId}/${tabId}`. */
  key: v.string(),
  owner: v.string(),
  testId: v.string(),
  base: v.object({ draftVersion: v.number(), questions: Questions }),
  mine: Questions,
  /** Requests with an unknown outcome. */
  sent: v.array(v.object({ order: v.array(v.string()), changed: Questions })),
  /** Milliseconds by the device's clock. */
  at: v.number(),
});
type DraftRow = v.InferOutput<typeof Row>;

/** Unsent changes of one tab, in the form for `mergeQuestions`. */
export interface StoredDraft {
  readonly base: DraftRow['base'];
  readonly mine: DraftRow['mine'];
  readonly sent: DraftRow['sent'];
  readonly at: number;
}

/** The row of one tab for one test, and rows left by closed tabs. */
export interface DraftStore {
  /** False: nothing is stored here, only on the server. */
  readonly durable: boolean;
  /** Durable once the promise resolves. */
  write(draft: StoredDraft): Promise<void>;
  /** Deletes the row once the server has everything. */
  clear(): Promise<void>;
  /**
   * Hands over the rows of closed tabs for this test, each once, now and later: an open tab
   * is awaited. The row is deleted once `take` has resolved. `onUnreadable`: one cannot be decrypted; it stays.
   */
  adopt(take: (draft: StoredDraft) => Promise<void>, onUnreadable?: () => void): Promise<void>;
  /** Releases the row to the next tab that opens the test; encrypts it if its author is no longer signed in. */
  close(): Promise<void>;
}

export interface DraftStoreOptions {
  readonly factory: IDBFactory | undefined;
  readonly locks: LockManager | undefined;
  readonly page?: PageVisits;
  /** Whether the author is signed in in this browser. */
  readonly isSignedIn?: () => boolean;
  /** The author's device key; null: it is not here. */
  readonly readKey?: () => Promise<CryptoKey | null>;
}

const NO_DRAFT_STORE: DraftStore = {
  durable: false,
  write: () => Promise.reject(new Error('drafts cannot be stored on this device')),
  clear: () => Promise.resolve(),
  adopt: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const lockName = (key: string) => `exam-room-draft/${key}`;

/** Holds a lock until released. */
async function hold(locks: LockManager, name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, () => new Promise<void>((release) => resolve(() => release())))
      .catch(reject);
  });
}

type Table = IDBPObjectStore<DraftSchema, [DraftStoreName], DraftStoreName, 'readwrite'>;
type Connection = DatabaseConnection<IDBPDatabase<DraftSchema>>;

async function requestOnce<T>(
  connection: Connection,
  name: DraftStoreName,
  run: (table: Table) => Promise<T>,
): Promise<T> {
  const db = await connection.use();
  const tx = db.transaction(name, 'readwrite', { durability: 'strict' });
  const running = run(tx.store);
  // Otherwise hiding the page would abort it, see `createConnection`.
  tx.commit();
  const [result] = await Promise.all([running, tx.done]);
  return result;
}

/** The store of one tab, open under the lock of its row. */
interface OpenDraftStore {
  readonly connection: Connection;
  readonly locks: LockManager;
  readonly of: { readonly userId: string; readonly testId: string };
  /** Of all rows of this author and test. */
  readonly prefix: string;
  /** Of this tab's row. */
  readonly key: string;
  readonly isSignedIn: () => boolean;
  readonly findKey: () => Promise<CryptoKey | null>;
  /** Rows of other tabs that are being adopted or awaited. */
  readonly waiting: Set<string>;
  readonly closing: AbortController;
}

/** `run` must make one request. */
async function request<T>(
  { connection }: OpenDraftStore,
  name: DraftStoreName,
  run: (table: Table) => Promise<T>,
): Promise<T> {
  try {
    return await requestOnce(connection, name, run);
  } catch (error) {
    if ((error as Partial<DOMException>).name !== 'InvalidStateError') throw error;
    // WebKit closes connections on its own.
    connection.drop();
    return requestOnce(connection, name, run);
  }
}

/** Undefined: it cannot be decrypted, now or ever. */
async function decrypted(store: OpenDraftStore, id: string, found: unknown): Promise<unknown> {
  if (!isEncryptedDraft(found)) return found;
  const deviceKey = await store.findKey();
  return deviceKey === null ? undefined : decryptDraft(deviceKey, id, found);
}

/** Runs under the lock of a closed tab's row. */
async function takeRow(
  store: OpenDraftStore,
  id: string,
  take: (draft: StoredDraft) => Promise<void>,
  onUnreadable?: () => void,
): Promise<void> {
  const found = await request(store, 'drafts', (table) => table.get(id));
  if (found === undefined) return;
  const plain = await decrypted(store, id, found);
  if (plain === undefined) {
    onUnreadable?.();
    return;
  }
  const row = v.safeParse(Row, plain);
  if (row.success) await take(row.output);
  else await request(store, 'broken', (table) => table.put(found, id));
  await request(store, 'drafts', (table) => table.delete(id));
}

async function writeDraft(
  store: OpenDraftStore,
  { base, mine, sent, at }: StoredDraft,
): Promise<void> {
  const { key, of } = store;
  const row = { key, owner: of.userId, testId: of.testId, base, mine, sent, at };
  if (store.isSignedIn()) {
    await request(store, 'drafts', (table) => table.put(row, key));
    return;
  }
  const deviceKey = await store.findKey();
  if (deviceKey === null) throw new Error('there is no key to encrypt a working copy');
  const encrypted = await encryptDraft(deviceKey, key, row);
  await request(store, 'drafts', (table) => table.put(encrypted, key));
}

async function adoptDrafts(
  store: OpenDraftStore,
  take: (draft: StoredDraft) => Promise<void>,
  onUnreadable?: () => void,
): Promise<void> {
  const { key, locks, prefix, waiting, closing } = store;
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  const keys = await request(store, 'drafts', (table) => table.getAllKeys(range));
  const others = keys.filter((id) => id !== key && !waiting.has(id));
  const free = others.map(async (id) => {
    waiting.add(id);
    const isOpen = await locks
      .request(lockName(id), { ifAvailable: true }, async (lock) => {
        if (lock) await takeRow(store, id, take, onUnreadable);
        return lock === null;
      })
      .finally(() => waiting.delete(id));
    if (!isOpen) return;
    // Its tab is open or being reloaded.
    waiting.add(id);
    locks
      .request(lockName(id), { signal: closing.signal }, () =>
        takeRow(store, id, take, onUnreadable),
      )
      .catch(() => undefined)
      .finally(() => waiting.delete(id));
  });
  await Promise.all(free);
}

/**
 * Opens this tab's draft store for a test. Without IndexedDB or Web Locks it is not durable: an open
 * tab's row could not be distinguished from a closed one's.
 */
export async function openDraftStore(
  {
    factory,
    locks,
    page,
    isSignedIn = () => true,
    readKey = () => Promise.resolve(null),
  }: DraftStoreOptions,
  of: { userId: string; testId: string; tabId: string },
): Promise<DraftStore> {
  if (!factory || !locks) return NO_DRAFT_STORE;
  const prefix = `${of.userId}/${of.testId}/`;
  const key = `${prefix}${of.tabId}`;
  const connection = createConnection(openDraftDatabase, page);
  let release: () => void;
  try {
    await connection.use();
    release = await hold(locks, lockName(key));
  } catch {
    connection.close();
    return NO_DRAFT_STORE;
  }
  let cachedKey: CryptoKey | null = null;
  const store: OpenDraftStore = {
    connection,
    locks,
    of,
    prefix,
    key,
    isSignedIn,
    // Remembered by the page: the device deletes the key at the sign-out, and this tab may be later.
    findKey: async () => {
      cachedKey ??= await readKey();
      return cachedKey;
    },
    waiting: new Set(),
    closing: new AbortController(),
  };
  // Remembered while it is certain to be here.
  await store.findKey().catch(() => null);

  return {
    durable: true,
    write: (draft) => writeDraft(store, draft),
    clear: () => request(store, 'drafts', (table) => table.delete(key)),
    adopt: (take, onUnreadable) => adoptDrafts(store, take, onUnreadable),
    close: async () => {
      store.closing.abort();
      const left = isSignedIn() ? null : await store.findKey().catch(() => null);
      if (left !== null) {
        // On failure the next sign-in or sign-out tries again, if the key is still here.
        await encryptDraftRows({ owner: of.userId, key: left }, key).catch(() => false);
      }
      release();
      connection.close();
    },
  };
}
