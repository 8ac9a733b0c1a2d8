import {
  mean as meanOf,
  median as medianOf,
  sampleCorrelation,
  sampleStandardDeviation,
  sampleVariance,
  sum,
} from 'simple-statistics';

/** With fewer graded attempts the figures show chance rather than a property of the question. */
export const FEWEST_ATTEMPTS = 10;
const TOO_EASY = 0.9;
const TOO_HARD = 0.1;
const WEAK = 0.2;
/** More bars are hard to read. */
const BINS = 10;

/** Arithmetic mean; null: no values. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : meanOf([...values]);

/** The median; null: no values. */
export const median = (values: readonly number[]): number | null =>
  values.length === 0 ? null : medianOf([...values]);

/**
 * Sample standard deviation, as in Moodle's quiz statistics («Standard deviation»); null: fewer than two
 * values.
 */
export const deviation = (values: readonly number[]): number | null =>
  values.length < 2 ? null : sampleStandardDeviation([...values]);

/**
 * Facility index: mean of score / maximum, 0 to 1. For items of right or wrong it is the item
 * difficulty p of Crocker & Algina, «Introduction to Classical and Modern Test Theory» (1986), ch. 14;
 * for the rest the «facility index» of Moodle's quiz statistics.
 * @param shares score of each graded attempt as a part of the item's maximum
 * @returns null: no graded attempt
 */
export function facility(shares: readonly number[]): number | null {
  return mean(shares);
}

/**
 * Facility index of one gap, as if it were an item: mean share of the gap's own points, 0 to 1; an empty gap earns
 * nothing. Moodle's response analysis also treats the parts of a Cloze question one by one.
 * @param answers the share that each answer earns, and how often it was given
 * @param graded number of attempts in which the question is graded
 * @returns null: no graded attempt
 */
export function gapFacility(
  answers: readonly { readonly share: number; readonly count: number }[],
  graded: number,
): number | null {
  return graded === 0 ? null : sum(answers.map(({ share, count }) => share * count)) / graded;
}

/** A smaller variance is a rounding error of equal values. */
const NO_SPREAD = 1e-12;

const varies = (values: readonly number[]): boolean =>
  values.length > 1 && sampleVariance([...values]) > NO_SPREAD;

/**
 * Pearson's product-moment correlation, −1 to 1; null: fewer than two pairs, or one side never varies.
 * @param x of the same length as `y`, in the same order
 */
export function correlation(x: readonly number[], y: readonly number[]): number | null {
  if (x.length !== y.length || !varies(x) || !varies(y)) return null;
  return Math.max(-1, Math.min(1, sampleCorrelation([...x], [...y])));
}

/**
 * Discrimination: correlation of the item with the rest of the test (the item itself left out, so
 * that it does not agree with itself). «Corrected item–total correlation», Crocker & Algina (1986),
 * ch. 14; «Discrimination index» of Moodle's quiz statistics. Attempts in which the item is
 * ungraded are to be left out by the caller.
 * @param shares score of the item in each attempt as a part of its maximum
 * @param rest score of the other graded items in the same attempts as a part of their maximum
 */
export function discrimination(shares: readonly number[], rest: readonly number[]): number | null {
  return correlation(shares, rest);
}

/**
 * Cronbach's alpha, k / (k − 1) · (1 − Σ var(item) / var(total)); Cronbach, «Coefficient alpha and
 * the internal structure of tests», Psychometrika 16 (1951), 297–334. At most 1, below 0 when items
 * contradict each other.
 * @param items scores by item, each over the same attempts in the same order, all of them graded
 * @returns null: fewer than two items or attempts, or totals that never vary
 */
export function cronbachAlpha(items: readonly (readonly number[])[]): number | null {
  const totals = totalsOf(items);
  if (items.length < 2 || !varies(totals)) return null;
  const ofItems = sum(items.map((scores) => sampleVariance([...scores])));
  return (items.length / (items.length - 1)) * (1 - ofItems / sampleVariance(totals));
}

