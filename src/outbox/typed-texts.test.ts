import { describe, expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import type { TextStore } from './environment.ts';
import { ANNA, BORIS, MINUTE, open, START } from './fake-server.ts';
import { device, drain, running, signIn, type TestDevice } from './test-device.ts';

/** Typed text that the page noted and the database does not have. */

const KEYS = { [ANNA]: 'A'.repeat(43), [BORIS]: 'B'.repeat(42) + 'A' };

/** The local storage of one device, shared by its pages. */
function localTexts(changes: Partial<TextStore> = {}): TextStore & { all(): string[] } {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    ...changes,
    all: () => [...values.values()],
  };
}

type Page = TestDevice & { attemptId: string; texts: ReturnType<typeof localTexts> };

async function page(texts = localTexts()): Promise<Page> {
  const made = await running({ texts });
  return { ...made, texts };
}

/** A reload: another page over the same storages. */
async function reload(from: Page): Promise<Page> {
  const { texts, server, factory, skew, attemptId } = from;
  const made = await device({ texts, server, factory, skew });
  return { ...made, texts, attemptId };
}

async function type({ outbox, attemptId }: Page, answer: Answer): Promise<void> {
  const view = await outbox.snapshot(attemptId);
  if (!view) throw new Error('no attempt');
  outbox.noteTyped(view, answer);
}

const shown = async ({ outbox, attemptId }: Page, at = 0) =>
  (await outbox.snapshot(attemptId))?.answers[at];
const operations = ({ storage }: Page) =>
  storage.read(['operations'], (tx) => tx.all('operations'));

