import { expect, test } from 'vitest';
import { ApiFailure } from '#app/api/failure.ts';
import { createQueryClient, retryDelay, shouldRetry } from './query-client.ts';

const failure = (parts: { kind: ApiFailure['kind']; status?: number }) =>
  new ApiFailure({ method: 'GET', url: '/api/Test/my', ...parts });

test('retries wait one second, doubling, at most thirty', () => {
  expect([0, 1, 2, 4, 5, 9].map(retryDelay)).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000]);
});

test.each([
  failure({ kind: 'unreachable' }),
  failure({ kind: 'notOurs' }),
  failure({ kind: 'refused', status: 500 }),
  failure({ kind: 'refused', status: 503 }),
  failure({ kind: 'refused', status: 429 }),
  failure({ kind: 'refused', status: 408 }),
  failure({ kind: 'notOurs', status: 502 }),
])('a failed query is tried three times more (%#)', (error) => {
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, error))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test.each([401, 403, 404, 410])('a final status %d is not retried', (status) => {
  expect(shouldRetry(0, failure({ kind: 'refused', status }))).toBe(false);
});

test('mutations are never retried automatically, unused data is collected after five minutes', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(mutations?.retry).toBe(false);
  expect(queries?.gcTime).toBe(300_000);
});
