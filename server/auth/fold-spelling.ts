/** Russian letters in Latin ones; `foldSpelling` then merges the other usual spellings. */
const LATIN: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ё: 'yo',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
};

/** One sign for the usual spellings of a sound: «Михаил» is mikhail, mihail, mixail, «отец» is otets, otec. */
const SOUNDS: Readonly<Record<string, string>> = {
  shch: 'ш',
  sch: 'ш',
  shh: 'ш',
  sh: 'ш',
  zh: 'ж',
  tch: 'ч',
  ch: 'ч',
  kh: 'h',
  ks: 'h',
  x: 'h',
  ts: 'k',
  tz: 'k',
  c: 'k',
  q: 'k',
  ph: 'f',
  w: 'v',
};
const SPELLINGS = /shch|sch|shh|sh|zh|tch|ch|kh|ks|x|ts|tz|c|q|ph|w/g;
/** «Андрей» is andrey, andrei, andrej. */
const VOWEL_I = /[ijy]+/g;
/** «Любовь» is lyubov, liubov, lubov; «Артём» artyom, artem. */
const I_BEFORE_VOWEL = /i(?=[aeou])/g;
/** «Анна» is anna, ana. */
const DOUBLED = /(.)\1+/g;

/** Lower-case letters of either alphabet in one spelling for all usual transliterations. */
export function foldSpelling(letters: string): string {
  let latin = '';
  for (const letter of letters) latin += LATIN[letter] ?? letter;
  return latin
    .replace(SPELLINGS, (spelling) => SOUNDS[spelling] ?? spelling)
    .replace(VOWEL_I, 'i')
    .replace(I_BEFORE_VOWEL, '')
    .replace(DOUBLED, '$1');
}

/** «Женя» is written jenya, too. */
export const withJAsZh = (letters: string): string => letters.replaceAll('j', 'zh');
