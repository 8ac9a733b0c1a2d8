/** The domain of generated sign-in names: shaped as an e-mail, undeliverable. */
const PLACE = 'klass.local';
const LONGEST_WORD = 20;

/** Russian letters in passport transliteration, with those of neighbouring alphabets that occur in names. */
const LATIN: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ё: 'e',
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
  х: 'h',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'sch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
  і: 'i',
  ї: 'yi',
  є: 'ye',
  ґ: 'g',
  ў: 'u',
  ә: 'a',
  ғ: 'g',
  қ: 'k',
  ң: 'n',
  ө: 'o',
  ұ: 'u',
  ү: 'u',
  һ: 'h',
};

/** A word transliterated to Latin letters and digits; other characters are dropped. */
function latinWord(word: string): string {
  const letters = Array.from(
    word.normalize('NFC').toLowerCase(),
    (letter) => LATIN[letter] ?? letter,
  );
  // The second step removes accents of Latin letters.
  return letters
    .join('')
    .normalize('NFD')
    .replaceAll(/[^a-z\d]/g, '')
    .slice(0, LONGEST_WORD);
}

/**
 * The sign-in name of a student without e-mail: «Иванова Мария», 42 → `ivanova.mariya.42@klass.local`.
 * @param number makes it unique: any whole number from 0
 */
export function signInName(userName: string, number: number): string {
  const words = userName
    .split(/\s/)
    .map(latinWord)
    .filter((word) => word !== '')
    .slice(0, 2);
  return `${[...(words.length > 0 ? words : ['uchenik']), number].join('.')}@${PLACE}`;
}
