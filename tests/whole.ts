/**
 * `npm test` runs a sample of checks that repeat the same journey at other sizes, on other screens or in other engines;
 * `npm test -- --whole` and `npm run audit` run all of them. Whole files that take turns: `tests/turns.ts`.
 */
export const IS_WHOLE = process.env['TEST_WHOLE'] === '1' || process.env['AUDIT'] === '1';

const given = process.env['TEST_TURN'];

/** The number of this run, from its commit, so that commits take turns; null without a number: everything runs. */
export const turnOfRun = IS_WHOLE || given === undefined ? null : Number(given);

/** After so many numbers the files begin anew. */
export const FILE_TURNS = 6;

/** Only the first entry in a sample. */
export const firstUnlessWhole = <T>(entries: readonly T[]): readonly T[] =>
  IS_WHOLE ? entries : entries.slice(0, 1);

/** Entries take turns apart from files, so that each file meets each of its entries. */
const entryTurn = turnOfRun === null ? null : Math.floor(turnOfRun / FILE_TURNS);

/**
 * One of so many entries, by the number of the run; all of them in a file that is run alone. `shift` keeps slow entries
 * of several files apart.
 */
export const shareInTurn = <T>(entries: readonly T[], of: number, shift = 0): readonly T[] =>
  entryTurn === null
    ? entries
    : entries.filter((_, index) => (index + shift) % of === entryTurn % of);

/** One entry, by the number of the run. */
export const oneInTurn = <T>(entries: readonly T[], shift = 0): readonly T[] =>
  shareInTurn(entries, entries.length, shift);
