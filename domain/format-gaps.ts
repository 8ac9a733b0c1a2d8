/** The place of a gap in a text, with its number. */
const PLACES = /\[\[([1-9]\d{0,2})\]\]/g;

/** Numbers of the gaps in a text, in order, with repetitions. */
export const gapIdsIn = (text: string): string[] =>
  [...text.matchAll(PLACES)].map(([, gapId = '']) => gapId);

/** The text with non-empty replacements for its gap marks. */
export const withGapPlaces = (text: string, placeOf: (gapId: string) => string): string =>
  text.replaceAll(PLACES, (_, gapId: string) => placeOf(gapId));

/** Private characters around a gap's number, which no text contains: typed brackets stay brackets. */
const BEFORE = '\ue0f0';
const AFTER = '\ue0f1';
const MARK = new RegExp(`${BEFORE}(\\d+)${AFTER}`);

/** Replaces a gap while its text is drawn or converted. */
export const gapMark = (gapId: string): string => `${BEFORE}${gapId}${AFTER}`;

/** A marked text in its pieces, with the numbers of the gaps between them. */
export const splitAtGapMarks = (text: string): (string | { gapId: string })[] =>
  text
    .split(MARK)
    .map((piece, index) => (index % 2 === 1 ? { gapId: piece } : piece))
    .filter((piece) => piece !== '');

/** The text of a question of this kind with replacements for its gaps; in other kinds the same brackets are text. */
export const withGaps = (
  { kind, text }: { readonly kind?: string | undefined; readonly text: string },
  placeOf: (gapId: string) => string,
): string => (kind === 'gaps' ? withGapPlaces(text, placeOf) : text);

/** Markdown of a gap as a line to fill in. */
const blank = (gapId: string) => String.raw`(${gapId})\_\_\_\_\_`;

/** Markdown of the text with lines to fill in, for reading without input. */
export const blankedText = (text: string): string => withGapPlaces(text, blank);

/** The text for reading without input. */
export const readableText = (question: { readonly kind: string; readonly text: string }): string =>
  withGaps(question, blank);
