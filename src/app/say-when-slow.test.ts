import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sayWhenSlow } from './say-when-slow.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const after = <T>(ms: number, end: () => T) =>
  new Promise<T>((resolve, reject) => {
    setTimeout(() => {
      try {
        resolve(end());
      } catch (error) {
        reject(error);
      }
    }, ms);
  });
const fail = () => {
  throw new Error('no storage');
};

test('slow work is reported once and still returns its result', async () => {
  const say = vi.fn<() => void>();
  const done = sayWhenSlow(
    after(5_000, () => 'app'),
    3_000,
    say,
  );
  await vi.advanceTimersByTimeAsync(2_999);
  expect(say).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(say).toHaveBeenCalledOnce();
  await expect(done).resolves.toBe('app');
});

test('what has ended is not said to be slow afterwards: a failure stays on the screen', async () => {
  const say = vi.fn<() => void>();
  const done = sayWhenSlow(
    after(1_000, () => 'app'),
    3_000,
    say,
  );
  const failed = sayWhenSlow(after(1_000, fail), 3_000, say).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await Promise.all([done, failed])).toEqual(['app', 'no storage']);
  expect(say).not.toHaveBeenCalled();
});
