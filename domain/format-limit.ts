import { formatCount, formatNumber } from './format.ts';

const CHARACTERS = ['знак', 'знака', 'знаков'] as const;
const OF_CHARACTERS = ['знака', 'знаков', 'знаков'] as const;

export interface FittedText {
  readonly text: string;
  /** Position of the caret after the inserted text. */
  readonly caret: number;
  /** Characters that were inserted, and those of them that fit. */
  readonly inserted: number;
  readonly fitting: number;
}

/** Longest run of characters that forms one visible character, such as an emoji of a family. */
const MAX_CLUSTER = 64;

/** The last position up to `end` where the text may be cut without splitting a letter from its accent or an emoji. */
function findCut(text: string, end: number): number {
  // Firefox before 125 has no segmenter.
  if (!('Segmenter' in Intl)) return /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end;
  const from = Math.max(0, end - MAX_CLUSTER);
  const around = new Intl.Segmenter().segment(text.slice(from, end + MAX_CLUSTER));
  return from + (around.containing(end - from)?.index ?? end - from);
}

/**
 * The text after an edit, within a limit of UTF-16 units, as the server counts. Only the end of the inserted text is
 * cut, never existing text; a visible character is not split.
 * @param caret of the field after the edit: the end of the inserted text
 */
export function fitText(before: string, typed: string, caret: number, limit: number): FittedText {
  const after = typed.length - caret;
  const longest = Math.min(caret, Math.max(0, before.length - after));
  let start = 0;
  while (start < longest && before[start] === typed[start]) start += 1;
  const inserted = caret - start;
  const overflow = Math.max(0, Math.min(inserted, typed.length - limit));
  const end = overflow === 0 ? caret : findCut(typed.slice(0, caret), caret - overflow);
  return {
    text: typed.slice(0, end) + typed.slice(caret),
    caret: end,
    inserted,
    fitting: Math.max(0, end - start),
  };
}

/** The message about a text that did not fit; empty: all of it did. */
export function cutMessage({ inserted, fitting }: FittedText, limit: number): string {
  if (fitting === inserted) return '';
  const most = `Больше ${formatCount(limit, OF_CHARACTERS)} сюда не помещается.`;
  if (inserted <= 2) return most;
  return `Вставлено ${formatNumber(fitting)} из ${formatCount(inserted, OF_CHARACTERS)}: остальное не поместилось. ${most}`;
}

/** How many characters are left, in the last tenth of the limit; empty: there is room. */
export function roomMessage(length: number, limit: number): string {
  const left = Math.max(0, limit - length);
  return left > limit / 10
    ? ''
    : `Осталось ${formatCount(left, CHARACTERS)} из ${formatNumber(limit)}`;
}

/** The same at 10, 5 and 1 % and at the limit, so that it is not spoken at each key. */
export function spokenRoom(length: number, limit: number): string {
  const step = [0, 0.01, 0.05, 0.1].find((part) => limit - length <= limit * part);
  return step === undefined ? '' : roomMessage(limit - Math.floor(limit * step), limit);
}
