/** The same keys in two layouts, row by row. */
const LATIN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const RUSSIAN = 'ёйцукенгшщзхъфывапролджэячсмитьбю';

const zip = (from: string, to: string) =>
  Array.from(from, (sign, index) => [sign, to.charAt(index)] as const);
/** Lower case comes last: a sign is its own capital. */
const pairs = (from: string, to: string) =>
  new Map([...zip(from.toUpperCase(), to.toUpperCase()), ...zip(from, to)]);
const TO_RUSSIAN = pairs(LATIN, RUSSIAN);
const TO_LATIN = pairs(RUSSIAN, LATIN);

const retype = (text: string, keys: ReadonlyMap<string, string>): string =>
  Array.from(text, (sign) => keys.get(sign) ?? sign).join('');

/** Text as typed in the Russian layout: «gfhjkm» is «пароль». */
export const inRussianLayout = (text: string): string => retype(text, TO_RUSSIAN);

/** Text as typed in the Latin layout: «йцукен» is «qwerty». */
export const inLatinLayout = (text: string): string => retype(text, TO_LATIN);
