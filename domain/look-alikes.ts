/** Letters that look the same in Latin, Cyrillic and Greek; «-»: the script has no such letter. */
const TRIPLES =
  'AАΑ BВΒ CС- EЕΕ HНΗ IІΙ JЈ- KКΚ MМΜ N-Ν OОΟ PРΡ SЅ- TТΤ XХΧ YУΥ Z-Ζ -ГΓ -ПΠ -ФΦ ' +
  'aа- cс- eе- iі- jј- oоο pр- sѕ- xх- yу- hһ- dԁ- qԛ- wԝ-';

/** If a word fits several scripts and is not written in a single one, the first of them is used. */
const SCRIPTS = [
  { place: 1, own: /\p{Script=Cyrillic}/u },
  { place: 0, own: /\p{Script=Latin}/u },
  { place: 2, own: /\p{Script=Greek}/u },
] as const;

const twins = new Map<string, readonly string[]>(
  TRIPLES.split(' ').flatMap((triple) => {
    const letters = Array.from(triple);
    return letters.flatMap((letter) => (letter === '-' ? [] : [[letter, letters] as const]));
  }),
);

const ANY = new RegExp(`[${[...twins.keys()].join('')}]`, 'u');
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const OTHERS = /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** The word in each script that can write it, its own first. */
function readWord(word: string): readonly string[] {
  const letters = Array.from(word);
  const found = SCRIPTS.flatMap(({ place, own }) => {
    const read = letters.map((letter) => {
      if (OTHERS.test(letter) || own.test(letter)) return letter;
      const twin = twins.get(letter)?.[place] ?? '-';
      return twin === '-' ? null : twin;
    });
    return read.includes(null) ? [] : [read.join('')];
  });
  const first = found.includes(word) ? [word] : [];
  // A word that no script can write: each letter in the first script that has it.
  if (found.length === 0)
    return [
      letters.map((letter) => twins.get(letter)?.find((twin) => twin !== '-') ?? letter).join(''),
    ];
  return [...new Set([...first, ...found])];
}

/**
 * The possible readings of a text's appearance, with letters of one script in each word: «КОТ» is also the Latin «KOT».
 * In the first reading each word has its own script; in others all words have one script if they can. Case still
 * matters here: «кот» does not look like «kot».
 */
export function readLetters(text: string): readonly [string, ...string[]] {
  const apart = text.normalize('NFD');
  if (!ANY.test(apart)) return [text];
  const words = new Map<string, readonly string[]>();
  const read = (pick: (readings: readonly string[]) => string) =>
    apart
      .replaceAll(WORD, (word) => {
        const known = words.get(word) ?? readWord(word);
        words.set(word, known);
        return pick(known);
      })
      .normalize('NFC');
  const own = read(([first = '']) => first);
  if ([...words.values()].every(({ length }) => length === 1)) return [own];
  const others = SCRIPTS.map(({ own: script }) =>
    read((readings) => readings.find((word) => isIn(script, word)) ?? readings[0] ?? ''),
  );
  return [own, ...new Set(others.filter((other) => other !== own))];
}

const isIn = (script: RegExp, word: string) =>
  Array.from(word).every((letter) => OTHERS.test(letter) || script.test(letter));

/** Texts with the same value have letters that look the same. */
export const lookOfLetters = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{L}/gu, (letter) => twins.get(letter)?.find((twin) => twin !== '-') ?? letter)
    .normalize('NFC');
