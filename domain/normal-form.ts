/** The two half-width ones become marks by compatibility. */
const MARK = String.raw`[\p{M}\uFF9E\uFF9F]`;
const LONG_RUN = new RegExp(`${MARK}{30}(?=${MARK})`, 'gu');
/** Marks do not move over it. */
const JOINER = '\u034F';

/**
 * A Unicode normal form in linear time. Normalising sorts the marks of a letter, which takes the square of
 * their number; so runs of more than thirty are parted as the Stream-Safe Text Format does (UAX #15). No
 * writing has such runs: honest texts come out as `normalize` gives them.
 */
export const normalForm = (text: string, form: 'NFC' | 'NFKC'): string =>
  text.replaceAll(LONG_RUN, `$&${JOINER}`).normalize(form);