/** Sum over all items, by attempt. */
export function totalsOf(items: readonly (readonly number[])[]): number[] {
  const attempts = items[0]?.length ?? 0;
  return Array.from({ length: attempts }, (_, attempt) =>
    items.reduce((total, scores) => total + (scores[attempt] ?? 0), 0),
  );
}

/**
 * Standard error of measurement, SD · √(1 − reliability), in points; Crocker & Algina (1986), ch. 6; Ebel &
 * Frisbie, «Essentials of Educational Measurement» (1991), ch. 5.
 * @returns null: either is unknown, or the reliability is negative, so the error is undefined
 */
export function standardError(spread: number | null, alpha: number | null): number | null {
  if (spread === null || alpha === null || alpha < 0) return null;
  return spread * Math.sqrt(Math.max(0, 1 - alpha));
}

const STEPS = [1, 2, 4, 5, 10] as const;
/** Round widths for tenths, without multiples of four. */
const FINE_STEPS = [1, 2, 5, 10] as const;

/** A round width (1, 2, 5 times a power of ten, or 4, 40 …) that gives at most ten bins up to `most`. */
export function binWidth(most: number): number {
  if (!(most > 0)) return 1;
  const scale = 10 ** Math.floor(Math.log10(most / BINS));
  const steps = scale < 1 ? FINE_STEPS : STEPS;
  const step = steps.find((wanted) => most <= wanted * scale * BINS * (1 + Number.EPSILON)) ?? 10;
  return Number((step * scale).toPrecision(1));
}

/** How many values are from `from` (included) to `to` (excluded, but for the last bin). */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Counts of values from 0 to `most` in bins of a round width; values beyond fall into the outer bins. */
export function histogram(values: readonly number[], most: number): Bin[] {
  const width = binWidth(most);
  const bins = Math.max(1, Math.ceil(Number((most / width).toPrecision(12))));
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of values) {
    // 0.3 / 0.1 is a little less than 3.
    const bin = Math.floor(Number((value / width).toPrecision(12)));
    const at = Math.max(0, Math.min(bins - 1, bin));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const edge = (bin: number) => Number((bin * width).toPrecision(12));
  return counts.map((count, bin) => ({ from: edge(bin), to: edge(bin + 1), count }));
}

export interface JudgedItem {
  /** Graded attempts. */
  readonly graded: number;
  readonly maxPoints: number;
  readonly facility: number | null;
  readonly discrimination: number | null;
}

/**
 * A verdict on an item. Common bounds: discrimination of 0.2 and more is usable, less is not, negative usually means a
 * wrong key (Ebel & Frisbie 1991, ch. 13). An item that nearly everybody solves cannot discriminate, and a value
 * slightly below zero is chance there, so that verdict comes first. An item that hardly anybody solves may have a wrong
 * key as well.
 */
export function itemReading(item: JudgedItem) {
  if (item.maxPoints === 0) return 'unscored';
  if (item.graded < FEWEST_ATTEMPTS || item.facility === null) return 'tooFew';
  if (item.facility >= TOO_EASY) return 'tooEasy';
  if (item.discrimination !== null && item.discrimination < 0) return 'checkKey';
  if (item.facility <= TOO_HARD) return 'tooHard';
  if (item.discrimination === null) return 'tooFew';
  return item.discrimination < WEAK ? 'weak' : 'works';
}

/**
 * A verdict on reliability: 0.9 and more for decisions about one person, 0.8 high, 0.7 enough for a
 * class test (Nunnally, «Psychometric Theory», 1978, ch. 7; Ebel & Frisbie 1991, ch. 5).
 */
export function alphaReading(alpha: number) {
  if (alpha >= 0.9) return 'veryHigh';
  if (alpha >= 0.8) return 'high';
  if (alpha >= 0.7) return 'enough';
  if (alpha >= 0.5) return 'modest';
  return alpha >= 0 ? 'low' : 'negative';
}
