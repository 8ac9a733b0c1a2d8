import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTyping } from '#app/features/passing/typing.ts';
import { mirrorSession } from '#app/storage/session-mirror.ts';
import { STORES, type StoreName } from '#app/storage/rows.ts';
import type { Tab } from '#simulation/tab.ts';
import { drain, openClassroom, Q, shown, start, text, view, type Classroom } from './classroom.ts';

let classroom: Classroom;
beforeAll(async () => {
  classroom = await openClassroom({ attemptsCount: 50 });
});
afterAll(() => classroom.close());

let tab: Tab;
let attemptId: string;
beforeEach(async () => {
  const student = await classroom.addStudent();
  tab = await classroom.open(classroom.device(), student);
  ({ attemptId } = await start(classroom, tab));
});

/** Types without a pause, as the page does: each key is noted, and stored by the page's timers. */
async function typeSteadily(keys: number, everyMs: number): Promise<string> {
  const page = tab;
  const { timeline } = classroom;
  const writes: Promise<unknown>[] = [];
  const typing = createTyping({
    store: (answer) => {
      const writing = page.outbox.answer(attemptId, answer);
      writes.push(writing);
      return writing;
    },
    onFailure: (cause) => {
      throw cause;
    },
    timers: {
      // A page that has ended has no timers.
      set: (run, ms) => timeline.set(() => page.isAlive() && run(), ms),
      clear: timeline.clear,
    },
  });
  const attempt = await view(tab, attemptId);
  let typed = '';
  for (let key = 0; key < keys; key += 1) {
    typed += String(key % 10);
    typing.type(text(typed));
    page.outbox.noteTyped(attempt, text(typed));
    timeline.advance(everyMs);
    // A timer calls the store in a later microtask.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(writes.splice(0));
  }
  return typed;
}

/** The next page, as the app opens it. */
async function openAgain(): Promise<Tab> {
  tab.die();
  const fresh = await classroom.open(tab.device);
  await fresh.outbox.storeTyped();
  return fresh;
}

describe('row 37: typing goes on without a pause', () => {
  test.each([
    [1, 135],
    [7, 135],
    [40, 135],
    [59, 350],
  ])('a reload after %i keys, one each %i ms, loses nothing', async (keys, everyMs) => {
    const typed = await typeSteadily(keys, everyMs);
    const fresh = await openAgain();
    expect(await shown(fresh, attemptId, Q.open)).toEqual({ text: typed, stage: 'device' });
    await drain(classroom, fresh);
    const journal = await classroom.journal(attemptId);
    expect(journal.at(-1)?.text).toBe(typed);
  });

  test.each([
    [40, 135],
    [59, 350],
  ])(
    'a crash that also deletes notes, after %i keys, one each %i ms, loses at most a second',
    async (keys, everyMs) => {
      const typed = await typeSteadily(keys, everyMs);
      const { texts } = tab.device;
      while (texts.length > 0) texts.removeItem(texts.key(0) ?? '');
      const fresh = await openAgain();
      const { text: left } = await shown(fresh, attemptId, Q.open);
      expect(typed.startsWith(left ?? '-')).toBe(true);
      expect((typed.length - (left ?? '').length) * everyMs).toBeLessThanOrEqual(1_000);
    },
  );
});

describe('row 41: stored data is cleared under an open attempt', () => {
  const ALL = Object.keys(STORES) as StoreName[];

  /** Clears the stores from another connection, and mirrors the sign-in again as the app does. */
  async function clear(stores: readonly StoreName[]): Promise<string[]> {
    const reports: string[] = [];
    const { session } = tab.device;
    tab.outbox.subscribe(({ kind }) => {
      if (kind !== 'cleared') return;
      reports.push(kind);
      if (session) void mirrorSession(tab.storage, session.signedIn);
    });
    await tab.storage.write(stores, async (tx) => {
      for (const store of stores)
        for (const row of await tx.all(store)) {
          const { keyPath } = STORES[store];
          const fields = row as unknown as Record<string, string>;
          const paths = typeof keyPath === 'string' ? [keyPath] : keyPath;
          const key = paths.map((path) => fields[path] ?? '');
          await tx.delete(store, key.length === 1 ? (key[0] ?? '') : key);
        }
    });
    return reports;
  }

  test.each([
    ['every store', ALL],
    ['its attempts', ['attempts']],
    ['its operations', ['operations']],
  ] as const)('%s: it is reported, answers go on and reach the server', async (_, stores) => {
    await tab.outbox.answer(attemptId, text('до'));
    await view(tab, attemptId);
    const reports = await clear(stores);
    expect(await shown(tab, attemptId, Q.open)).toEqual({ text: 'до', stage: 'device' });
    expect(reports).not.toEqual([]);
    const { saved } = await tab.outbox.answer(attemptId, text('после'));
    expect(saved).toBe(true);
    await drain(classroom, tab);
    expect((await classroom.journal(attemptId)).at(-1)?.text).toBe('после');
    const fresh = await openAgain();
    expect(await shown(fresh, attemptId, Q.open)).toEqual({ text: 'после', stage: 'server' });
  });
});
