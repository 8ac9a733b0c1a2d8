import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import {
  clearQueries,
  forgetOtherQueries,
  parsePersisted,
  persistQueries,
} from './persisted-queries.ts';

const id = '01900000-0000-7000-8000-000000000001';
const passing = {
  userTestId: id,
  testId: id,
  title: 'Законы Ньютона',
  attemptNumber: 1,
  attemptsCount: 2,
  state: 1,
  leftTestTime: '00:24:51',
  startedAt: '2026-05-22T07:27:00.000Z',
  deadline: '2026-05-22T08:07:00.000Z',
  countsUntil: '2026-05-22T08:22:00.000Z',
  finishedAt: null,
  serverTime: '2026-05-22T07:42:09.000Z',
};

function memory(): Storage & { map: Map<string, string> } {
  const map = new Map<string, string>();
  return {
    map,
    get length() {
      return map.size;
    },
    key: (index) => [...map.keys()][index] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
    clear: () => map.clear(),
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Persists a page's queries and restores them as after a reload. */
async function stored(storage: Storage, owner = 'anna') {
  const client = new QueryClient();
  const persistence = persistQueries(client, owner, storage);
  await persistence.restored;
  client.setQueryData(['test/passing', id], passing);
  client.setQueryData(['test/savedAnswers', id], NO_SAVED_ANSWERS);
  client.setQueryData(['tests/my'], { items: ['secret list'] });
  await vi.advanceTimersByTimeAsync(1_100);
  return { client, persistence };
}

test('only time left and saved answers survive a reload', async () => {
  const storage = memory();
  await stored(storage);
  const next = new QueryClient();
  await persistQueries(next, 'anna', storage).restored;
  expect(next.getQueryData(['test/passing', id])).toEqual(passing);
  expect(next.getQueryData(['test/savedAnswers', id])).toEqual(NO_SAVED_ANSWERS);
  expect([...storage.map.values()].join('')).not.toContain('secret list');
});

test('another person gets no persisted queries', async () => {
  const storage = memory();
  await stored(storage);
  const other = new QueryClient();
  await persistQueries(other, 'boris', storage).restored;
  expect(other.getQueryCache().getAll()).toEqual([]);
});

test('a delayed write does not restore erased queries', async () => {
  const storage = memory();
  const { client, persistence } = await stored(storage);
  client.setQueryData(['test/passing', id], { ...passing, state: 2 });
  persistence.erase();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([...storage.map.keys()]).toEqual([]);
});

test('unused attempt data is not garbage-collected while the page is open', async () => {
  const { client } = await stored(memory());
  await vi.advanceTimersByTimeAsync(40 * 24 * 3_600_000);
  expect(client.getQueryData(['test/passing', id])).toEqual(passing);
});

test.each(['{', 'null', '[]', '{"clientState":{}}', '{"buster":"passing-1","timestamp":1}'])(
  'the broken content %s is logged and ignored',
  (text) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(parsePersisted(text).clientState.queries).toEqual([]);
    expect(warn).toHaveBeenCalledOnce();
  },
);

test('an invalid entry is dropped, the valid ones stay', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const storage = memory();
  await stored(storage);
  const text = storage.map.get('queries:anna') ?? '';
  const broken = text.replace('"leftTestTime":"00:24:51"', '"leftTestTime":25');
  expect(broken).not.toBe(text);
  expect(parsePersisted(broken).clientState.queries.map(({ queryKey }) => queryKey[0])).toEqual([
    'test/savedAnswers',
  ]);
});

test('each entry expires by its own age, and the newest forty remain', async () => {
  const storage = memory();
  const { client } = await stored(storage);
  await vi.advanceTimersByTimeAsync(20 * 24 * 3_600_000);
  client.setQueryData(['test/passing', 'later'], passing);
  await vi.advanceTimersByTimeAsync(1_100);
  const ids = () =>
    parsePersisted(storage.map.get('queries:anna') ?? '').clientState.queries.map(
      ({ queryKey }) => queryKey[1],
    );
  expect(ids()).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(11 * 24 * 3_600_000);
  expect(ids()).toEqual(['later']);
  for (let index = 0; index < 50; index += 1) {
    client.setQueryData(['test/passing', index], passing, { updatedAt: Date.now() + index });
  }
  await vi.advanceTimersByTimeAsync(1_100);
  expect(ids()).toEqual(Array.from({ length: 40 }, (_, index) => 49 - index));
});

test('oversized content is not parsed', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const parse = vi.spyOn(JSON, 'parse');
  expect(parsePersisted(' '.repeat(4_000_001)).clientState.queries).toEqual([]);
  expect(parse).not.toHaveBeenCalled();
  expect(warn).toHaveBeenCalledOnce();
});

test('an unknown attempt state is read as idle', async () => {
  const storage = memory();
  await stored(storage);
  const text = storage.map.get('queries:anna') ?? '';
  storage.setItem('queries:anna', text.replace('"state":1,', '"state":7,'));
  expect(storage.map.get('queries:anna')).not.toBe(text);
  const next = new QueryClient();
  await persistQueries(next, 'anna', storage).restored;
  expect(next.getQueryData(['test/passing', id])).toEqual({ ...passing, state: 0 });
});

test('a sign-in erases the persisted queries of other people', async () => {
  const storage = memory();
  await stored(storage, 'boris');
  storage.setItem('color-scheme', 'dark');
  forgetOtherQueries('anna', storage);
  expect([...storage.map.keys()]).toEqual(['color-scheme']);
});

test('a sign-out clears all queries except those of a continuing attempt', async () => {
  const { client } = await stored(memory());
  clearQueries(client, { keepAttempt: true });
  expect(
    client
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey[0]),
  ).toEqual(['test/passing', 'test/savedAnswers']);
  clearQueries(client, { keepAttempt: false });
  expect(client.getQueryCache().getAll()).toEqual([]);
});
