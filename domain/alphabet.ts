/** Capitals as `lower` of a database with locale C leaves them, and their small letters. */
export const CAPITAL_LETTERS = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯӘӨҮҖҢҺІЇЄҐҠҘҒҪЎҰҚҲҶ';
export const SMALL_LETTERS = 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяәөүҗңһіїєґҡҙғҫўұқҳҷ';
/**
 * Letters that sort as another one: ё as е, letters of the other languages of Russia as their Russian neighbours,
 * Latin ones after all Cyrillic ones.
 */
export const SORTED_LETTERS = 'ёәөүҗңһіїєґҡҙғҫўұқҳҷabcdefghijklmnopqrstuvwxyz';
export const SORTED_AS = `еаоужнхииегкзгсуукхч${String.fromCodePoint(
  ...Array.from({ length: 26 }, (_, at) => 0xe0_61 + at),
)}`;
/** Numbers have as many digits in the key. */
export const KEY_DIGITS = 20;
/** Separates what is compared first from what decides between equals. */
export const KEY_SEPARATOR = '\u0001';

const LETTERS = new Map(Array.from(SORTED_LETTERS, (letter, at) => [letter, SORTED_AS[at] ?? '']));
const LETTER = new RegExp(`[${SORTED_LETTERS}]`, 'g');

/**
 * What names are compared by, sign by sign: case is ignored, ё stands after е («Егоров», «Ёлкин», «Жуков»), numbers
 * count («9А» before «10Б»). `nameKey` in `server/db/name-order.ts` computes the same in SQL: neither an embedded nor
 * another PostgreSQL has to have a collation for it.
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
