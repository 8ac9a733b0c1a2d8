import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Board } from '#contract/board.ts';
import { createBoardWatch, type BoardWatcher } from './watch.ts';

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

/** A watch over a mutable `state`, with the number of its reads and the lines of its log. */
function watched() {
  const state = { board: board(0) as Board | null, reads: 0, fails: false };
  const read = async () => {
    state.reads += 1;
    if (state.fails) throw new Error('no database');
    return state.board;
  };
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
  return { state, logged, watch: createBoardWatch(read, log) };
}

function listener() {
  const received: string[] = [];
  const watcher: BoardWatcher = {
    changed: ({ rows }) => void received.push(`${rows[0]?.answered}`),
    unchanged: () => void received.push('same'),
    over: () => void received.push('over'),
  };
  return { received, watcher };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('one loop serves all watchers of a test, once a second, and stops with the last of them', async () => {
  const { state, watch } = watched();
  // A server that has run for a while.
  await pass(5_000);
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

test('who leaves twice does not end the loop of the next watchers', async () => {
  const { state, watch } = watched();
  const leave = watch.watch('test', listener().watcher);
  leave();
  const { received, watcher } = listener();
  watch.watch('test', watcher);
  await pass(0);
  leave();
  expect(watch.size()).toBe(1);
  state.board = board(0, { answered: 1 });
  await pass(1_000);
  expect(received).toEqual(['0', '1']);
});

test('a watcher that leaves while the board is read is sent nothing, and it is not read again', async () => {
  const { reads, watch } = slowlyWatched(600);
  const { received, watcher } = listener();
  const leave = watch.watch('test', watcher);
  await pass(300);
  leave();
  await pass(60_000);
  expect([received, reads()]).toEqual([[], 1]);
});

test('a change is sent within a second; while nothing changes, that is sent every 10 s', async () => {
  const { state, watch } = watched();
  const { received, watcher } = listener();
  watch.watch('test', watcher);
  await pass(0);
  await pass(9_500);
  expect(received).toEqual(['0']);
  await pass(21_500);
  expect(received).toEqual(['0', 'same', 'same', 'same']);
  state.board = board(31_000, { answered: 1 });
  await pass(1_000);
  expect(received.at(-1)).toBe('1');
});

test('repeated contact of devices is sent every 5 s, not every second', async () => {
  const { state, watch } = watched();
  const { received, watcher } = listener();
  watch.watch('test', watcher);
  for (let second = 0; second < 20; second += 1) {
    await pass(1_000);
    const lastSeenAt = new Date(START + second * 1_000).toISOString();
    state.board = board(second * 1_000, { lastSeenAt, unsentAt: lastSeenAt });
  }
  expect(received).toEqual(['0', '0', '0', '0', '0']);
});

test('a newer report of unsent answers is sent at once, and one of none with the times of contact', async () => {
  const { state, watch } = watched();
  const { received, watcher } = listener();
  const saysAt = (at: number, unsent: number) => {
    state.board = board(at, { unsent, unsentAt: new Date(START + at).toISOString() });
  };
  saysAt(0, 2);
  watch.watch('test', watcher);
  await pass(0);
  saysAt(1_000, 2);
  await pass(1_000);
  expect(received).toEqual(['0', '0']);
  saysAt(2_000, 0);
  await pass(1_000);
  expect(received).toEqual(['0', '0', '0']);
  saysAt(3_000, 0);
  await pass(1_000);
  expect(received).toEqual(['0', '0', '0']);
});

test('reading a slow board uses a sixtieth of the time, with pauses of at most 10 s', async () => {
  const reads: number[] = [];
  let takes = 100;
  const read = async () => {
    reads.push(Date.now());
    await new Promise((resolve) => setTimeout(resolve, takes));
    return board(0);
  };
  createBoardWatch(read, pino({ level: 'silent' })).watch('test', listener().watcher);
  await pass(18_500);
  expect(reads.map((at) => at - (reads[0] ?? 0))).toEqual([0, 6_000, 12_000, 18_000]);
  takes = 60_000;
  reads.length = 0;
  await pass(150_000);
  expect(reads.map((at) => at - (reads[0] ?? 0))).toEqual([0, 70_000, 140_000]);
});

test('a later watcher gets the board at once', async () => {
  const { watch } = watched();
  watch.watch('test', listener().watcher);
  await pass(1_500);
  const { received, watcher } = listener();
  watch.watch('test', watcher);
  expect(received).toEqual(['0']);
});

/** A watch with slow reads that show the state at their beginning. */
function slowlyWatched(takes: number) {
  const state = { answered: 0 };
  let reads = 0;
  const read = async () => {
    reads += 1;
    const { answered } = state;
    await new Promise((resolve) => setTimeout(resolve, takes));
    return board(0, { answered });
  };
  return { state, reads: () => reads, watch: createBoardWatch(read, pino({ level: 'silent' })) };
}

test.each([600, 2_000, 5_000, 9_000])(
  'a board that takes %i ms to read sends updates before the app calls it stale after 20 s',
  async (takes) => {
    const sent: number[] = [];
    const note = () => void sent.push(Date.now());
    slowlyWatched(takes).watch.watch('test', { changed: note, unchanged: note, over: note });
    await pass(120_000);
    const gaps = sent.slice(1).map((at, index) => at - (sent[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(4);
    expect(Math.max(...gaps)).toBeLessThan(20_000);
  },
);

test('what a teacher changed is shown at once on a board that rests, or by a read of its own on one that is being read', async () => {
  const { state, watch } = slowlyWatched(600);
  const { received, watcher } = listener();
  watch.watch('test', watcher);
  await pass(3_000);
  state.answered = 1;
  watch.refresh('test');
  await pass(700);
  expect(received).toEqual(['0', '1']);
  watch.refresh('test');
  await pass(300);
  state.answered = 2;
  watch.refresh('test');
  await pass(1_000);
  expect(received).toEqual(['0', '1', '2']);
  watch.refresh('другой');
});

test('a new watcher of a board that rests is shown it, and a fresh one as soon as it is read', async () => {
  const { state, watch } = slowlyWatched(600);
  watch.watch('test', listener().watcher);
  await pass(5_000);
  state.answered = 1;
  const { received, watcher } = listener();
  watch.watch('test', watcher);
  expect(received).toEqual(['0']);
  await pass(700);
  expect(received).toEqual(['0', '1']);
});

test('a new watcher of a board of the last two seconds causes no further read', async () => {
  const { reads, watch } = slowlyWatched(600);
  watch.watch('test', listener().watcher);
  await pass(2_000);
  watch.watch('test', listener().watcher);
  await pass(1_000);
  expect(reads()).toBe(1);
});

test('while the board cannot be read nothing is sent, not even «unchanged»', async () => {
  const { state, watch, logged } = watched();
  const { received, watcher } = listener();
  watch.watch('test', watcher);
  await pass(0);
  state.fails = true;
  await pass(120_000);
  expect(received).toEqual(['0']);
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({
    msg: 'a board could not be read; tried again',
    err: { message: 'no database' },
  });
  state.fails = false;
  await pass(1_000);
  expect(received).toEqual(['0', 'same']);
});

test('the deletion of a test ends it', async () => {
  const { state, watch } = watched();
  const { received, watcher } = listener();
  watch.watch('test', watcher);
  await pass(0);
  state.board = null;
  await pass(1_000);
  expect(received).toEqual(['0', 'over']);
});

test('a watcher that leaves when the test is deleted ends the reads', async () => {
  const { state, watch } = watched();
  state.board = null;
  const leave = watch.watch('test', { ...listener().watcher, over: () => leave() });
  await pass(60_000);
  expect([watch.size(), state.reads]).toEqual([0, 1]);
});
