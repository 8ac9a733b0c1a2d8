/** The same keys in two layouts, row by row. */
const LATIN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const RUSSIAN = 'ёйцукенгшщзхъфывапролджэячсмитьбю';

const pairs = (from: string, to: string) =>
  new Map(Array.from(from, (sign, index) => [sign, to.charAt(index)]));
const TO_RUSSIAN = pairs(LATIN, RUSSIAN);
const TO_LATIN = pairs(RUSSIAN, LATIN);

const retype = (text: string, keys: ReadonlyMap<string, string>): string =>
  Array.from(text, (sign) => keys.get(sign) ?? sign).join('');

/** Lower-case text as typed in the Russian layout: «gfhjkm» is «пароль». */
export const inRussianLayout = (text: string): string => retype(text, TO_RUSSIAN);

/** Lower-case text as typed in the Latin layout: «йцукен» is «qwerty». */
export const inLatinLayout = (text: string): string => retype(text, TO_LATIN);
