import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countSelected, selectVariants, drawCount, placeId } from './variants.ts';

const alone = (questionId: string) => ({ questionId });
const one = (questionId: string, variantOf: string) => ({ questionId, variantOf });

const questions = [
  alone('a'),
  one('b1', 'b'),
  one('b2', 'b'),
  one('b3', 'b'),
  alone('c'),
  one('d1', 'd'),
  one('d2', 'd'),
];
const ids = (draw: number) => selectVariants(questions, draw).map(({ questionId }) => questionId);

test('an attempt gets one of the alternatives, in their place', () => {
  expect(ids(0)).toEqual(['a', 'b1', 'c', 'd1']);
  expect(ids(1)).toEqual(['a', 'b2', 'c', 'd2']);
  expect(ids(2)).toEqual(['a', 'b3', 'c', 'd1']);
  expect(ids(3)).toEqual(ids(0).with(3, 'd2'));
  expect(countSelected(questions)).toBe(4);
  expect(drawCount(questions)).toBe(3);
});

test('without alternatives everybody gets everything', () => {
  expect(drawCount([alone('a'), alone('b')])).toBe(1);
  expect(selectVariants([alone('a'), alone('b')], 17)).toEqual([alone('a'), alone('b')]);
  expect(drawCount([])).toBe(1);
});

test('whatever the draw, each place has one question', () => {
  const anyQuestions = fc
    .uniqueArray(fc.nat(50), { maxLength: 20 })
    .chain((numbers) =>
      fc.tuple(
        ...numbers.map((number) =>
          fc
            .option(fc.constantFrom('x', 'y'), { nil: undefined })
            .map((variantOf) =>
              variantOf === undefined ? alone(`q${number}`) : one(`q${number}`, variantOf),
            ),
        ),
      ),
    );
  fc.assert(
    fc.property(anyQuestions, fc.nat(1_000), (given, draw) => {
      const selected = selectVariants(given, draw);
      expect(selected.length).toBe(countSelected(given));
      expect(new Set(selected.map(placeId)).size).toBe(selected.length);
    }),
  );
});
