import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { beforeEach, expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { importDeviceKey } from './cipher.ts';
import {
  decryptDraft,
  deleteDrafts,
  encryptDraftRows,
  isEncryptedDraft,
  testsWithDrafts,
} from './draft-database.ts';
import { openDraftStore, type DraftStore } from './draft-store.ts';
import { encryptDrafts, hasDraftDatabase } from './encrypt-drafts.ts';

const ANNA = 'анна';
const SECRET = 'Верный ответ 42';

async function keyOf(letter: string): Promise<CryptoKey> {
  const key = await importDeviceKey(letter.repeat(42) + 'E');
  if (!key) throw new Error('no WebCrypto');
  return key;
}

const question: Question = {
  questionId: '00000000-0000-4000-8000-000000000001',
  kind: 'file',
  text: SECRET,
  points: 1,
  maxBytes: 1_000,
  accept: [],
};
const draft = { base: { draftVersion: 1, questions: [] }, mine: [question], sent: [], at: 1 };

const locks = {
  request: async (_name: string, a: unknown, b?: (lock: object) => unknown) =>
    ((typeof a === 'function' ? a : b) as (lock: object) => unknown)({}),
} as unknown as LockManager;

let signedIn = true;
let stored: CryptoKey | null = null;

const openStore = (tabId: string) =>
  openDraftStore(
    {
      factory: indexedDB,
      locks,
      isSignedIn: () => signedIn,
      readKey: () => Promise.resolve(stored),
    },
    { userId: ANNA, testId: 'тест', tabId },
  );

async function adopted(store: DraftStore) {
  const texts: string[] = [];
  let unreadable = 0;
  await store.adopt(
    async ({ mine }) => void texts.push(mine[0]?.text ?? ''),
    () => (unreadable += 1),
  );
  return { texts, unreadable };
}

/** Everything in the database, as text. */
async function contents(): Promise<string> {
  const db = await openDB('exam-room-drafts');
  const rows = [...(await db.getAll('drafts')), ...(await db.getAll('broken'))];
  db.close();
  return JSON.stringify(rows, (_key, value: unknown) =>
    value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value,
  );
}

/** Rows of an app that was closed, or of an older version. */
async function leave(name: 'drafts' | 'broken', key: string, row: unknown): Promise<void> {
  const db = await openDB('exam-room-drafts');
  await db.put(name, row, key);
  db.close();
}

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  signedIn = true;
  stored = await keyOf('A');
});

test('working copies and quarantined rows are encrypted in place and adopted after the next sign-in', async () => {
  const store = await openStore('a');
  await store.write(draft);
  await leave('broken', 'анна/тест/b', { mine: SECRET, points: Number.NaN, none: undefined });
  await leave('drafts', 'анна/тест/c', { mine: SECRET });
  await leave('broken', 'x', { mine: SECRET });
  expect(await contents()).toContain(SECRET);
  expect(await encryptDrafts({ owner: ANNA, key: await keyOf('A'), signIn: '1' })).toBe(true);
  expect(await contents()).not.toContain(SECRET);
  expect(await testsWithDrafts(ANNA)).toEqual(['тест']);
  expect(await adopted(await openStore('d'))).toEqual({ texts: [SECRET], unreadable: 0 });
  expect(await testsWithDrafts(ANNA)).toEqual([]);
  const db = await openDB('exam-room-drafts');
  expect(await db.getAllKeys('broken')).toEqual(['x', 'анна/тест/b', 'анна/тест/c']);
  const broken = (await db.getAll('broken')) as unknown[];
  expect(broken.every(isEncryptedDraft)).toBe(true);
  const [, row] = broken.filter(isEncryptedDraft);
  if (!row) throw new Error('no row');
  expect(await decryptDraft(await keyOf('A'), 'анна/тест/b', row)).toEqual({
    mine: SECRET,
    points: Number.NaN,
    none: undefined,
  });
  db.close();
});

