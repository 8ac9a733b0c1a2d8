/** The two half-width ones become marks in compatibility forms. */
const MARK = String.raw`[\p{M}\uFF9E\uFF9F]`;
const LONG_RUN = new RegExp(`${MARK}{30}(?=${MARK})`, 'gu');
/** Marks are not reordered across it. */
const JOINER = '\u034F';

/**
 * A Unicode normal form in linear time. Normalising sorts the marks of a letter, which is quadratic in their
 * number; so runs of more than thirty are split as the Stream-Safe Text Format does (UAX #15). No writing
 * system has such runs: ordinary texts equal the result of `normalize`.
 */
export const normalForm = (text: string, form: 'NFC' | 'NFKC'): string =>
  text.replaceAll(LONG_RUN, `$&${JOINER}`).normalize(form);
