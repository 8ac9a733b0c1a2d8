import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { openDraftStore, type StoredDraft } from './draft-store.ts';
import { fakeLocks } from './fake-locks.ts';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

afterEach(() => {
  vi.useRealTimers();
});

const question = (text: string): Question => ({
  questionId: '00000000-0000-4000-8000-000000000001',
  kind: 'file',
  text,
  points: 1,
  maxBytes: 1_000,
  accept: [],
});

const draftOf = (text: string): StoredDraft => ({
  base: { draftVersion: 3, questions: [question('было')] },
  mine: [question(text)],
  sent: [],
  at: 1,
});

function device(requested?: string[]) {
  const locks = fakeLocks(requested);
  return (tabId: string, userId = 'учитель', testId = 'тест') =>
    openDraftStore({ factory: indexedDB, locks }, { userId, testId, tabId });
}

/** The rows that a tab takes over, in order. */
async function adopted(store: Awaited<ReturnType<typeof openDraftStore>>): Promise<string[]> {
  const texts: string[] = [];
  await store.adopt(async ({ mine }) => void texts.push(mine[0]?.text ?? ''));
  return texts;
}

test('the row of a closed tab is handed over once; the tab’s own row is not', async () => {
  const open = device();
  const first = await open('a');
  expect(first.durable).toBe(true);
  await first.write(draftOf('слово'));
  await first.write(draftOf('слова'));
  expect(await adopted(first)).toEqual([]);
  await first.close();
  const second = await open('b');
  expect(await adopted(second)).toEqual(['слова']);
  expect(await adopted(second)).toEqual([]);
});

