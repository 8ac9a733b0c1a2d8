/**
 * `npm test` runs a sample of checks that repeat the same journey at other sizes or on other screens;
 * `npm test -- --whole` and `npm run audit` run all of them.
 */
export const IS_WHOLE = process.env['TEST_WHOLE'] === '1' || process.env['AUDIT'] === '1';

/** Only the first entry in a sample. */
export const firstUnlessWhole = <T>(entries: readonly T[]): readonly T[] =>
  IS_WHOLE ? entries : entries.slice(0, 1);

/** Every third entry in a sample. */
export const thirdUnlessWhole = <T>(entries: readonly T[]): readonly T[] =>
  IS_WHOLE ? entries : entries.filter((_, index) => index % 3 === 0);
