import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENCE_MS, silenceOf, type OperationDelivery } from './silence.ts';

const MINUTE = 60_000;

/** An operation by minutes. */
const sent = (
  writtenAt: number | null,
  receivedAt: number,
  seenServerAt: number | null = null,
): OperationDelivery => ({
  writtenAt: writtenAt === null ? null : writtenAt * MINUTE,
  receivedAt: receivedAt * MINUTE,
  seenServerAt: seenServerAt === null ? null : seenServerAt * MINUTE,
});
const minutesOf = (deliveries: readonly OperationDelivery[]) =>
  silenceOf(deliveries).periods.map(({ from, to }) => [from / MINUTE, to / MINUTE]);

test.each<[string, OperationDelivery[], number[][]]>([
  ['nothing was written', [], []],
  ['everything arrived at once', [sent(0, 0), sent(1, 2)], []],
  ['a queue arrived together', [sent(2, 90), sent(30, 90), sent(50, 90)], [[2, 90]]],
  ['the newest of a queue arrived first', [sent(30, 90), sent(2, 90.001)], [[2, 90]]],
  [
    'it happened twice',
    [sent(2, 10), sent(11, 11), sent(20, 30)],
    [
      [2, 10],
      [20, 30],
    ],
  ],
  [
    'only a file was under way while other answers arrived',
    [sent(0, 5), sent(1, 1), sent(2, 2), sent(3, 3), sent(4, 4)],
    [],
  ],
  ['the age is unknown, from the last contact', [sent(null, 45, 3)], [[3, 45]]],
  ['the age is unknown, and nothing else', [sent(null, 45)], []],
])('silence when %s', (_, deliveries, expected) => {
  expect(minutesOf(deliveries)).toEqual(expected);
});

test('one operation without its age makes the ages unknown', () => {
  expect(silenceOf([sent(0, 1)]).isAgeUnknown).toBe(false);
  expect(silenceOf([sent(0, 1), sent(null, 2)]).isAgeUnknown).toBe(true);
});

test('silences are apart, longer than a minute, and contain no arrival', () => {
  const delivery = fc
    .record({
      writtenAt: fc.option(fc.integer({ min: 0, max: 1_000 })),
      delay: fc.integer({ min: 0, max: 500 }),
    })
    .map(({ writtenAt, delay }) => ({
      writtenAt: writtenAt === null ? null : writtenAt * 1_000,
      seenServerAt: null,
      receivedAt: ((writtenAt ?? 500) + delay) * 1_000,
    }));
  fc.assert(
    fc.property(fc.array(delivery, { maxLength: 12 }), (deliveries) => {
      const { periods } = silenceOf(deliveries);
      for (const [index, { from, to }] of periods.entries()) {
        expect(to - from).toBeGreaterThan(SILENCE_MS);
        expect(from).toBeGreaterThanOrEqual(periods[index - 1]?.to ?? -Infinity);
        expect(deliveries.some(({ receivedAt }) => receivedAt > from && receivedAt < to)).toBe(
          false,
        );
      }
    }),
  );
});
