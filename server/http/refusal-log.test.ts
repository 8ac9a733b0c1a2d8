import { expect, test } from 'vitest';
import { createRefusalLog, MAX_REFUSALS } from './refusal-log.ts';

const FORBIDDEN = { method: 'GET', route: '/api/x', status: 403, user: 'anna', code: 'FORBIDDEN' };
const MINUTE_MS = 60_000;

test('the first refusal of a kind in a minute is logged, and its repeats are counted afterwards', () => {
  const log = createRefusalLog();
  const first = [0, 1_000, 2_000].map((now) => log.isFirst(FORBIDDEN, now));
  expect(first).toEqual([true, false, false]);
  expect(log.isFirst({ ...FORBIDDEN, user: 'boris' }, 3_000)).toBe(true);
  expect(log.isFirst({ ...FORBIDDEN, status: 404, code: 'NOT_FOUND' }, 3_000)).toBe(true);
  expect(log.repeated(MINUTE_MS - 1)).toEqual([]);
  expect(log.repeated(MINUTE_MS)).toEqual([{ ...FORBIDDEN, times: 2 }]);
  expect(log.repeated(MINUTE_MS)).toEqual([]);
  expect(log.isFirst(FORBIDDEN, MINUTE_MS)).toBe(true);
});

test.each([
  { ...FORBIDDEN, status: 200, code: undefined },
  { ...FORBIDDEN, status: 409, code: 'TEST_CLOSED' },
  { ...FORBIDDEN, status: 503, code: 'UNAVAILABLE' },
  { ...FORBIDDEN, code: 'CONFIRMATION_REQUIRED' },
  { ...FORBIDDEN, code: 'SECOND_FACTOR_REQUIRED' },
])('$status $code is no refusal of that kind', ({ code, ...rest }) => {
  expect(createRefusalLog().isFirst({ ...rest, ...(code && { code }) }, 0)).toBe(false);
});

test('a flood of different refusals is a limited number of lines, and none is left uncounted', () => {
  const log = createRefusalLog();
  const first = Array.from({ length: 3 * MAX_REFUSALS }, (_, i) =>
    log.isFirst({ ...FORBIDDEN, user: `user ${i}` }, 0),
  );
  expect(first.filter(Boolean)).toHaveLength(MAX_REFUSALS);
  expect(log.repeated(MINUTE_MS)).toEqual([{ times: 2 * MAX_REFUSALS }]);
});