test('rows of other people stay unchanged', async () => {
  const store = await openStore('a');
  await store.write(draft);
  expect(await encryptDraftRows({ owner: 'борис', key: await keyOf('B') })).toBe(true);
  expect(await contents()).toContain(SECRET);
});

test('with another key nothing opens: the row stays as it is, is reported, and opens with its own', async () => {
  const store = await openStore('a');
  await store.write(draft);
  await encryptDraftRows({ owner: ANNA, key: await keyOf('A') });
  const before = await contents();
  stored = await keyOf('B');
  expect(await adopted(await openStore('b'))).toEqual({ texts: [], unreadable: 1 });
  stored = null;
  expect(await adopted(await openStore('c'))).toEqual({ texts: [], unreadable: 1 });
  expect(await contents()).toBe(before);
  stored = await keyOf('A');
  expect(await adopted(await openStore('d'))).toEqual({ texts: [SECRET], unreadable: 0 });
});

test('a ciphertext opens under its own key only, not where another row was', async () => {
  const store = await openStore('a');
  await store.write(draft);
  await encryptDraftRows({ owner: ANNA, key: await keyOf('A') });
  const db = await openDB('exam-room-drafts');
  await db.put('drafts', await db.get('drafts', 'анна/тест/a'), 'анна/тест/b');
  await db.delete('drafts', 'анна/тест/a');
  db.close();
  expect(await adopted(await openStore('c'))).toEqual({ texts: [], unreadable: 1 });
});

test('a tab that learns later of the sign-out writes and leaves nothing in plain', async () => {
  const store = await openStore('a');
  await store.write(draft);
  // Another tab has signed out and forgotten the key.
  signedIn = false;
  stored = null;
  await store.write({ ...draft, at: 2 });
  expect(await contents()).not.toContain(SECRET);
  const second = await keyOf('A');
  signedIn = true;
  stored = second;
  await store.write(draft);
  signedIn = false;
  stored = null;
  await store.close();
  expect(await contents()).not.toContain(SECRET);
  signedIn = true;
  stored = second;
  expect((await adopted(await openStore('b'))).texts).toEqual([SECRET]);
});

test('without a key nothing is written in plain after a sign-out', async () => {
  stored = null;
  const store = await openStore('a');
  signedIn = false;
  await expect(store.write(draft)).rejects.toThrow();
  expect(await contents()).not.toContain(SECRET);
});

test('a row that changes while it is encrypted is encrypted as it is then', async () => {
  const store = await openStore('a');
  await store.write(draft);
  const encrypting = encryptDraftRows({ owner: ANNA, key: await keyOf('A') });
  const later = { ...draft, mine: [{ ...question, text: `${SECRET}, исправлено` }] };
  await store.write(later);
  await encrypting;
  await encryptDraftRows({ owner: ANNA, key: await keyOf('A') });
  expect(await contents()).not.toContain(SECRET);
  expect((await adopted(await openStore('b'))).texts).toEqual([`${SECRET}, исправлено`]);
});

test('deleting removes all rows of one person, readable or not', async () => {
  const store = await openStore('a');
  await store.write(draft);
  await leave('broken', 'анна/тест/b', { mine: SECRET });
  await leave('drafts', 'борис/тест/b', { mine: 'другое' });
  await encryptDraftRows({ owner: ANNA, key: await keyOf('A') });
  await deleteDrafts(ANNA);
  const db = await openDB('exam-room-drafts');
  expect(await db.getAllKeys('drafts')).toEqual(['борис/тест/b']);
  expect(await db.getAllKeys('broken')).toEqual([]);
  db.close();
});

test('without edits no database is created', async () => {
  expect(await encryptDrafts({ owner: ANNA, key: await keyOf('A'), signIn: '1' })).toBe(true);
  expect(await hasDraftDatabase(indexedDB)).toBe(false);
});
