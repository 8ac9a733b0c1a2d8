import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { every, together } from './every.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A chore whose rounds end when they are told to. */
function chore() {
  const begun: { end(): void; fail(error: Error): void; isStopped(): boolean }[] = [];
  const run = ({ isStopped }: { isStopped: () => boolean }) =>
    new Promise<void>((resolve, reject) => {
      begun.push({ end: resolve, fail: reject, isStopped });
    });
  return { begun, run };
}
const log = () => ({ error: vi.fn<(...words: unknown[]) => void>() });

test('begins when it is told, and again at its time', async () => {
  const { begun, run } = chore();
  const stop = every(log(), { what: 'sweeping', everyMs: 1_000, firstMs: 300, run });
  await vi.advanceTimersByTimeAsync(299);
  expect(begun).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  await vi.advanceTimersByTimeAsync(700);
  expect(begun).toHaveLength(2);
  begun[1]?.end();
  await stop();
});

test.each([
  [0, 1],
  [undefined, 0],
])('with a first time of %s it has begun %i times at once', async (firstMs, times) => {
  const { begun, run } = chore();
  const given = firstMs === undefined ? {} : { firstMs };
  const stop = every(log(), { what: 'sweeping', everyMs: 1_000, run, ...given });
  expect(begun).toHaveLength(times);
  begun[0]?.end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toHaveLength(times + 1);
  begun.at(-1)?.end();
  await stop();
});

test('a round that takes long takes the place of the next', async () => {
  const { begun, run } = chore();
  const stop = every(log(), { what: 'sweeping', everyMs: 1_000, run });
  await vi.advanceTimersByTimeAsync(3_500);
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  await vi.advanceTimersByTimeAsync(500);
  expect(begun).toHaveLength(2);
  begun[1]?.end();
  await stop();
});

test('a round that fails is logged and tried again at its time', async () => {
  const { begun, run } = chore();
  const told = log();
  const stop = every(told, { what: 'sweeping', everyMs: 1_000, firstMs: 0, run });
  const err = new Error('away');
  begun[0]?.fail(err);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told.error.mock.calls).toEqual([[{ err }, 'sweeping failed; tried again later']]);
  expect(begun).toHaveLength(2);
  begun[1]?.end();
  await stop();
});

test('stopping waits for the round under way, which hears of it, and no other begins', async () => {
  const { begun, run } = chore();
  const stop = every(log(), { what: 'sweeping', everyMs: 1_000, firstMs: 0, run });
  expect(begun[0]?.isStopped()).toBe(false);
  let isOver = false;
  const stopped = stop().then(() => (isOver = true));
  expect(begun[0]?.isStopped()).toBe(true);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([isOver, begun.length]).toEqual([false, 1]);
  begun[0]?.end();
  await stopped;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(begun).toHaveLength(1);
});

test('chores that never end hold the stop no longer than one of them', async () => {
  const chores = [chore(), chore(), chore()];
  const stop = together(
    chores.map(({ run }) => every(log(), { what: 'sweeping', everyMs: 1_000, firstMs: 0, run })),
  );
  let isOver = false;
  void stop().then(() => (isOver = true));
  expect(chores.map(({ begun }) => begun[0]?.isStopped())).toEqual([true, true, true]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isOver).toBe(true);
});
