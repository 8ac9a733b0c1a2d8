import { withoutInvisible } from '#domain/format-typed.ts';
import { shownIdentity } from '#domain/normalise.ts';
import { isDoubled } from './ids.ts';

export const isBlank = (text: string): boolean => withoutInvisible(text).trim() === '';

/** Whether two of the texts look the same to a reader. */
export const hasDoubles = (texts: readonly string[]): boolean =>
  isDoubled(texts.filter((text) => !isBlank(text)).map(shownIdentity));

/** A part of the answer that is not in the question (any more). */
export const UNKNOWN = '?';

export function sortedBy<T>(items: readonly T[], rankOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
    .map(({ item }) => item);
}
