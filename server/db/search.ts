import { searchWords } from '#domain/search.ts';

const CAPITALS = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё';
const SMALL = 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе';

/**
 * SQL that folds what people do not tell apart when they look for something: case, ё and е. Russian letters
 * are named, since `lower` leaves them as they are in a database whose locale is C.
 */
export const folded = (sql: string): string =>
  `translate(lower(${sql}), '${CAPITALS}', '${SMALL}')`;

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * Patterns for `folded(…) like all($n)`: each word of what was typed stands somewhere in the text.
 * Wildcards mean themselves; nothing typed gives no pattern, which every text matches.
 */
export const wordPatterns = (typed: string): string[] =>
  searchWords(typed).map((word) => `%${escapeLike(word)}%`);
