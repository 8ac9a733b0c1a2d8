/** Capitals that `lower` does not change in a database with locale C, and their small letters. */
export const CAPITAL_LETTERS = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯӘӨҮҖҢҺІЇЄҐҠҘҒҪЎҰҚҲҶ';
export const SMALL_LETTERS = 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяәөүҗңһіїєґҡҙғҫўұқҳҷ';
/**
 * Letters that sort like another one: ё like е, letters of the other languages of Russia like their Russian neighbours,
 * Latin ones after all Cyrillic ones.
 */
export const SORTED_LETTERS = 'ёәөүҗңһіїєґҡҙғҫўұқҳҷabcdefghijklmnopqrstuvwxyz';
export const SORTED_AS = `еаоужнхииегкзгсуукхч${String.fromCodePoint(
  ...Array.from({ length: 26 }, (_, at) => 0xe0_61 + at),
)}`;
/** Number of digits that numbers have in the key. */
export const KEY_DIGITS = 20;
/** Separates the primary key from the part that decides between equal ones. */
export const KEY_SEPARATOR = '\u0001';

const LETTERS = new Map(Array.from(SORTED_LETTERS, (letter, at) => [letter, SORTED_AS[at] ?? '']));
const LETTER = new RegExp(`[${SORTED_LETTERS}]`, 'g');

/**
 * The key for comparing names, character by character: case is ignored, ё comes after е («Егоров», «Ёлкин», «Жуков»),
 * numbers count («9А» before «10Б»). `nameKey` in `server/db/name-order.ts` computes the same in SQL: neither an
 * embedded nor another PostgreSQL needs a collation for it.
 */
export function nameKey(name: string): string {
  const small = name.toLowerCase();
  const main = small
    .replaceAll(LETTER, (letter) => LETTERS.get(letter) ?? letter)
    .replaceAll(/[0-9]+/g, (digits) => digits.padStart(KEY_DIGITS, '0').slice(-KEY_DIGITS));
  return `${main}${KEY_SEPARATOR}${small}`;
}

const compareSigns = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export const compareNames = (a: string, b: string): number => compareSigns(nameKey(a), nameKey(b));

/** Items by name, equal names by id. */
export const inAlphabet = <T>(
  items: readonly T[],
  keyOf: (item: T) => { readonly name: string; readonly id: string },
): T[] =>
  items
    .map((item) => {
      const { name, id } = keyOf(item);
      return { item, id, key: nameKey(name) };
    })
    .sort((a, b) => compareSigns(a.key, b.key) || compareSigns(a.id, b.id))
    .map(({ item }) => item);
