import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore } from 'idb';
import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { createConnection, type PageVisits } from './connection.ts';

/**
 * Working copies that editors have not sent yet. In a separate database: the outbox's belongs to students
 * and is never used by editors.
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
  /** Requests whose outcome is unknown. */
  sent: v.array(v.object({ order: v.array(v.string()), changed: Questions })),
  /** Milliseconds by the device's clock. */
  at: v.number(),
});
type DraftRow = v.InferOutput<typeof Row>;

interface Schema extends DBSchema {
  drafts: { key: string; value: unknown };
  /** Rows that failed validation, unchanged: nothing is discarded. */
  broken: { key: string; value: unknown };
}

const DATABASE = 'exam-room-drafts';
const OPEN_TIMEOUT_MS = 5_000;

/** Unsent changes of one tab, in the form that `mergeQuestions` takes. */
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
   * is awaited. The row is deleted once `take` has resolved.
   */
  adopt(take: (draft: StoredDraft) => Promise<void>): Promise<void>;
  /** Releases the row to the next tab that opens the test. */
  close(): void;
}

export interface DraftStoreOptions {
  readonly factory: IDBFactory | undefined;
  readonly locks: LockManager | undefined;
  readonly page?: PageVisits;
}

const NO_DRAFT_STORE: DraftStore = {
  durable: false,
  write: () => Promise.reject(new Error('drafts cannot be stored on this device')),
  clear: () => Promise.resolve(),
  adopt: () => Promise.resolve(),
  close: () => undefined,
};

const lockName = (key: string) => `exam-room-draft/${key}`;

/** In WebKit an open sometimes never completes. */
async function openDatabase(): Promise<IDBPDatabase<Schema>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('IndexedDB did not open in time')), OPEN_TIMEOUT_MS);
  });
  const opening = openDB<Schema>(DATABASE, 1, {
    upgrade: (db) => {
      db.createObjectStore('drafts');
      db.createObjectStore('broken');
    },
  });
  try {
    return await Promise.race([opening, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Holds a lock until released. */
async function hold(locks: LockManager, name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, () => new Promise<void>((release) => resolve(() => release())))
      .catch(reject);
  });
}

/**
 * Opens this tab's draft store for a test. Without IndexedDB or Web Locks it is not durable: an open
 * tab's row could not be distinguished from a closed one's.
 */
export async function openDraftStore(
  { factory, locks, page }: DraftStoreOptions,
  of: { userId: string; testId: string; tabId: string },
): Promise<DraftStore> {
  if (!factory || !locks) return NO_DRAFT_STORE;
  const prefix = `${of.userId}/${of.testId}/`;
  const key = `${prefix}${of.tabId}`;
  const connection = createConnection(openDatabase, page);
  let release: () => void;
  try {
    await connection.use();
    release = await hold(locks, lockName(key));
  } catch {
    connection.close();
    return NO_DRAFT_STORE;
  }
  const waiting = new Set<string>();
  const closing = new AbortController();

  type Table = IDBPObjectStore<Schema, ['drafts' | 'broken'], 'drafts' | 'broken', 'readwrite'>;

  async function once<T>(name: 'drafts' | 'broken', run: (table: Table) => Promise<T>): Promise<T> {
    const db = await connection.use();
    const tx = db.transaction(name, 'readwrite', { durability: 'strict' });
    const running = run(tx.store);
    // Otherwise hiding the page would abort it, see `createConnection`.
    tx.commit();
    const [result] = await Promise.all([running, tx.done]);
    return result;
  }

  /** `run` must make one request. */
  async function request<T>(
    name: 'drafts' | 'broken',
    run: (table: Table) => Promise<T>,
  ): Promise<T> {
    try {
      return await once(name, run);
    } catch (error) {
      if ((error as Partial<DOMException>).name !== 'InvalidStateError') throw error;
      // WebKit closes connections on its own.
      connection.drop();
      return once(name, run);
    }
  }

  /** Runs under the lock of a closed tab's row. */
  async function takeRow(id: string, take: (draft: StoredDraft) => Promise<void>): Promise<void> {
    const found = await request('drafts', (table) => table.get(id));
    if (found === undefined) return;
    const row = v.safeParse(Row, found);
    if (row.success) await take(row.output);
    else await request('broken', (table) => table.put(found, id));
    await request('drafts', (table) => table.delete(id));
  }

  return {
    durable: true,
    write: (draft) =>
      request('drafts', async (table) => {
        const { base, mine, sent, at } = draft;
        await table.put({ key, owner: of.userId, testId: of.testId, base, mine, sent, at }, key);
      }),
    clear: () => request('drafts', (table) => table.delete(key)),
    adopt: async (take) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const keys = await request('drafts', (table) => table.getAllKeys(range));
      const others = keys.filter((id) => id !== key && !waiting.has(id));
      const free = others.map(async (id) => {
        waiting.add(id);
        const isOpen = await locks
          .request(lockName(id), { ifAvailable: true }, async (lock) => {
            if (lock) await takeRow(id, take);
            return lock === null;
          })
          .finally(() => waiting.delete(id));
        if (!isOpen) return;
        // Its tab is open or being reloaded.
        waiting.add(id);
        locks
          .request(lockName(id), { signal: closing.signal }, () => takeRow(id, take))
          .catch(() => undefined)
          .finally(() => waiting.delete(id));
      });
      await Promise.all(free);
    },
    close: () => {
      closing.abort();
      release();
      connection.close();
    },
  };
}
