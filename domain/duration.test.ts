import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

test.each([
  [0, '00:00:00'],
  [59_999, '00:00:59'],
  [60_000, '00:01:00'],
  [3_599_999, '00:59:59'],
  [5_025_000, '01:23:45'],
  [100 * 3_600_000, '100:00:00'],
  [-1, '00:00:00'],
])('%i ms are %s on the wire', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('hours, minutes and seconds of the wire are milliseconds', () => {
  expect(parseDuration('01:23:45')).toBe(5_025_000);
  expect(parseDuration('00:00:07')).toBe(7_000);
  expect(parseDuration('48:00:00')).toBe(172_800_000);
});

test('whole seconds come back as they were', () => {
  fc.assert(
    fc.property(fc.nat(400_000), (seconds) => {
      expect(parseDuration(formatDuration(seconds * 1_000))).toBe(seconds * 1_000);
    }),
  );
});
