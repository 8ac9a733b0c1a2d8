import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clipPeriods, lengthOf, subtractPeriods, unitePeriods } from './periods.ts';

const period = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: -5, max: 20 }))
  .map(([from, length]) => ({ from, to: from + length }));
const periods = fc.array(period, { maxLength: 8 });

/** The whole units that periods cover. */
const unitsOf = (given: readonly { from: number; to: number }[]) =>
  Array.from({ length: 100 }, (_, unit) => unit).filter((unit) =>
    given.some(({ from, to }) => from <= unit && unit < to),
  );

test('united periods cover the same time, sorted and apart', () => {
  fc.assert(
    fc.property(periods, (given) => {
      const united = unitePeriods(given);
      expect(unitsOf(united)).toEqual(unitsOf(given));
      expect(lengthOf(united)).toBe(unitsOf(given).length);
      for (const [index, { from }] of united.slice(1).entries())
        expect(from).toBeGreaterThan(united[index]?.to ?? Infinity);
    }),
  );
});

test('subtracted periods cover what the others do not, clipped ones what lies within', () => {
  fc.assert(
    fc.property(periods, periods, period, (given, others, within) => {
      const gone = new Set(unitsOf(others));
      expect(unitsOf(subtractPeriods(given, others))).toEqual(
        unitsOf(given).filter((unit) => !gone.has(unit)),
      );
      const inside = new Set(unitsOf([within]));
      expect(unitsOf(clipPeriods(given, within))).toEqual(
        unitsOf(given).filter((unit) => inside.has(unit)),
      );
    }),
  );
});
