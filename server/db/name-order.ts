import {
  CAPITAL_LETTERS,
  KEY_DIGITS,
  KEY_SEPARATOR,
  SMALL_LETTERS,
  SORTED_AS,
  SORTED_LETTERS,
} from '#domain/alphabet.ts';

/**
 * SQL for the key that names are sorted by, as `nameKey` in `domain/alphabet.ts` computes it. A collation by ICU is
 * absent in some builds of PostgreSQL and differs between versions; the embedded database has only C.
 */
export function nameKey(sql: string): string {
  const small = `translate(lower(${sql}), '${CAPITAL_LETTERS}', '${SMALL_LETTERS}')`;
  const letters = `translate(${small}, '${SORTED_LETTERS}', '${SORTED_AS}')`;
  const padded = `regexp_replace(${letters}, '[0-9]+', '${'0'.repeat(KEY_DIGITS)}\\&', 'g')`;
  const main = `regexp_replace(${padded}, '[0-9]*([0-9]{${KEY_DIGITS}})', '\\1', 'g')`;
  return `((${main} || chr(${KEY_SEPARATOR.charCodeAt(0)}) || ${small}) collate "C")`;
}
