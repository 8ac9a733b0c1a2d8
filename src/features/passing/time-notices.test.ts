import { expect, test } from 'vitest';
import { dueThreshold, timeLeftMessage } from './time-notices.ts';

const MINUTE = 60_000;
const DEADLINE = 40 * MINUTE;
const at = (left: number, startedAt = 0) => ({
  startedAt,
  deadline: DEADLINE,
  now: DEADLINE - left,
});

test.each([
  [10 * MINUTE + 1, null],
  [10 * MINUTE, 10],
  [5 * MINUTE + 1, 10],
  [5 * MINUTE, 5],
  [MINUTE + 1, 5],
  [MINUTE, 1],
  [1, 1],
  [0, null],
  [-5, null],
])('with %d ms left the threshold to announce is %s', (left, threshold) => {
  expect(dueThreshold(at(left), null)).toBe(threshold);
});

test('a threshold is announced once per deadline, also across reloads', () => {
  expect(dueThreshold(at(5 * MINUTE), { deadline: DEADLINE, threshold: 10 })).toBe(5);
  expect(dueThreshold(at(4 * MINUTE), { deadline: DEADLINE, threshold: 5 })).toBeNull();
  expect(dueThreshold(at(MINUTE), { deadline: DEADLINE, threshold: 5 })).toBe(1);
  expect(dueThreshold(at(30_000), { deadline: DEADLINE, threshold: 1 })).toBeNull();
});

test('after a sleep past several thresholds only the last one is announced', () => {
  expect(dueThreshold(at(40_000), { deadline: DEADLINE, threshold: 10 })).toBe(1);
  expect(dueThreshold(at(3 * MINUTE), { deadline: DEADLINE, threshold: 1 })).toBeNull();
});

test('a moved deadline is announced again, at its own thresholds', () => {
  const before = { deadline: DEADLINE - 10 * MINUTE, threshold: 1 } as const;
  expect(dueThreshold(at(11 * MINUTE), before)).toBeNull();
  expect(dueThreshold(at(5 * MINUTE), before)).toBe(5);
  expect(dueThreshold(at(4 * MINUTE), before)).toBe(5);
});

test('a short test does not start with a warning, but its last minute is announced', () => {
  const started = DEADLINE - 4 * MINUTE;
  expect(dueThreshold(at(4 * MINUTE, started), null)).toBeNull();
  expect(dueThreshold(at(MINUTE, started), null)).toBe(1);
  expect(dueThreshold(at(20_000, DEADLINE - 20_000), null)).toBe(1);
});

test.each([
  [10 * MINUTE, 'Осталось 10 минут'],
  [5 * MINUTE - 400, 'Осталось 5 минут'],
  [3.2 * MINUTE, 'Осталось 4 минуты'],
  [MINUTE, 'Осталась 1 минута'],
  [20_000, 'Последняя минута'],
])('%d ms left is announced as «%s»', (left, message) => {
  expect(timeLeftMessage(left)).toBe(message);
});
