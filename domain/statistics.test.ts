import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  alphaReading,
  binWidth,
  correlation,
  cronbachAlpha,
  deviation,
  discrimination,
  facility,
  gapFacility,
  histogram,
  itemReading,
  mean,
  median,
  standardError,
  totalsOf,
} from './statistics.ts';

/**
 * Section VI of the Law School Admission Test, 1000 persons × 5 items, as patterns of right and wrong
 * with their counts: Bock & Lieberman, Psychometrika 35 (1970), 179–197. Facility, correlation with the
 * rest and alpha as published in Rizopoulos, «ltm: An R Package for Latent Variable Modeling», Journal
 * of Statistical Software 17 (2006), issue 5.
 */
const LSAT: Readonly<Record<string, number>> = {
  '00000': 3,
  '00001': 6,
  '00010': 2,
  '00011': 11,
  '00100': 1,
  '00101': 1,
  '00110': 3,
  '00111': 4,
  '01000': 1,
  '01001': 8,
  '01011': 16,
  '01101': 3,
  '01110': 2,
  '01111': 15,
  '10000': 10,
  '10001': 29,
  '10010': 14,
  '10011': 81,
  '10100': 3,
  '10101': 28,
  '10110': 15,
  '10111': 80,
  '11000': 16,
  '11001': 56,
  '11010': 21,
  '11011': 173,
  '11100': 11,
  '11101': 61,
  '11110': 28,
  '11111': 298,
};

const lsatItems = [0, 1, 2, 3, 4].map((item) =>
  Object.entries(LSAT).flatMap(([pattern, count]) =>
    Array.from({ length: count }, () => Number(pattern[item])),
  ),
);

test.each([
  [1, 0.924, 0.1128],
  [2, 0.709, 0.1532],
  [3, 0.553, 0.1728],
  [4, 0.763, 0.1444],
  [5, 0.87, 0.1216],
])(
  'facility and discrimination of LSAT item %i are the published ones',
  (number, easy, published) => {
    const item = lsatItems[number - 1] ?? [];
    const rest = totalsOf(lsatItems.filter((other) => other !== item));
    expect(facility(item)).toBeCloseTo(easy, 10);
    expect(discrimination(item, rest)).toBeCloseTo(published, 4);
  },
);

test('alpha of the LSAT is the published one', () => {
  expect(lsatItems[0]).toHaveLength(1000);
  expect(cronbachAlpha(lsatItems)).toBeCloseTo(0.295, 4);
});

describe('by hand', () => {
  // Five attempts on three items of one point:
  //   A 1 1 1 = 3, B 1 1 0 = 2, C 1 0 0 = 1, D 0 0 0 = 0, E 1 1 1 = 3
  const items = [
    [1, 1, 1, 0, 1],
    [1, 1, 0, 0, 1],
    [1, 0, 0, 0, 1],
  ];

  test('mean, median and deviation of 3, 2, 1, 0, 3', () => {
    // Σ 9 / 5 = 1.8; in order 0 1 2 3 3; squares of 1.2 0.2 −0.8 −1.8 1.2: 1.44 + 0.04 + 0.64 + 3.24 + 1.44 = 6.8
    const totals = totalsOf(items);
    expect(totals).toEqual([3, 2, 1, 0, 3]);
    expect(mean(totals)).toBeCloseTo(1.8, 12);
    expect(median(totals)).toBe(2);
    expect(median([1, 2, 3, 10])).toBe(2.5);
    expect(deviation(totals)).toBeCloseTo(Math.sqrt(6.8 / 4), 12);
  });

  test('alpha is 1.5 · (1 − 0.8 / 1.7)', () => {
    // var of item 1 with p = 0.8: 5/4 · 0.16 = 0.2; items 2 and 3: p = 0.6 and 0.4, 5/4 · 0.24 = 0.3 each;
    // sum 0.8; var of totals 6.8 / 4 = 1.7; k / (k − 1) = 1.5
    expect(cronbachAlpha(items)).toBeCloseTo(1.5 * (1 - 0.8 / 1.7), 12);
  });

  test('discrimination of item 3 is 1.2 / √3.84', () => {
    // item 1 0 0 0 1 (mean 0.4), rest 2 2 1 0 2 (mean 1.4)
    // Σ dx·dy = 0.6·0.6 − 0.4·0.6 + 0.4·0.4 + 0.4·1.4 + 0.6·0.6 = 0.36 − 0.24 + 0.16 + 0.56 + 0.36 = 1.2
    // Σ dx² = 1.2; Σ dy² = 0.36 · 3 + 0.16 + 1.96 = 3.2; 1.2 / √3.84 = 0.6124
    expect(discrimination([1, 0, 0, 0, 1], [2, 2, 1, 0, 2])).toBeCloseTo(1.2 / Math.sqrt(3.84), 12);
  });

  test('the standard error of SD 5 and alpha 0.84 is 2', () => {
    // 5 · √0.16
    expect(standardError(5, 0.84)).toBeCloseTo(2, 12);
  });

  test('points of 40 fall into ten bins of 4, the last with its end', () => {
    const bins = histogram([0, 3.99, 4, 39, 40, 40], 40);
    expect(bins).toHaveLength(10);
    expect(bins[0]).toEqual({ from: 0, to: 4, count: 2 });
    expect(bins[1]).toEqual({ from: 4, to: 8, count: 1 });
    expect(bins[9]).toEqual({ from: 36, to: 40, count: 3 });
  });

  test.each([
    [0, 1],
    [1, 0.1],
    [3, 0.5],
    [10, 1],
    [17, 2],
    [40, 4],
    [45, 5],
    [100, 10],
    [101, 20],
  ])('a maximum of %d is cut by %d', (most, width) => {
    expect(binWidth(most)).toBe(width);
  });
});

