/** Where generated sign-in names stand: shaped as an e-mail, reachable by none. */
const PLACE = 'klass.local';
const LONGEST_WORD = 20;

/** Russian letters as passports write them, with those of the neighbours that occur in names. */
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

/** A word in Latin letters and digits; what has no such writing is left out. */
function latinWord(word: string): string {
  const letters = Array.from(
    word.normalize('NFC').toLowerCase(),
    (letter) => LATIN[letter] ?? letter,
  );
  // Accents of Latin letters fall away with the second step.
  return letters
    .join('')
    .normalize('NFD')
    .replaceAll(/[^a-z\d]/g, '')
    .slice(0, LONGEST_WORD);
}

/**
 * What a pupil without e-mail signs in with: «Иванова Мария», 42 → `ivanova.mariya.42@klass.local`.
 * @param number makes it the only one: any whole number from 0
 */
export function signInName(userName: string, number: number): string {
  const words = userName
    .split(/\s+/)
    .map(latinWord)
    .filter((word) => word !== '')
    .slice(0, 2);
  return `${[...(words.length > 0 ? words : ['uchenik']), number].join('.')}@${PLACE}`;
}
