const LATIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const RUSSIAN = 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ';
const RUSSIAN_WITH_ALL = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЫЭЮЯ';
/** Letters of options in Kazakh tests: «А, Ә, Б». */
const KAZAKH = 'АӘБВГҒДЕЖЗИКҚЛМНҢОӨПРСТУҰҮФХҺЦЧШЩЫІЭЮЯ';
/** Russian letters that look like Latin ones, and are typed instead of them. */
const ALIKE: Readonly<Record<string, string>> = {
  А: 'A',
  В: 'B',
  С: 'C',
  Е: 'E',
  Н: 'H',
  К: 'K',
  М: 'M',
  О: 'O',
  Р: 'P',
  Т: 'T',
  Х: 'X',
};

/** Whether a letter may mark the option of this position, from 0: «B», «Б», and «В» typed for «B». */
export function isLetterOf(letter: string, place: number): boolean {
  const upper = letter.toUpperCase();
  return (
    LATIN[place] === upper ||
    RUSSIAN[place] === upper ||
    RUSSIAN_WITH_ALL[place] === upper ||
    (LATIN[place] !== undefined && LATIN[place] === ALIKE[upper])
  );
}

const KAZAKH_ALONE = /^[ӘҒҚҢӨҰҮҺІ]$/i;

/** The same at the beginning of a line, where a Kazakh test continues with «Ә» after «А». */
export function isLineLetterOf(letter: string, place: number, before: readonly string[]): boolean {
  if (isLetterOf(letter, place)) return true;
  // «А, В, С, Д» on a Russian keyboard.
  if (place === 3 && letter.toUpperCase() === 'Д' && /^[BВ]$/i.test(before[1] ?? '')) return true;
  // «A, Б, B, Г»: some letters typed on the other keyboard.
  const own = RUSSIAN[place];
  if (before[1]?.toUpperCase() === 'Б' && own && ALIKE[own] === letter.toUpperCase()) return true;
  const isKazakh = [...before, letter].some((one) => KAZAKH_ALONE.test(one));
  return isKazakh && KAZAKH[place] === letter.toUpperCase();
}

/** The position of an option by its letter, in the alphabet of the options; −1: none. */
export function placeOfLetter(letter: string, letters: readonly string[]): number {
  const upper = letter.toUpperCase();
  const exact = letters.findIndex((own) => own.toUpperCase() === upper);
  if (exact >= 0) return exact;
  const alike = letters.findIndex(
    (own) => (ALIKE[own.toUpperCase()] ?? own.toUpperCase()) === (ALIKE[upper] ?? upper),
  );
  if (alike >= 0) return alike;
  const [latin, russian] = [LATIN.indexOf(upper), RUSSIAN.indexOf(upper)];
  const areNumbers = letters.every((own) => /^\d+$/.test(own));
  const areRussian = letters.some((own) => RUSSIAN_WITH_ALL.includes(own.toUpperCase()));
  // The key is in the other alphabet, or in either one if options are numbered.
  const place = areNumbers ? Math.max(latin, russian) : areRussian ? latin : russian;
  return place < letters.length ? place : -1;
}

export const latinLetter = (place: number): string => LATIN[place] ?? '';
