import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scheduleJob, stopAll } from './schedule.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A job with rounds that end on demand. */
function chore() {
  const begun: { end(): void; fail(error: Error): void; isStopped(): boolean }[] = [];
  const run = ({ isStopped }: { isStopped: () => boolean }) =>
    new Promise<void>((resolve, reject) => {
      begun.push({ end: resolve, fail: reject, isStopped });
    });
  return { begun, run };
}
const log = () => ({ error: vi.fn<(...words: unknown[]) => void>() });

test('begins after its delay, and again at its interval', async () => {
  const { begun, run } = chore();
  const stop = scheduleJob(log(), { what: 'sweeping', everyMs: 1_000, firstMs: 300, run });
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
  const stop = scheduleJob(log(), { what: 'sweeping', everyMs: 1_000, run, ...given });
  expect(begun).toHaveLength(times);
  begun[0]?.end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toHaveLength(times + 1);
  begun.at(-1)?.end();
  await stop();
});

test('a long round replaces the next', async () => {
  const { begun, run } = chore();
  const stop = scheduleJob(log(), { what: 'sweeping', everyMs: 1_000, run });
  await vi.advanceTimersByTimeAsync(3_500);
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  await vi.advanceTimersByTimeAsync(500);
  expect(begun).toHaveLength(2);
  begun[1]?.end();
  await stop();
});

test('a failed round is logged and tried again at its time', async () => {
  const { begun, run } = chore();
  const logger = log();
  const stop = scheduleJob(logger, { what: 'sweeping', everyMs: 1_000, firstMs: 0, run });
  const err = new Error('away');
  begun[0]?.fail(err);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(logger.error.mock.calls).toEqual([[{ err }, 'sweeping failed; tried again later']]);
  expect(begun).toHaveLength(2);
  begun[1]?.end();
  await stop();
});

test('stopping waits for the running round, which gets the signal, and no other begins', async () => {
  const { begun, run } = chore();
  const stop = scheduleJob(log(), { what: 'sweeping', everyMs: 1_000, firstMs: 0, run });
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

test('jobs that never end delay the stop no longer than one of them', async () => {
  const chores = [chore(), chore(), chore()];
  const stop = stopAll(
    chores.map(({ run }) =>
      scheduleJob(log(), { what: 'sweeping', everyMs: 1_000, firstMs: 0, run }),
    ),
  );
  let isOver = false;
  void stop().then(() => (isOver = true));
  expect(chores.map(({ begun }) => begun[0]?.isStopped())).toEqual([true, true, true]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isOver).toBe(true);
});
