import { expect, test } from 'vitest';
import { rateLimit } from './rate-limit.ts';
import type { Refusal } from './refusal.ts';

const refusalOf = (call: () => void): Refusal | null => {
  try {
    call();
    return null;
  } catch (error) {
    return error as Refusal;
  }
};

test('the call above the limit is refused until the minute is over, for that account alone', () => {
  const count = rateLimit(3);
  for (let call = 0; call < 3; call += 1) count('anna', 1_000);
  const refusal = refusalOf(() => count('anna', 21_000));
  expect([refusal?.code, refusal?.retryAfterSeconds]).toEqual(['TOO_MANY_REQUESTS', 40]);
  expect(refusalOf(() => count('petr', 21_000))).toBeNull();
  expect(refusalOf(() => count('anna', 61_000))).toBeNull();
});

test('the cost of a call is counted, not the call', () => {
  const spend = rateLimit(100);
  for (const cost of [60, 40]) spend('anna', 1_000, cost);
  expect(refusalOf(() => spend('anna', 1_000, 1))?.code).toBe('TOO_MANY_REQUESTS');
});

test('a clock set back locks nobody out', () => {
  const count = rateLimit(1);
  count('anna', 1_000_000);
  expect(refusalOf(() => count('anna', 10_000))).toBeNull();
});
