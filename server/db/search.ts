import { searchTerms } from '#domain/search.ts';

const CAPITALS = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё';
const SMALL = 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе';

/**
 * SQL that folds differences that a search ignores: case, ё and е. Russian letters are listed, since `lower`
 * leaves them unchanged in a database with locale C.
 */
export const folded = (sql: string): string =>
  `translate(lower(${sql}), '${CAPITALS}', '${SMALL}')`;

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * Patterns for `folded(…) like all($n)`: each typed word must occur in the text. Wildcards are escaped; empty
 * input gives no pattern, so every text matches.
 */
export const wordPatterns = (typed: string): string[] =>
  searchTerms(typed).map((word) => `%${escapeLike(word)}%`);
