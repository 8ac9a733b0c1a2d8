import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore } from 'idb';
import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { createConnection, type PageVisits } from './connection.ts';

/**
 * Working copies that editors have not sent yet. A database of its own: the outbox's is the students'
 * and is not touched by editors.
 */

const parts = {
  open: ['accepted'],
  variant: ['options'],
  compliance: ['left', 'right', 'pairs'],
  file: [],
};

/** What is being typed may break a rule for now: it is kept all the same. */
const Typed = v.custom<Question>((value) => {
  const shape = v.looseObject({
    questionId: v.string(),
    text: v.string(),
    points: v.number(),
    kind: v.picklist(['open', 'variant', 'compliance', 'file']),
  });
  if (!v.is(shape, value)) return false;
  const lists = v.looseObject(
    Object.fromEntries(parts[value.kind].map((name) => [name, v.array(v.looseObject({}))])),
  );
  return v.is(lists, value);
});
/** A question as an editor has it, ready or not. */
export const TypedQuestion = v.union([Question, Typed]);
const Questions = v.array(TypedQuestion);

const Row = v.object({
  /** `${userId}/${testId}/${tabId}`. */
  key: v.string(),
  owner: v.string(),
  testId: v.string(),
  base: v.object({ draftVersion: v.number(), questions: Questions }),
  mine: Questions,
  /** Sendings whose outcome is unknown. */
  sent: v.array(v.object({ order: v.array(v.string()), changed: Questions })),
  /** Milliseconds of the device's clock. */
  at: v.number(),
});
type DraftRow = v.InferOutput<typeof Row>;

interface Schema extends DBSchema {
  drafts: { key: string; value: unknown };
  /** Rows that did not parse, as they were: nothing is thrown away. */
  broken: { key: string; value: unknown };
}

const DATABASE = 'exam-room-drafts';
const OPEN_TIMEOUT_MS = 5_000;

/** What one tab has not sent: as `mergeQuestions` takes it. */
export interface KeptDraft {
  readonly base: DraftRow['base'];
  readonly mine: DraftRow['mine'];
  readonly sent: DraftRow['sent'];
  readonly at: number;
}

/** The row of one tab for one test, and those that dead tabs have left. */
export interface DraftKeeper {
  /** False: nothing is kept here, and only the network does. */
  readonly durable: boolean;
  /** Durable once it resolves. */
  write(draft: KeptDraft): Promise<void>;
  /** The server has everything. */
  clear(): Promise<void>;
  /**
   * Hands over what tabs that are gone had kept of this test, each row once, now and later: a tab that
   * lives is waited for. The row goes once `take` has resolved.
   */
  adopt(take: (draft: KeptDraft) => Promise<void>): Promise<void>;
  /** Lets go of the row: what is in it is for whoever opens the test next. */
  close(): void;
}

export interface KeeperSurroundings {
  readonly factory: IDBFactory | undefined;
  readonly locks: LockManager | undefined;
  readonly page?: PageVisits;
}

const NO_KEEPER: DraftKeeper = {
  durable: false,
  write: () => Promise.reject(new Error('nothing is kept on this device')),
  clear: () => Promise.resolve(),
  adopt: () => Promise.resolve(),
  close: () => undefined,
};

const lockName = (key: string) => `exam-room-draft/${key}`;

/** WebKit sometimes never answers an open. */
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

/** Holds a name until released. */
async function hold(locks: LockManager, name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, () => new Promise<void>((release) => resolve(() => release())))
      .catch(reject);
  });
}

/**
 * Opens this tab's place for a test. Without IndexedDB or Web Locks it is not durable: nobody could
 * tell a living tab's row from a dead one's.
 */
export async function openDraftKeeper(
  { factory, locks, page }: KeeperSurroundings,
  of: { userId: string; testId: string; tabId: string },
): Promise<DraftKeeper> {
  if (!factory || !locks) return NO_KEEPER;
  const prefix = `${of.userId}/${of.testId}/`;
  const key = `${prefix}${of.tabId}`;
  const connection = createConnection(openDatabase, page);
  let release: () => void;
  try {
    await connection.use();
    release = await hold(locks, lockName(key));
  } catch {
    connection.close();
    return NO_KEEPER;
  }
  const waiting = new Set<string>();
  const ended = new AbortController();

  type Table = IDBPObjectStore<Schema, ['drafts' | 'broken'], 'drafts' | 'broken', 'readwrite'>;

  async function once<T>(name: 'drafts' | 'broken', run: (table: Table) => Promise<T>): Promise<T> {
    const db = await connection.use();
    const tx = db.transaction(name, 'readwrite', { durability: 'strict' });
    const running = run(tx.store);
    // Else a page that is hidden now takes it along, see `createConnection`.
    tx.commit();
    const [result] = await Promise.all([running, tx.done]);
    return result;
  }

  /** `run` makes one request. */
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

  /** Runs under the lock of a dead tab's row. */
  async function takeRow(id: string, take: (draft: KeptDraft) => Promise<void>): Promise<void> {
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
        let lives = false;
        try {
          await locks.request(lockName(id), { ifAvailable: true }, async (lock) => {
            if (lock) await takeRow(id, take);
            else lives = true;
          });
        } finally {
          waiting.delete(id);
        }
        if (!lives) return;
        // Its tab lives, or is just being reloaded.
        waiting.add(id);
        locks
          .request(lockName(id), { signal: ended.signal }, () => takeRow(id, take))
          .catch(() => undefined)
          .finally(() => waiting.delete(id));
      });
      await Promise.all(free);
    },
    close: () => {
      ended.abort();
      release();
      connection.close();
    },
  };
}