test('a row that was not adopted stays for the next try', async () => {
  const open = device();
  const first = await open('a');
  await first.write(draftOf('слова'));
  await first.close();
  const second = await open('b');
  await expect(second.adopt(() => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect(await adopted(second)).toEqual(['слова']);
});

test('an open tab retains its row, which is handed over when the tab closes', async () => {
  const open = device();
  const [first, second] = [await open('a'), await open('b')];
  await first.write(draftOf('слова'));
  const texts: string[] = [];
  await second.adopt(async ({ mine }) => void texts.push(mine[0]?.text ?? ''));
  expect(texts).toEqual([]);
  await first.close();
  await expect.poll(() => texts).toEqual(['слова']);
});

test('rows of other people and other tests are not shown', async () => {
  const open = device();
  const first = await open('a');
  await first.write(draftOf('слова'));
  await first.close();
  expect(await adopted(await open('b', 'другой'))).toEqual([]);
  expect(await adopted(await open('c', 'учитель', 'другой тест'))).toEqual([]);
});

test('a saved row is cleared', async () => {
  const open = device();
  const first = await open('a');
  await first.write(draftOf('слова'));
  await first.clear();
  await first.close();
  expect(await adopted(await open('b'))).toEqual([]);
});

test('a draft that is temporarily invalid is stored; a row of another shape is quarantined whole', async () => {
  const open = device();
  const first = await open('a');
  await first.write({ ...draftOf(''), mine: [{ ...question('слова'), points: 0.001 }] });
  await first.close();
  const db = await openDB('exam-room-drafts');
  await db.put('drafts', { mine: 'нечто' }, 'учитель/тест/x');
  expect(await adopted(await open('b'))).toEqual(['слова']);
  expect(await db.get('broken', 'учитель/тест/x')).toEqual({ mine: 'нечто' });
  expect(await db.count('drafts')).toBe(0);
});

const id = '00000000-0000-4000-8000-000000000001';
// Points that are temporarily invalid, as while being typed.
const typed = { questionId: id, text: 'слова', points: 0.001 };
const lists = { left: [{}], right: [{}], pairs: [{}] };

test.each([
  { ...typed, kind: 'file' },
  { ...typed, kind: 'open', accepted: [{}] },
  { ...typed, kind: 'variant', options: [{}] },
  { ...typed, kind: 'compliance', ...lists },
  { ...typed, kind: 'ordering', items: [{}] },
  { ...typed, kind: 'gaps', gaps: [{}] },
])('an incomplete question of the kind $kind is stored unchanged', async (mine) => {
  const open = device();
  const first = await open('a');
  await first.write({ ...draftOf(''), mine: [mine as unknown as Question] });
  await first.close();
  const found: unknown[] = [];
  await (await open('b')).adopt(async (draft) => void found.push(...draft.mine));
  expect(found).toEqual([mine]);
});

test.each([
  { mine: [{ text: 'слова' }] },
  { mine: [{ ...typed, kind: 'other' }] },
  { mine: [{ ...typed, kind: 'open' }] },
  { mine: [{ ...typed, kind: 'variant', options: 'a' }] },
  { mine: [{ ...typed, kind: 'ordering' }] },
  { mine: [{ ...typed, kind: 'gaps', gaps: 'a' }] },
  { mine: [{ ...typed, kind: 'compliance', ...lists, left: undefined }] },
  { mine: [{ ...typed, kind: 'compliance', ...lists, right: undefined }] },
  { mine: [{ ...typed, kind: 'compliance', ...lists, pairs: undefined }] },
  { base: {} },
  { base: { draftVersion: 3, questions: [{}] } },
  { sent: [{}] },
  { sent: [{ order: [1], changed: [] }] },
])('a row with %j is quarantined, not handed over', async (changes) => {
  const open = device();
  const first = await open('a');
  await first.write({ ...draftOf(''), ...changes } as unknown as StoredDraft);
  await first.close();
  expect(await adopted(await open('b'))).toEqual([]);
  const db = await openDB('exam-room-drafts');
  expect(await db.getAll('broken')).toEqual([expect.objectContaining(changes)]);
});

test('the own row is not requested, a closed tab’s lock is requested once, and an open tab’s is awaited once', async () => {
  const requested: string[] = [];
  const open = device(requested);
  const dead = await open('dead');
  await dead.write(draftOf('слова'));
  await dead.close();
  const living = await open('living');
  await living.write(draftOf('слово'));
  const own = await open('own');
  await own.write(draftOf('своё'));
  requested.length = 0;
  expect(await adopted(own)).toEqual(['слова']);
  expect(await adopted(own)).toEqual([]);
  const name = (tab: string) => `exam-room-draft/учитель/тест/${tab}`;
  // An open tab’s: requested at once, then awaited.
  expect(requested).toEqual([name('dead'), name('living'), name('living')]);
});

test('a closed store adopts nothing: rows stay for the next one', async () => {
  const open = device();
  const [living, waiting] = [await open('living'), await open('waiting')];
  await living.write(draftOf('слова'));
  const texts: string[] = [];
  await waiting.adopt(async ({ mine }) => void texts.push(mine[0]?.text ?? ''));
  await waiting.close();
  await living.close();
  expect(await adopted(await open('next'))).toEqual(['слова']);
  expect(texts).toEqual([]);
});

test('a closed tab’s row that was not adopted stays for the next try', async () => {
  const open = device();
  const [living, waiting] = [await open('living'), await open('waiting')];
  await living.write(draftOf('слова'));
  await waiting.adopt(() => Promise.reject(new Error('full')));
  await living.close();
  await expect.poll(() => adopted(waiting)).toEqual(['слова']);
});

test('an open tab that closes with everything sent leaves no row', async () => {
  const open = device();
  const [living, waiting] = [await open('living'), await open('waiting')];
  await living.write(draftOf('слова'));
  expect(await adopted(waiting)).toEqual([]);
  await living.clear();
  await living.close();
  // Earlier waiters have run once this one runs.
  const next = await open('living');
  expect(await adopted(next)).toEqual([]);
  const db = await openDB('exam-room-drafts');
  expect(await db.count('broken')).toBe(0);
});

/** Reports each database handle that opens. */
function watchOpens(onOpen: (db: IDBDatabase) => void): void {
  const open = indexedDB.open.bind(indexedDB);
  indexedDB.open = (name: string, version?: number) => {
    const request = open(name, version);
    request.addEventListener('success', () => onOpen(request.result));
    return request;
  };
}

/** Reports each transaction that begins. */
function watchTransactions(onBegin: (options: IDBTransactionOptions | undefined) => void): void {
  watchOpens((db) => {
    const begin = db.transaction.bind(db);
    db.transaction = (stores, mode, options) => {
      onBegin(options);
      return begin(stores, mode, options);
    };
  });
}

test('writes request strict durability', async () => {
  const requested: unknown[] = [];
  watchTransactions((options) => requested.push(options?.durability));
  await (await device()('a')).write(draftOf('слова'));
  expect(requested).toEqual(['strict']);
});

test('a connection that the browser has closed is opened again within the same call', async () => {
  const opened: IDBDatabase[] = [];
  watchOpens((db) => opened.push(db));
  const open = device();
  const first = await open('a');
  opened[0]?.close();
  await first.write(draftOf('слова'));
  await first.close();
  expect(await adopted(await open('b'))).toEqual(['слова']);
});

test('a write that cannot be stored fails and is tried once', async () => {
  let begun = 0;
  watchTransactions(() => (begun += 1));
  const first = await device()('a');
  const unstorable = { ...draftOf(''), at: (() => undefined) as unknown as number };
  await expect(first.write(unstorable)).rejects.toThrow();
  expect(begun).toBe(1);
});

test('an open that does not answer within five seconds gives a store that is not durable', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const open = indexedDB.open.bind(indexedDB);
  indexedDB.open = (name: string, version?: number) => {
    const request = open(name, version);
    request.addEventListener = () => undefined;
    return request;
  };
  let store: Awaited<ReturnType<typeof openDraftStore>> | null = null;
  const opening = device()('a').then((opened) => (store = opened));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(store).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect((await opening).durable).toBe(false);
});

test('no timer outlives an open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect((await device()('a')).durable).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['IndexedDB', { factory: undefined, locks: fakeLocks() }],
  ['Web Locks', { factory: new IDBFactory(), locks: undefined }],
])('without %s the store is not durable', async (_, environment) => {
  const store = await openDraftStore(environment, { userId: 'у', testId: 'т', tabId: 'a' });
  expect(store.durable).toBe(false);
  expect(await adopted(store)).toEqual([]);
  await expect(store.write(draftOf('слова'))).rejects.toThrow();
});