const score = fc.integer({ min: 0, max: 400 }).map((value) => value / 4);
const scores = fc.array(score, { minLength: 2, maxLength: 40 });
const pairs = fc.array(fc.tuple(score, score), { minLength: 2, maxLength: 40 });
const matrix = fc
  .tuple(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 2, max: 20 }))
  .chain(([items, attempts]) =>
    fc.array(fc.array(score, { minLength: attempts, maxLength: attempts }), {
      minLength: items,
      maxLength: items,
    }),
  );

describe('whatever the scores', () => {
  test('correlation stays within −1 and 1, is symmetric, and knows neither scale nor origin', () => {
    fc.assert(
      fc.property(pairs, fc.integer({ min: 1, max: 9 }), (given, scale) => {
        const x = given.map(([value]) => value);
        const y = given.map(([, value]) => value);
        const r = correlation(x, y);
        if (r === null) return;
        expect(Math.abs(r)).toBeLessThanOrEqual(1);
        expect(correlation(y, x)).toBeCloseTo(r, 9);
        expect(
          correlation(
            x.map((value) => scale * value + 5),
            y,
          ),
        ).toBeCloseTo(r, 9);
      }),
    );
  });

  test('alpha is at most 1 and does not depend on the order of items or attempts', () => {
    fc.assert(
      fc.property(matrix, (items) => {
        const alpha = cronbachAlpha(items);
        if (alpha === null) return;
        expect(alpha).toBeLessThanOrEqual(1 + 1e-9);
        expect(cronbachAlpha(items.toReversed())).toBeCloseTo(alpha, 6);
        expect(cronbachAlpha(items.map((item) => item.toReversed()))).toBeCloseTo(alpha, 6);
      }),
    );
  });

  test('a test and its copy agree wholly: alpha of k equal items is 1', () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: 2, max: 6 }), (values, k) => {
        fc.pre(new Set(values).size > 1);
        expect(cronbachAlpha(Array.from({ length: k }, () => values))).toBeCloseTo(1, 6);
      }),
    );
  });

  test('the standard error is between 0 and the deviation', () => {
    fc.assert(
      fc.property(score, fc.double({ min: 0, max: 1, noNaN: true }), (spread, alpha) => {
        const error = standardError(spread, alpha) ?? -1;
        expect(error).toBeGreaterThanOrEqual(0);
        expect(error).toBeLessThanOrEqual(spread);
      }),
    );
  });

  test('every value lies in one bin, within its bounds, and there are at most ten bins', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 50 }),
        fc.integer({ min: 0, max: 100_000 }),
        (hundredths, extra) => {
          const values = hundredths.map((value) => value / 100);
          const most = (Math.max(0, ...hundredths) + extra) / 100;
          const bins = histogram(values, most);
          expect(bins.length).toBeLessThanOrEqual(10);
          expect(bins.reduce((total, bin) => total + bin.count, 0)).toBe(values.length);
          for (const [i, { from, to, count }] of bins.entries()) {
            const isLast = i === bins.length - 1;
            const within = values.filter((value) => value >= from && (value < to || isLast));
            expect(within).toHaveLength(count);
            if (i > 0) expect(bins[i - 1]?.to).toBe(from);
          }
          expect(bins.at(-1)?.to).toBeGreaterThanOrEqual(most);
        },
      ),
    );
  });
});

