import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { beforeEach, expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { openDraftKeeper, type KeptDraft } from './drafts.ts';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

type Granted = (lock: object | null) => unknown;

/** Web Locks as far as they are used: exclusive, waiting or not. */
function fakeLocks(): LockManager {
  const held = new Map<string, Promise<unknown>>();
  const request = async (
    name: string,
    given: { ifAvailable?: boolean; signal?: AbortSignal } | Granted,
    last?: Granted,
  ): Promise<unknown> => {
    const options = typeof given === 'function' ? {} : given;
    const granted = typeof given === 'function' ? given : last;
    if (!granted) throw new Error('nothing to run');
    if (held.has(name) && options.ifAvailable) return granted(null);
    while (held.has(name)) await held.get(name);
    options.signal?.throwIfAborted();
    const running = Promise.resolve(granted({ name }));
    held.set(
      name,
      running.then(
        () => held.delete(name),
        () => held.delete(name),
      ),
    );
    return running;
  };
  return { request } as unknown as LockManager;
}

const question = (text: string): Question => ({
  questionId: '00000000-0000-4000-8000-000000000001',
  kind: 'file',
  text,
  points: 1,
  maxBytes: 1_000,
  accept: [],
});

const kept = (text: string): KeptDraft => ({
  base: { draftVersion: 3, questions: [question('было')] },
  mine: [question(text)],
  sent: [],
  at: 1,
});

function device() {
  const locks = fakeLocks();
  return (tabId: string, userId = 'учитель', testId = 'тест') =>
    openDraftKeeper({ factory: indexedDB, locks }, { userId, testId, tabId });
}

/** What a tab takes over, in order. */
async function adopted(keeper: Awaited<ReturnType<typeof openDraftKeeper>>): Promise<string[]> {
  const texts: string[] = [];
  await keeper.adopt(async ({ mine }) => void texts.push(mine[0]?.text ?? ''));
  return texts;
}

test('what a dead tab kept is handed over once; its own row is not', async () => {
  const open = device();
  const first = await open('a');
  expect(first.durable).toBe(true);
  await first.write(kept('слово'));
  await first.write(kept('слова'));
  expect(await adopted(first)).toEqual([]);
  first.close();
  const second = await open('b');
  expect(await adopted(second)).toEqual(['слова']);
  expect(await adopted(second)).toEqual([]);
});

test('a row that nobody took over stays for the next try', async () => {
  const open = device();
  const first = await open('a');
  await first.write(kept('слова'));
  first.close();
  const second = await open('b');
  await expect(second.adopt(() => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect(await adopted(second)).toEqual(['слова']);
});

test('a tab that lives keeps its row, and it is handed over when it goes', async () => {
  const open = device();
  const [first, second] = [await open('a'), await open('b')];
  await first.write(kept('слова'));
  const texts: string[] = [];
  await second.adopt(async ({ mine }) => void texts.push(mine[0]?.text ?? ''));
  expect(texts).toEqual([]);
  first.close();
  await expect.poll(() => texts).toEqual(['слова']);
});

test('rows of other people and other tests are not shown', async () => {
  const open = device();
  const first = await open('a');
  await first.write(kept('слова'));
  first.close();
  expect(await adopted(await open('b', 'другой'))).toEqual([]);
  expect(await adopted(await open('c', 'учитель', 'другой тест'))).toEqual([]);
});

test('a row that the server has is cleared', async () => {
  const open = device();
  const first = await open('a');
  await first.write(kept('слова'));
  await first.clear();
  first.close();
  expect(await adopted(await open('b'))).toEqual([]);
});

test('what is typed and breaks a rule for now is kept; a row of another shape is put aside whole', async () => {
  const open = device();
  const first = await open('a');
  await first.write({ ...kept(''), mine: [{ ...question('слова'), points: 0.001 }] });
  first.close();
  const db = await openDB('exam-room-drafts');
  await db.put('drafts', { mine: 'нечто' }, 'учитель/тест/x');
  expect(await adopted(await open('b'))).toEqual(['слова']);
  expect(await db.get('broken', 'учитель/тест/x')).toEqual({ mine: 'нечто' });
  expect(await db.count('drafts')).toBe(0);
});

test.each([
  ['IndexedDB', { factory: undefined, locks: fakeLocks() }],
  ['Web Locks', { factory: new IDBFactory(), locks: undefined }],
])('without %s nothing is durable, and says so', async (_, surroundings) => {
  const keeper = await openDraftKeeper(surroundings, { userId: 'у', testId: 'т', tabId: 'a' });
  expect(keeper.durable).toBe(false);
  expect(await adopted(keeper)).toEqual([]);
  await expect(keeper.write(kept('слова'))).rejects.toThrow();
});
