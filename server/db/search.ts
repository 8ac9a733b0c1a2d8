/** SQL that folds what people do not tell apart when they look for something: case, ё and е. */
export const folded = (sql: string): string => `translate(lower(${sql}), 'ё', 'е')`;

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * Patterns for `folded(…) like all($n)`: each word of what was typed stands somewhere in the text.
 * Wildcards mean themselves; nothing typed gives no pattern, which every text matches.
 */
export function wordPatterns(typed: string): string[] {
  const words = typed.normalize('NFC').toLowerCase().replaceAll('ё', 'е').split(/\s+/);
  return words.filter((word) => word !== '').map((word) => `%${escapeLike(word)}%`);
}
