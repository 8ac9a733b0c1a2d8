import 'fake-indexeddb/auto';
import { setImmediate } from 'node:timers';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { closeOpenDrafts } from '#app/lib/open-drafts.ts';
import { eraseSession, writeSession } from '#app/lib/session/stored-session.ts';
import { importDeviceKey } from '#app/storage/cipher.ts';
import { testsWithDrafts } from '#app/storage/draft-database.ts';
import { fakeLocks } from '#app/storage/fake-locks.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { mirrorSession } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';
import { postAbandoned } from './abandoned.ts';
import { draftOf, openDrafts, type OpenDraft } from './open-draft.ts';
import { serveDraft } from './serve-draft.ts';
import { idOf, list, question } from './testing.ts';
import { abandonDrafts, readUnsentDrafts, sendDrafts } from './unsent-drafts.ts';

const TEACHER = idOf(50);
const TEST_ID = idOf(99);
const signedIn = {
  token: 'secret',
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  user: {
    userId: TEACHER,
    userName: 'О. В. Лаптева',
    email: 'teacher@school.ru',
    role: 1,
    isAdmin: false,
  },
} as const;

let storage: Storage;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  window.indexedDB = new IDBFactory();
  globalThis.indexedDB = window.indexedDB;
  Object.defineProperty(navigator, 'locks', { value: fakeLocks(), configurable: true });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  storage = createMemoryStorage();
  writeSession(localStorage, signedIn);
  await mirrorSession(storage, signedIn);
  await storage.write(['deviceKeys'], async (tx) => {
    const key = await importDeviceKey('A'.repeat(43));
    if (key) await tx.put('deviceKeys', { owner: TEACHER, key, signIn: 's1' });
  });
});

