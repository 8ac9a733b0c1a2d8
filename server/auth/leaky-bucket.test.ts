import { expect, test } from 'vitest';
import { refuseFor, waitOf } from './leaky-bucket.ts';

const LIMIT = { atOnce: 10, forgivenMs: 60_000 };

test('one more is allowed while fewer than the limit are counted', () => {
  expect(waitOf(LIMIT, 9 * 60_000)).toBe(0);
  expect(waitOf(LIMIT, 10 * 60_000)).toBe(60_000);
  expect(waitOf(LIMIT, 0)).toBeLessThan(0);
});

test.each([
  [1, '1', '1 с'],
  [29_001, '30', '30 с'],
  [59_000, '59', '59 с'],
  [59_001, '60', '1 мин'],
  [60_001, '61', '2 мин'],
  [600_000, '600', '10 мин'],
])('a wait of %i ms is announced as %s seconds, «%s»', (waitMs, seconds, text) => {
  const refusal = refuseFor('TOO_MANY_LOGINS', 'Слишком много входов', waitMs);
  expect(refusal).toMatchObject({ code: 'TOO_MANY_LOGINS', retryAfterSeconds: Number(seconds) });
  expect(refusal.message.replaceAll('\u00A0', ' ')).toBe(
    `Слишком много входов. Попробуйте снова через ${text}`,
  );
});