// Before the others: what was loaded once is not loaded again.
test('a sign-out encrypts the rows and erases the text, though a file of the app is lost', async () => {
  const before = await page();
  await type(before, open('первое слово'));
  vi.doMock('./restore-typed.ts', () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  await before.outbox.encryptRows();
  vi.doUnmock('./restore-typed.ts');
  expect(before.texts.all()).toEqual([]);
  expect(await operations(before)).toEqual([]);
});

test('a lost file of the app stops neither a start nor a sign-out; the text waits for the next page', async () => {
  const before = await page();
  await type(before, open('первое слово'));
  vi.doMock('./restore-typed.ts', () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  const lost = await reload(before);
  await lost.outbox.storeTyped();
  expect(await lost.outbox.openRows(ANNA, KEYS[ANNA] ?? null)).toBe(true);
  expect(await lost.outbox.claimTab(before.attemptId)).toBe(true);
  expect(before.texts.all()).toHaveLength(1);

  vi.doUnmock('./restore-typed.ts');
  const after = await reload(lost);
  await after.outbox.storeTyped();
  expect(await shown(after)).toMatchObject({ answer: open('первое слово'), stage: 'device' });
  expect(before.texts.all()).toEqual([]);
});

test('text that the page could not store is stored by the next page, as of the moment of its key', async () => {
  const before = await page();
  await type(before, open('первое слово'));
  before.world.now += 10 * MINUTE;
  const after = await reload(before);
  await after.outbox.storeTyped();
  expect(await shown(after)).toMatchObject({ answer: open('первое слово'), stage: 'device' });
  expect(await operations(after)).toMatchObject([{ writtenWall: START }]);
  expect(after.texts.all()).toEqual([]);
  await drain(after);
  const sent = after.server.calls.find(({ name }) => name === 'answer');
  expect(sent?.headers[HEADER.age]).toBe(String(10 * MINUTE));
});

test('it is stored once, though two tabs start at the same time', async () => {
  const before = await page();
  await type(before, open('одно'));
  const tabs = [await reload(before), await reload(before)];
  await Promise.all(tabs.map(({ outbox }) => outbox.storeTyped()));
  await before.outbox.storeTyped();
  expect(await operations(before)).toHaveLength(1);
});

test('a tab that becomes the writer stores what the killed one noted', async () => {
  const killed = await page();
  const reader = await reload(killed);
  await type(killed, open('до убийства'));
  await reader.outbox.claimTab(reader.attemptId);
  expect((await shown(reader))?.answer).toEqual(open('до убийства'));
});

test('what the database stored is forgotten, newer text is not', async () => {
  const made = await page();
  await type(made, open('а'));
  await type(made, open('аб'));
  await made.outbox.answer(made.attemptId, open('а'));
  expect(made.texts.all()).toHaveLength(1);
  await made.outbox.answer(made.attemptId, open('аб'));
  expect(made.texts.all()).toEqual([]);
});

test('what is typed while the next page stores the text before it stays noted', async () => {
  const typing = await page();
  await type(typing, open('а'));
  const view = await typing.outbox.snapshot(typing.attemptId);
  if (!view) throw new Error('no attempt');
  const started = await reload(typing);
  const isStored = new Promise<void>((resolve) => {
    started.outbox.subscribe(({ kind }) => {
      if (kind !== 'written') return;
      typing.outbox.noteTyped(view, open('аб'));
      resolve();
    });
  });
  await started.outbox.storeTyped();
  await isStored;
  expect((await shown(started))?.answer).toEqual(open('а'));
  expect(typing.texts.all()).toHaveLength(1);
  await started.outbox.storeTyped();
  expect((await shown(started))?.answer).toEqual(open('аб'));
});

test('text that was deleted again is restored as it was at the end', async () => {
  const before = await page();
  await before.outbox.answer(before.attemptId, open('аб'));
  await before.outbox.answer(before.attemptId, open('абв'));
  before.world.now += 300;
  await type(before, open('аб'));
  const after = await reload(before);
  await after.outbox.storeTyped();
  expect((await shown(after))?.answer).toEqual(open('аб'));
});

test.each([
  ['is stored', { isRead: true }],
  ['waits for the clock of the device', { isRead: false }],
])(
  'a key that comes while the write before it %s is newer than that write',
  async (_what, { isRead }) => {
    const before = await page();
    let begin: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = await device({
      texts: before.texts,
      server: before.server,
      user: null,
      storage: {
        ...before.storage,
        read: async (stores, run) => {
          if (!isRead) await opened;
          return before.storage.read(stores, run);
        },
        write: async (stores, run) => {
          await opened;
          return before.storage.write(stores, run);
        },
      },
    });
    const storing = slow.outbox.answer(before.attemptId, open('а'));
    // The write has been requested by now.
    await new Promise((resolve) => setImmediate(resolve));
    slow.world.now += 2;
    await type(before, open('аб'));
    slow.world.now += 3;
    begin();
    await storing;
    const after = await reload(before);
    await after.outbox.storeTyped();
    expect((await shown(after))?.answer).toEqual(open('аб'));
  },
);

test('an answer given afterwards stays, and the older text is forgotten', async () => {
  const before = await page();
  await type(before, open('старое'));
  before.world.now += 1_000;
  await before.outbox.answer(before.attemptId, open('новое'));
  const after = await reload(before);
  await after.outbox.storeTyped();
  expect((await shown(after))?.answer).toEqual(open('новое'));
  expect(after.texts.all()).toEqual([]);
});

test('an answer given after the clock was set back stays, though its time is earlier', async () => {
  const before = await page();
  await type(before, open('старое'));
  before.skew.ms -= 60 * MINUTE;
  await before.outbox.answer(before.attemptId, open('новое'));
  const after = await reload(before);
  await after.outbox.storeTyped();
  expect((await shown(after))?.answer).toEqual(open('новое'));
});

/** The device has lost its database, and has the attempt in another stream again. */
async function startAnew(from: Page): Promise<Page> {
  const { texts, server, attemptId } = from;
  const testId = (await from.outbox.attempt(attemptId))?.testId ?? '';
  const made = await device({ texts, server });
  await made.outbox.startAttempt(testId, { takeOver: attemptId });
  await made.outbox.adoptSaved(attemptId, server.saved());
  return { ...made, texts, attemptId };
}

test('after a loss of the database typed text is stored in the new stream', async () => {
  const before = await page();
  await before.outbox.answer(before.attemptId, open('раньше'));
  await drain(before);
  before.world.now += MINUTE;
  await type(before, open('раньше и теперь'));
  const after = await startAnew(before);
  await after.outbox.storeTyped();
  expect((await shown(after))?.answer).toEqual(open('раньше и теперь'));
});

test('after a loss of the database what the server received later stays', async () => {
  const before = await page();
  await type(before, open('старое'));
  before.world.now += MINUTE;
  await before.outbox.answer(before.attemptId, open('новое'));
  await drain(before);
  await type(before, open('старое'));
  const old = before.texts.getItem(before.texts.key(0) ?? '') ?? '';
  const typed = JSON.parse(old) as { wall: number; server: number };
  const earlier = { ...typed, wall: START, server: START };
  before.texts.setItem(before.texts.key(0) ?? '', JSON.stringify(earlier));
  const after = await startAnew(before);
  await after.outbox.storeTyped();
  expect((await shown(after))?.answer).toEqual(open('новое'));
  expect(after.texts.all()).toEqual([]);
});

describe('never where it would be wrong', () => {
  test('text of one person is not written into the attempt of another', async () => {
    const made = await page();
    const view = await made.outbox.snapshot(made.attemptId);
    made.outbox.noteTyped(
      { ...(view ?? made), owner: BORIS, stream: view?.stream ?? '' },
      open('чужое'),
    );
    await made.outbox.storeTyped();
    expect(await operations(made)).toEqual([]);
  });

  test('a sign-in erases what others typed and the device could not store', async () => {
    const made = await page();
    made.outbox.noteTyped({ owner: ANNA, attemptId: 'elsewhere', stream: 's' }, open('тайна'));
    made.outbox.noteTyped({ owner: BORIS, attemptId: 'elsewhere', stream: 's' }, open('своё', 1));
    await made.outbox.openRows(BORIS, KEYS[BORIS] ?? null);
    expect(made.texts.all()).toHaveLength(1);
    expect(made.texts.all()[0]).toContain('своё');
  });

  test('after the own finish of the student it is forgotten', async () => {
    const made = await page();
    await type(made, open('поздно'));
    await made.outbox.finish(made.attemptId, 'student');
    await made.outbox.storeTyped();
    expect((await operations(made)).map(({ kind }) => kind)).toEqual(['finish']);
    expect(made.texts.all()).toEqual([]);
  });

  test('text typed before zero is stored though the finish at the deadline was queued without it', async () => {
    const before = await page();
    await type(before, open('до срока'));
    await before.outbox.finish(before.attemptId, 'deadline');
    const after = await reload(before);
    await after.outbox.storeTyped();
    await drain(after);
    expect(await shown(after)).toMatchObject({ answer: open('до срока'), stage: 'server' });
  });

  test('after a take-over it is stored in the stream in which it was typed', async () => {
    const before = await page();
    await type(before, open('старый телефон'));
    const { stream } = (await before.outbox.snapshot(before.attemptId)) ?? {};
    const other = await device({ server: before.server });
    await other.outbox.startAttempt((await before.outbox.attempt(before.attemptId))?.testId ?? '', {
      takeOver: before.attemptId,
    });
    await other.outbox.answer(before.attemptId, open('новый телефон'));
    await drain(other);
    const after = await reload(before);
    await after.outbox.storeTyped();
    await drain(after);
    expect(await operations(after)).toMatchObject([{ stream, state: 'acknowledged' }]);
    expect((await other.outbox.snapshot(before.attemptId))?.answers[0]?.answer).toEqual(
      open('новый телефон'),
    );
  });

  test('the next student gets none of it, and its owner gets it back', async () => {
    const made = await page();
    await made.outbox.openRows(ANNA, KEYS[ANNA] ?? null);
    await type(made, open('тайна'));
    await made.outbox.openRows(BORIS, KEYS[BORIS] ?? null);
    await signIn(made.storage, BORIS);
    await made.outbox.openRows(BORIS, null);
    expect(made.texts.all()).toEqual([]);
    await drain(made);
    expect(await made.outbox.snapshot(made.attemptId)).toBeNull();
    expect(JSON.stringify(await operations(made))).not.toContain('тайна');

    await made.outbox.openRows(ANNA, KEYS[ANNA] ?? null);
    await signIn(made.storage, ANNA);
    expect((await shown(made))?.answer).toEqual(open('тайна'));
  });

  test('a sign-out erases text of an attempt that is not here; a start of its owner does not', async () => {
    const made = await page();
    made.outbox.noteTyped({ owner: ANNA, attemptId: 'elsewhere', stream: 's' }, open('чужое'));
    await made.outbox.openRows(ANNA, KEYS[ANNA] ?? null);
    expect(made.texts.all()).toHaveLength(1);
    await made.outbox.encryptRows();
    expect(made.texts.all()).toEqual([]);
  });
});

describe('storage that does not work', () => {
  test('damaged text is removed, the rest is stored', async () => {
    const made = await page();
    for (const [index, value] of ['', '{', 'null', '{"owner":1}', '[]'].entries())
      made.texts.setItem(`typed:damaged${index}`, value);
    made.texts.setItem('token', 'stays');
    await type(made, open('целое'));
    await made.outbox.storeTyped();
    expect((await shown(made))?.answer).toEqual(open('целое'));
    expect(made.texts.all()).toEqual(['stays']);
  });

  test.each<[string, Partial<TextStore>]>([
    [
      'full',
      {
        setItem: () => {
          throw new DOMException('full', 'QuotaExceededError');
        },
      },
    ],
    [
      'forbidden',
      {
        key: () => {
          throw new DOMException('forbidden', 'SecurityError');
        },
        getItem: () => {
          throw new DOMException('forbidden', 'SecurityError');
        },
        setItem: () => {
          throw new DOMException('forbidden', 'SecurityError');
        },
        removeItem: () => {
          throw new DOMException('forbidden', 'SecurityError');
        },
      },
    ],
  ])('%s: typing, storing and starting go on', async (_, changes) => {
    const made = await page(localTexts(changes));
    await type(made, open('текст'));
    await made.outbox.answer(made.attemptId, open('текст'));
    await made.outbox.storeTyped();
    await made.outbox.encryptRows();
    expect(await operations(made)).toMatchObject([{ answer: open('текст') }]);
  });

  test('a failed write leaves the note for the next start', async () => {
    const made = await page();
    const full = await device({
      texts: made.texts,
      server: made.server,
      user: null,
      storage: {
        ...made.storage,
        write: async () => {
          throw new StorageFailure('quota');
        },
      },
    });
    await type(made, open('текст'));
    await full.outbox.storeTyped();
    expect(made.texts.all()).toHaveLength(1);
  });
});