afterEach(async () => {
  await Promise.all([closeOpenDrafts(), settle()]);
  eraseSession(localStorage);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Lets the databases and the replies proceed, without time. */
async function settle(ms = 0): Promise<void> {
  for (let round = 0; round < 40; round += 1)
    await new Promise<void>((resolve) => void setImmediate(resolve));
  if (ms === 0) return;
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
}

const editorOf = (opened: OpenDraft) => {
  const { draft } = opened.current();
  if (!draft) throw new Error('not loaded');
  return draft;
};

function type(opened: OpenDraft, text: string): void {
  editorOf(opened).change(
    'Правка',
    (questions) => questions.map((each, at) => (at === 0 ? { ...each, text } : each)),
    { coalesce: 'text' },
  );
}

async function open(questions: Question[] = list(1, 2)) {
  const served = serveDraft(questions);
  const opened = draftOf(TEST_ID, storage);
  await settle();
  served.calls.length = 0;
  return { ...served, opened };
}

const rows = () => testsWithDrafts(TEACHER);

function become(state: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('an open working copy', () => {
  test('is one for all screens of a page, until it is closed', async () => {
    const { opened } = await open();
    expect(draftOf(TEST_ID, storage)).toBe(opened);
    expect(openDrafts()).toEqual([opened]);
    expect(opened.testId).toBe(TEST_ID);
    await opened.close();
    expect(openDrafts()).toEqual([]);
    const next = draftOf(TEST_ID, storage);
    expect(next).not.toBe(opened);
    await opened.close();
    expect(openDrafts(), 'a second close leaves the next one').toEqual([next]);
  });

  test('shows nothing before it is loaded; reports each change', async () => {
    serveDraft(list(1));
    const opened = draftOf(TEST_ID, storage);
    const seen = vi.fn();
    const unsubscribe = opened.subscribe(seen);
    expect(opened.current()).toEqual({ draft: null, problem: null });
    expect(opened.hasUnsent()).toBe(false);
    expect(opened.isAtRisk()).toBe(false);
    await settle();
    expect(editorOf(opened).questions).toEqual(list(1));
    expect(seen).toHaveBeenCalled();
    seen.mockClear();
    type(opened, 'слово');
    expect(seen).toHaveBeenCalled();
    expect(editorOf(opened).questions[0]?.text).toBe('слово');
    expect(opened.hasUnsent()).toBe(true);
    unsubscribe();
    seen.mockClear();
    type(opened, 'слова');
    expect(seen).not.toHaveBeenCalled();
  });

  test('sends the order and what changed', async () => {
    const { opened, state, bodies } = await open();
    type(opened, 'слово');
    await settle(1_000);
    expect(state.questions[0]?.text).toBe('слово');
    expect(bodies).toEqual([
      { draftVersion: 1, order: [1, 2].map(idOf), changed: [question(1, 'слово')] },
    ]);
  });

  test('publishes and discards', async () => {
    const { opened, calls, state } = await open();
    state.lifecycle = 'active';
    type(opened, 'слово');
    const publishing = editorOf(opened).publish();
    await settle();
    await publishing;
    expect(state.published[0]?.text).toBe('слово');
    type(opened, 'слова');
    const discarding = editorOf(opened).discard();
    await settle();
    await discarding;
    expect(state.questions[0]?.text).toBe('слово');
    expect(calls).toContain('POST draft/publish');
    expect(calls).toContain('POST draft/discard');
  });

  test.each([
    [20, 5_000],
    [21, 30_000],
  ])('a save of %i questions is given up after %i ms without a reply', async (count, ms) => {
    const { opened } = await open([]);
    vi.stubGlobal(
      'fetch',
      (input: Request, options?: RequestInit) =>
        new Promise((_resolve, reject) => {
          const signal = options?.signal ?? input.signal;
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    editorOf(opened).change('Импорт', () => list(...Array.from({ length: count }, (_, at) => at)));
    await settle(1_000);
    await settle(ms - 500);
    expect(editorOf(opened).state.kind).toBe('sending');
    await settle(600);
    expect(editorOf(opened).state).toMatchObject({ kind: 'device', isOffline: true });
  });
});

describe('a first load that fails', () => {
  test('is repeated while a screen waits for it, after growing pauses', async () => {
    const served = serveDraft(list(1));
    served.faults.push('busy', 'busy', 'busy');
    const opened = draftOf(TEST_ID, storage);
    opened.use();
    await settle();
    expect(opened.current()).toMatchObject({ draft: null, problem: { status: 503 } });
    expect(served.calls).toHaveLength(1);
    await settle(1_499);
    expect(served.calls).toHaveLength(1);
    await settle(1);
    expect(served.calls).toHaveLength(2);
    await settle(2_999);
    expect(served.calls).toHaveLength(2);
    await settle(1);
    expect(served.calls).toHaveLength(3);
    opened.retry();
    await settle();
    expect(editorOf(opened).questions).toEqual(list(1));
    expect(opened.current().problem).toBeNull();
    await settle(20_000);
    expect(served.calls.filter((call) => call === 'GET draft')).toHaveLength(4);
  });

  test('is not repeated unobserved', async () => {
    const served = serveDraft(list(1));
    served.faults.push('busy');
    const opened = draftOf(TEST_ID, storage);
    await settle();
    expect(opened.current().problem).not.toBeNull();
    await settle(60_000);
    expect(served.calls).toHaveLength(1);
  });

  test('a close ends the tries', async () => {
    const served = serveDraft(list(1));
    served.faults.push('busy');
    const opened = draftOf(TEST_ID, storage);
    opened.use();
    await settle();
    await opened.close();
    await settle(60_000);
    expect(served.calls).toHaveLength(1);
  });

  test('two loads at once open it once', async () => {
    const served = serveDraft(list(1));
    const opened = draftOf(TEST_ID, storage);
    opened.retry();
    await settle();
    expect(served.calls).toEqual(['GET draft']);
    served.calls.length = 0;
    window.dispatchEvent(new Event('focus'));
    await settle();
    expect(served.calls).toEqual(['GET draft/version']);
  });
});

describe('the page', () => {
  test('that comes back requests changes from elsewhere', async () => {
    const { opened, calls } = await open();
    const expectCalls = async (act: () => void, expected: string[]) => {
      calls.length = 0;
      act();
      await settle();
      expect(calls).toEqual(expected);
    };
    await expectCalls(() => become('visible'), ['GET draft/version']);
    await expectCalls(() => window.dispatchEvent(new Event('focus')), ['GET draft/version']);
    await expectCalls(() => window.dispatchEvent(new Event('pageshow')), ['GET draft/version']);
    await expectCalls(() => opened.look(), ['GET draft/version']);
    await expectCalls(() => become('hidden'), []);
    await opened.close();
    await expectCalls(() => become('visible'), []);
    await expectCalls(() => window.dispatchEvent(new Event('focus')), []);
    await expectCalls(() => window.dispatchEvent(new Event('pageshow')), []);
  });

  test('asks every twenty seconds while it is visible', async () => {
    const { opened, calls } = await open();
    become('visible');
    await settle();
    calls.length = 0;
    await settle(20_000);
    expect(calls).toEqual(['GET draft/version']);
    become('hidden');
    await settle(40_000);
    expect(calls).toHaveLength(1);
    become('visible');
    await settle();
    await opened.close();
    calls.length = 0;
    await settle(40_000);
    expect(calls).toEqual([]);
  });

  test('that is online again sends at once, visible or shown again too', async () => {
    const { opened, faults, calls } = await open();
    for (const act of [() => window.dispatchEvent(new Event('online')), () => become('visible')]) {
      faults.push('requestLost');
      type(opened, `слово ${calls.length}`);
      await settle(1_000);
      expect(editorOf(opened).state.kind).toBe('device');
      act();
      await settle(1);
      expect(editorOf(opened).state.kind).toBe('server');
    }
    await opened.close();
    calls.length = 0;
    window.dispatchEvent(new Event('online'));
    await settle(1);
    expect(calls).toEqual([]);
  });

  test('that becomes hidden stores what is typed at once', async () => {
    const { opened } = await open();
    type(opened, 'слово');
    await settle();
    expect(await rows()).toEqual([]);
    become('hidden');
    await settle();
    expect(await rows()).toEqual([TEST_ID]);
  });
});

describe('leaving the screen', () => {
  test('sends and releases the copy a second later, unless it is shown again', async () => {
    const { opened, state } = await open();
    const release = opened.use();
    type(opened, 'слово');
    release();
    const again = opened.use();
    await settle(1_000);
    expect(openDrafts()).toEqual([opened]);
    again();
    await settle(999);
    expect(openDrafts()).toEqual([opened]);
    await settle(1);
    await settle();
    expect(openDrafts()).toEqual([]);
    expect(state.questions[0]?.text).toBe('слово');
    expect(await rows()).toEqual([]);
  });

  test('of one of two screens leaves it to the other', async () => {
    const { opened } = await open();
    const first = opened.use();
    opened.use();
    first();
    await settle(5_000);
    expect(openDrafts()).toEqual([opened]);
  });

  test('without the network stores what is typed', async () => {
    const { opened, faults } = await open();
    faults.push('requestLost', 'requestLost', 'requestLost');
    const release = opened.use();
    type(opened, 'слово');
    release();
    await settle(1_000);
    await settle();
    expect(openDrafts()).toEqual([]);
    expect(await rows()).toEqual([TEST_ID]);
  });
});

describe('before a sign-out', () => {
  const leaveTyped = async () => {
    const scene = await open();
    scene.faults.push('requestLost', 'requestLost', 'requestLost', 'requestLost');
    type(scene.opened, 'слово');
    await settle(300);
    return scene;
  };

  test('unsent edits are counted, of open screens and of closed tabs', async () => {
    const { opened } = await open();
    expect(await readUnsentDrafts(TEACHER, storage)).toEqual({ count: 0, canStay: true });
    type(opened, 'слово');
    expect(await readUnsentDrafts(TEACHER, storage)).toEqual({ count: 1, canStay: true });
    await settle(300);
    expect(await readUnsentDrafts(TEACHER, storage), 'once').toEqual({ count: 1, canStay: true });
    await opened.close();
    expect(await readUnsentDrafts(TEACHER, storage)).toEqual({ count: 1, canStay: true });
    expect(await readUnsentDrafts(idOf(51), storage)).toEqual({ count: 0, canStay: false });
  });

  test('without a key, or in memory, they cannot stay', async () => {
    const { opened } = await open();
    type(opened, 'слово');
    await storage.write(['deviceKeys'], (tx) => tx.delete('deviceKeys', TEACHER));
    expect((await readUnsentDrafts(TEACHER, storage)).canStay).toBe(false);
    const broken = { ...storage, read: () => Promise.reject(new Error('closed')) };
    expect((await readUnsentDrafts(TEACHER, broken)).canStay).toBe(false);
  });

  test('edits that are only in memory cannot stay', async () => {
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    const { opened } = await open();
    expect((await readUnsentDrafts(TEACHER, storage)).canStay).toBe(true);
    type(opened, 'слово');
    expect(opened.isAtRisk()).toBe(true);
    expect(await readUnsentDrafts(TEACHER, storage)).toEqual({ count: 1, canStay: false });
  });

  test('a device without edits has no draft database', async () => {
    expect(await readUnsentDrafts(TEACHER, storage)).toEqual({ count: 0, canStay: true });
    await abandonDrafts(TEACHER);
    expect(await window.indexedDB.databases()).toEqual([]);
  });

  test('edits given up here are given up in other tabs', async () => {
    const messages: unknown[] = [];
    const otherTab = new BroadcastChannel('exam-room-drafts');
    otherTab.addEventListener('message', ({ data }: MessageEvent<unknown>) => messages.push(data));
    await abandonDrafts(TEACHER);
    await vi.waitFor(() => expect(messages).toEqual([{ kind: 'abandon', owner: TEACHER }]));
    otherTab.close();
  });

  test('a database that cannot be read is reported, and open edits count', async () => {
    const { opened } = await open();
    type(opened, 'слово');
    vi.spyOn(window.indexedDB, 'databases').mockRejectedValue(new Error('closed'));
    expect((await readUnsentDrafts(TEACHER, storage)).count).toBe(1);
    expect(console.warn).toHaveBeenCalledWith('Правки на устройстве не прочитать', {
      cause: expect.any(Error),
    });
  });

  test('everything is sent, of closed tabs too, which are closed again', async () => {
    const { opened, state, faults } = await leaveTyped();
    await opened.close();
    expect(await rows()).toEqual([TEST_ID]);
    faults.length = 0;
    const sending = sendDrafts(TEACHER, storage);
    await settle();
    await sending;
    expect(state.questions[0]?.text).toBe('слово');
    expect(openDrafts()).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('an open editor stays open after sending', async () => {
    const { opened, state } = await open();
    type(opened, 'слово');
    const sending = sendDrafts(TEACHER, storage);
    await settle();
    await sending;
    expect(state.questions[0]?.text).toBe('слово');
    expect(openDrafts()).toEqual([opened]);
  });

  test('the first failure is thrown, and the edits stay', async () => {
    const { faults } = await leaveTyped();
    faults.length = 0;
    faults.push('busy');
    const sending = sendDrafts(TEACHER, storage).catch((error: unknown) => error);
    await settle();
    expect(await sending).toMatchObject({ status: 503 });
    expect(await rows()).toEqual([TEST_ID]);
  });

  test('a copy that was never loaded is loaded first, and its failure thrown', async () => {
    const { opened, faults } = await leaveTyped();
    await opened.close();
    faults.length = 0;
    faults.push('busy', 'busy');
    const unloaded = draftOf(TEST_ID, storage);
    await settle();
    const failing = unloaded.send().catch((error: unknown) => error);
    await settle();
    expect(await failing).toMatchObject({ status: 503 });
    const sending = unloaded.send();
    await settle();
    await sending;
    expect(await rows()).toEqual([]);
  });

  test('edits that are given up are deleted, of closed tabs too', async () => {
    const { opened, state } = await leaveTyped();
    const giving = abandonDrafts(TEACHER);
    await settle();
    await giving;
    expect(openDrafts()).toEqual([]);
    expect(await rows()).toEqual([]);
    expect(opened.hasUnsent()).toBe(false);
    const other = await leaveTyped();
    await other.opened.close();
    const again = abandonDrafts(TEACHER);
    await settle();
    await again;
    expect(await rows()).toEqual([]);
    expect(state.questions[0]?.text).toBe('Вопрос 1');
  });

  test('another tab in which the same person is signed in gives them up too', async () => {
    const { opened } = await open();
    type(opened, 'слово');
    postAbandoned(idOf(51));
    await settle(50);
    expect(openDrafts(), 'of somebody else').toEqual([opened]);
    postAbandoned(TEACHER);
    await vi.waitFor(() => expect(openDrafts()).toEqual([]));
    await settle();
    expect(await rows()).toEqual([]);
  });
});

test('after the sign-in has ended a close leaves a row that cannot be read', async () => {
  const { opened } = await open();
  type(opened, 'слово с ключом');
  await settle(300);
  eraseSession(localStorage);
  await opened.close();
  expect(await rows()).toEqual([TEST_ID]);
  const stored = await new Promise<unknown>((resolve) => {
    const opening = window.indexedDB.open('exam-room-drafts');
    opening.addEventListener('success', () => {
      const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
      reading.addEventListener('success', () => {
        opening.result.close();
        resolve(reading.result);
      });
    });
  });
  expect(JSON.stringify(stored)).not.toContain('слово с ключом');
  expect(stored).toEqual([{ iv: expect.any(ArrayBuffer), cipher: expect.any(ArrayBuffer) }]);
});

test('without a sign-in on the device edits are in memory alone', async () => {
  await storage.write(['session'], (tx) => tx.delete('session', 'current'));
  const { opened } = await open();
  type(opened, 'слово');
  expect(opened.isAtRisk()).toBe(true);
  const broken = { ...storage, read: () => Promise.reject(new Error('closed')) };
  await opened.close();
  const next = draftOf(TEST_ID, broken);
  await settle();
  type(next, 'слово');
  expect(next.isAtRisk()).toBe(true);
});
