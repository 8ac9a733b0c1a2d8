import { formatCount, formatNumber } from './format.ts';

const CHARACTERS = ['знак', 'знака', 'знаков'] as const;

export interface FittedText {
  readonly text: string;
  /** Place of the caret after the text that was inserted. */
  readonly caret: number;
  /** Characters that were inserted, and those of them that fit. */
  readonly inserted: number;
  readonly fitting: number;
}

/**
 * The text after an edit, within a limit of UTF-16 units, as the server counts. Of what was inserted the end is cut,
 * never what stood there before; a pair of surrogates is not split.
 * @param caret of the field after the edit: where what was inserted ends
 */
export function fitText(before: string, typed: string, caret: number, limit: number): FittedText {
  const after = typed.length - caret;
  const longest = Math.min(caret, Math.max(0, before.length - after));
  let start = 0;
  while (start < longest && before[start] === typed[start]) start += 1;
  const inserted = caret - start;
  let fitting = inserted - Math.max(0, Math.min(inserted, typed.length - limit));
  if (fitting < inserted && /[\uD800-\uDBFF]/.test(typed[start + fitting - 1] ?? ''))
    fitting = Math.max(0, fitting - 1);
  const end = start + fitting;
  return { text: typed.slice(0, end) + typed.slice(caret), caret: end, inserted, fitting };
}

/** What became of a text that did not fit; empty: all of it did. */
export function cutMessage({ inserted, fitting }: FittedText, limit: number): string {
  if (fitting === inserted) return '';
  const most = `Больше ${formatCount(limit, ['знака', 'знаков', 'знаков'])} сюда не помещается.`;
  if (inserted <= 2) return most;
  return `Вставлено ${formatNumber(fitting)} из ${formatCount(inserted, CHARACTERS)}: остальное не поместилось. ${most}`;
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
