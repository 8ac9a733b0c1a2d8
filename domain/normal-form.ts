/** The two half-width characters become marks in compatibility forms. */
const MARK = String.raw`[\p{M}\uFF9E\uFF9F]`;
const LONG_RUN = new RegExp(`${MARK}{30}(?=${MARK})`, 'gu');
/** A joiner: marks are not reordered across it. */
const JOINER = '\u034F';

/**
 * A Unicode normal form in linear time. Normalising sorts the marks of a letter, which is quadratic in their number. So
 * runs of more than thirty marks are split, as in the Stream-Safe Text Format (UAX #15). No writing system has such
 * runs: ordinary texts equal the result of `normalize`.
 */
export const normalForm = (text: string, form: 'NFC' | 'NFKC'): string =>
  text.replaceAll(LONG_RUN, `$&${JOINER}`).normalize(form);