describe('with too few data', () => {
  test('no attempts give no figures', () => {
    expect([mean([]), median([]), deviation([]), facility([])]).toEqual([null, null, null, null]);
    expect([correlation([], []), cronbachAlpha([]), cronbachAlpha([[], []])]).toEqual([
      null,
      null,
      null,
    ]);
    expect(histogram([], 0)).toEqual([{ from: 0, to: 1, count: 0 }]);
  });

  test('one attempt has a mean and no spread', () => {
    expect([mean([7]), median([7]), deviation([7])]).toEqual([7, 7, null]);
    expect([correlation([1], [2]), cronbachAlpha([[1], [2]])]).toEqual([null, null]);
  });

  test('scores that never vary have no correlation and no alpha', () => {
    expect(correlation([1, 1, 1], [1, 2, 3])).toBeNull();
    expect(correlation([0.1, 0.1, 0.1], [1, 2, 3])).toBeNull();
    expect(
      cronbachAlpha([
        [1, 1],
        [0, 0],
      ]),
    ).toBeNull();
    expect(cronbachAlpha([[1, 2, 3]])).toBeNull();
  });

  test('a negative alpha has no standard error', () => {
    expect(standardError(5, -0.2)).toBeNull();
    expect([standardError(null, 0.8), standardError(5, null)]).toEqual([null, null]);
  });
});

describe('readings', () => {
  const item = { graded: 28, maxPoints: 1, facility: 0.5, discrimination: 0.4 };

  test.each([
    ['works', {}],
    ['works', { discrimination: 0.2 }],
    ['weak', { discrimination: 0.19 }],
    ['weak', { discrimination: 0 }],
    ['checkKey', { discrimination: -0.01 }],
    ['tooEasy', { facility: 0.9 }],
    ['tooEasy', { facility: 0.96, discrimination: -0.05 }],
    ['tooEasy', { facility: 1, discrimination: null }],
    ['tooHard', { facility: 0.1 }],
    ['tooHard', { facility: 0, discrimination: null }],
    ['checkKey', { facility: 0.05, discrimination: -0.3 }],
    ['tooFew', { graded: 9 }],
    ['tooFew', { graded: 9, facility: 1 }],
    ['tooFew', { graded: 0, facility: null, discrimination: null }],
    ['tooFew', { discrimination: null }],
    ['unscored', { maxPoints: 0, facility: null, discrimination: null }],
  ] as const)('%s: %j', (reading, figures) => {
    expect(itemReading({ ...item, ...figures })).toBe(reading);
  });

  test.each([
    [0.95, 'veryHigh'],
    [0.81, 'high'],
    [0.7, 'enough'],
    [0.5, 'modest'],
    [0.49, 'low'],
    [-0.1, 'negative'],
  ] as const)('a reliability of %d is %s', (alpha, reading) => {
    expect(alphaReading(alpha)).toBe(reading);
  });
});

test('a bound belongs to the better verdict', () => {
  expect([0.9, 0.8, 0.7, 0.5, 0].map(alphaReading)).toEqual([
    'veryHigh',
    'high',
    'enough',
    'modest',
    'low',
  ]);
  const item = { graded: 10, maxPoints: 1, facility: 0.5, discrimination: 0.2 };
  expect(itemReading(item)).toBe('works');
  expect(itemReading({ ...item, graded: 9 })).toBe('tooFew');
  expect(itemReading({ ...item, discrimination: null })).toBe('tooFew');
});

test('sides of different length have no correlation, nor has a side that never varies', () => {
  expect(correlation([1, 2, 3], [1, 2])).toBeNull();
  expect(correlation([1, 2, 3], [5, 5, 5])).toBeNull();
  expect(correlation([5, 5, 5], [1, 2, 3])).toBeNull();
  expect(correlation([], [])).toBeNull();
});

test('the facility of a gap is the mean of what it earns, over those who left it empty, too', () => {
  const answers = [
    { share: 1, count: 3 },
    { share: 0.5, count: 2 },
    { share: 0, count: 4 },
  ];
  expect(gapFacility(answers, 10)).toBeCloseTo(0.4, 10);
  expect([gapFacility([], 5), gapFacility([], 0)]).toEqual([0, null]);
});
