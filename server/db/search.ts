import { normalForm } from '#domain/normal-form.ts';

const CAPITALS = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё';
const SMALL = 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе';

/**
 * SQL that folds what people do not tell apart when they look for something: case, ё and е. Russian letters
 * are named, since `lower` leaves them as they are in a database whose locale is C.
 */
export const folded = (sql: string): string =>
  `translate(lower(${sql}), '${CAPITALS}', '${SMALL}')`;

/** The same folding for what is stored ready to be searched; blanks are single. */
export const plainWords = (text: string): string =>
  normalForm(text, 'NFC').toLowerCase().replaceAll('ё', 'е').replaceAll(/\s+/g, ' ').trim();

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * Patterns for `folded(…) like all($n)`: each word of what was typed stands somewhere in the text.
 * Wildcards mean themselves; nothing typed gives no pattern, which every text matches.
 */
export function wordPatterns(typed: string): string[] {
  const words = plainWords(typed).split(' ');
  return words.filter((word) => word !== '').map((word) => `%${escapeLike(word)}%`);
}
