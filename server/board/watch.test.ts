import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Board } from '#contract/board.ts';
import { createBoardWatch, type Watcher } from './watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const START = Date.parse('2026-03-02T06:00:00.000Z');

const board = (at: number, row: Partial<Board['rows'][number]> = {}): Board => ({
  testId: 'test',
  title: 'Законы Ньютона',
  serverTime: new Date(START + at).toISOString(),
  startTime: null,
  endTime: null,
  trials: 0,
  rows: [
    {
      userId: 'anna',
      userName: 'Кузнецова Анна',
      groups: [],
      attemptId: 'attempt',
      attemptNumber: 1,
      trial: false,
      state: 'running',
      startedAt: null,
      deadline: null,
      countsUntil: null,
      finishedAt: null,
      answered: 0,
      totalQuestions: 6,
      lastSeenAt: null,
      unsent: 0,
      unsentAt: null,
      unsentSince: null,
      filesUnderway: 0,
      held: 0,
      devices: 1,
      ...row,
    },
  ],
});

/** A watch over what `state` says now, and how often it was read. */
function watched() {
  const state = { board: board(0) as Board | null, reads: 0, fails: false };
  const read = async () => {
    state.reads += 1;
    if (state.fails) throw new Error('no database');
    return state.board;
  };
  return { state, watch: createBoardWatch(read, pino({ level: 'silent' })) };
}

function listener() {
  const heard: string[] = [];
  const watcher: Watcher = {
    changed: ({ rows }) => void heard.push(`${rows[0]?.answered}`),
    unchanged: () => void heard.push('same'),
    over: () => void heard.push('over'),
  };
  return { heard, watcher };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('one loop serves all watchers of a test, once a second, and stops with the last of them', async () => {
  const { state, watch } = watched();
  const leave = [listener(), listener(), listener()].map(({ watcher }) =>
    watch.watch('test', watcher),
  );
  await pass(10_000);
  expect(state.reads).toBe(11);
  leave[0]?.();
  leave[1]?.();
  expect(watch.size()).toBe(1);
  leave[2]?.();
  leave[2]?.();
  expect(watch.size()).toBe(0);
  await pass(60_000);
  expect(state.reads).toBe(11);
});

test('a change is told within a second; while nothing changes, that is told every 15 s', async () => {
  const { state, watch } = watched();
  const { heard, watcher } = listener();
  watch.watch('test', watcher);
  await pass(0);
  expect(heard).toEqual(['0']);
  await pass(31_000);
  expect(heard).toEqual(['0', 'same', 'same']);
  state.board = board(31_000, { answered: 1 });
  await pass(1_000);
  expect(heard.at(-1)).toBe('1');
});

test('devices that are heard again and again are told every 5 s, not every second', async () => {
  const { state, watch } = watched();
  const { heard, watcher } = listener();
  watch.watch('test', watcher);
  for (let second = 0; second < 20; second += 1) {
    await pass(1_000);
    const lastSeenAt = new Date(START + second * 1_000).toISOString();
    state.board = board(second * 1_000, { lastSeenAt, unsentAt: lastSeenAt });
  }
  expect(heard).toEqual(['0', '0', '0', '0', '0']);
});

test('who joins later gets the board at once', async () => {
  const { watch } = watched();
  watch.watch('test', listener().watcher);
  await pass(1_500);
  const { heard, watcher } = listener();
  watch.watch('test', watcher);
  expect(heard).toEqual(['0']);
});

test('while the board cannot be read nothing is told, not even that all is as before', async () => {
  const { state, watch } = watched();
  const { heard, watcher } = listener();
  watch.watch('test', watcher);
  await pass(0);
  state.fails = true;
  await pass(120_000);
  expect(heard).toEqual(['0']);
  state.fails = false;
  await pass(1_000);
  expect(heard).toEqual(['0', 'same']);
});

test('a test that is deleted ends it', async () => {
  const { state, watch } = watched();
  const { heard, watcher } = listener();
  watch.watch('test', watcher);
  await pass(0);
  state.board = null;
  await pass(1_000);
  expect(heard).toEqual(['0', 'over']);
});
