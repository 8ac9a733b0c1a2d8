import { areEasyNumbers, areEasySigns, isObviousNumber } from './easy-numbers.ts';
import { foldSpelling, withJAsZh } from './fold-spelling.ts';
import { inLatinLayout, inRussianLayout } from './keyboard-layouts.ts';
import { ALONE, JOINED } from './russian-words.ts';

/** Longer ones are more than a word with a year, and are not examined. */
const MAX_LENGTH = 48;
const MIN_WORD = 3;
/** Minimum length of a word that nothing separates from its neighbour. One with digits in place of letters is longer. */
const MIN_UNSEPARATED = 4;
/** Maximum number of readings of one text with digits and signs in it. */
const MAX_READINGS = 16;

/** Letters that a digit or a sign may replace. */
const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  '0': ['o'],
  '1': ['i', 'l'],
  '3': ['e', 'z'],
  '4': ['a', 'ch'],
  '5': ['s'],
  '6': ['b', 'sh'],
  '7': ['t'],
  '8': ['b', 'v'],
  '9': ['g', 'ya'],
  '@': ['a'],
  $: ['s'],
  '!': ['i'],
  '|': ['l'],
};

type WordSet = Pick<ReadonlySet<string>, 'has'>;
interface Words {
  /** As they are written: «якутск» is folded to fewer letters than a Russian word may lose, «июнь» to two. */
  readonly written: WordSet;
  readonly all: WordSet;
  /** Words that are also refused in pairs. */
  readonly joined: WordSet;
}

/** «Артём» is also written «Артем». */
const spellBoth = (word: string): readonly string[] =>
  word.includes('ё') ? [word, word.replaceAll('ё', 'е')] : [word];

const isLong = (word: string): boolean => word.length >= MIN_WORD;
const foldAll = (words: readonly string[]): readonly string[] =>
  words.filter(isLong).flatMap(spellBoth).map(foldSpelling).filter(isLong);

let known: Words | undefined;
function readWords(): Words {
  const joined = new Set(foldAll(JOINED));
  const written = new Set([...JOINED, ...ALONE].filter(isLong).flatMap(spellBoth));
  return { written, joined, all: new Set([...joined, ...foldAll(ALONE)]) };
}

/** Adds names and addresses of the person and of the school. */
function withOwn(words: Words, context: readonly string[]): Words {
  const own = foldAll(context.flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []));
  const plus = (set: WordSet): WordSet => ({ has: (word) => set.has(word) || own.includes(word) });
  return { ...words, all: plus(words.all), joined: plus(words.joined) };
}

/** Two words that people join, with nothing between them. */
function isPair(folded: string, joined: WordSet): boolean {
  for (let end = MIN_UNSEPARATED; end <= folded.length - MIN_UNSEPARATED; end += 1) {
    if (joined.has(folded.slice(0, end)) && joined.has(folded.slice(end))) return true;
  }
  return false;
}

const MANY_DIGITS = /\d{3}/;
const LETTER = /\p{L}/u;

/** Readings of digits and signs within a word as letters; none where they are more than the letters. */
function readingsOf(text: string): readonly string[] {
  const figures = text.match(/\d/g)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (figures > letters || MANY_DIGITS.test(text)) return [];
  let readings = [''];
  for (const sign of text) {
    const options = STANDS_FOR[sign] ?? [LETTER.test(sign) ? sign : ''];
    readings = readings
      .flatMap((reading) => options.map((option) => reading + option))
      .slice(0, MAX_READINGS);
  }
  return figures === 0 ? readings : readings.filter((reading) => reading.length > MIN_UNSEPARATED);
}

const numbersOf = (text: string): readonly string[] => text.match(/\d+/g) ?? [];
const signsOf = (text: string): string => text.replaceAll(/[\p{L}\d\s]/gu, '');
const isEasyRest = (rest: string): boolean =>
  areEasyNumbers(numbersOf(rest)) && areEasySigns(signsOf(rest));

/** A number, or a sign: what can be cut off an end, or belongs to the word. */
const PARTS = /\d+|[^\p{L}\d]/gu;
/** Two signs next to the word are letters of another layout at most: «K.,jdm». */
const MAX_OWN_PARTS = 2;

/** Lengths of a text that consists of the last 0, 1, 2 parts. */
function ownLengths(parts: readonly string[]): readonly number[] {
  return [...parts.keys(), parts.length]
    .slice(0, MAX_OWN_PARTS + 1)
    .map((count) => parts.slice(0, count).join('').length);
}

/** The text without easy numbers and signs around it, for the places where a word may begin and end. */
function coresOf(text: string): readonly string[] {
  const before = /^[^\p{L}]*/u.exec(text)?.[0] ?? '';
  const after = /[^\p{L}]*$/u.exec(text)?.[0] ?? '';
  const starts = ownLengths((before.match(PARTS) ?? []).toReversed());
  const ends = ownLengths(after.match(PARTS) ?? []);
  return starts.flatMap((start) =>
    ends.flatMap((end) => {
      const from = before.length - start;
      const to = text.length - after.length + end;
      return isEasyRest(`${text.slice(0, from)} ${text.slice(to)}`) ? [text.slice(from, to)] : [];
    }),
  );
}

/** Whether letters are a word; among others a word that people join. */
type IsWord = (letters: string, isOneOfSeveral: boolean) => boolean;

const MAX_WORDS = 2;
/** Capitals at any place («mOsKvA») in a shorter word are more likely those of a random password. */
const MIN_IRREGULAR = 6;
const REGULAR_CASE = [
  /^\P{Lu}*$/u,
  /^\P{Ll}*$/u,
  /^\P{L}*\p{Lu}\P{Lu}*$/u,
  /^\P{L}*\p{Ll}\P{Ll}*$/u,
  /^\P{Lu}*\p{Lu}\P{L}*$/u,
];
const isRegular = (text: string): boolean => REGULAR_CASE.some((form) => form.test(text));

/** Whether easy numbers, signs and capitals separate one or two words, and perhaps a letter or two. */
function hasSeparateWords(text: string, isWord: IsWord): boolean {
  if (!isEasyRest(text)) return false;
  const parts = text.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu) ?? [];
  const words = parts.filter(isLong);
  if (words.length === 0 || words.length > MAX_WORDS) return false;
  const numbers = numbersOf(text);
  const maxShort = numbers.length > 0 && numbers.every(isObviousNumber) ? 1 : 0;
  const areMany = words.length > 1;
  return (
    parts.length - words.length <= maxShort &&
    words.every((word) => isWord(word.toLowerCase(), areMany))
  );
}

/** Whether the text without its surroundings is a word, as typed or in another layout. */
function isWordWithin(text: string, retype: (text: string) => string, isWord: IsWord): boolean {
  const typed = retype(text);
  const isSurelyWord = typed === text && text.length >= MIN_IRREGULAR && !/\d/.test(text);
  return (
    (isSurelyWord || isRegular(text)) &&
    readingsOf(typed.toLowerCase()).some((letters) => isWord(letters, false))
  );
}

const CYRILLIC = /\p{Script=Cyrillic}/u;
/** A form that requires a Latin capital gets one at an end of a Russian word. */
const LATIN_AT_END = /^[a-z]{1,2}(?![a-z])|(?<![a-z])[a-z]{1,2}$/gi;

/** How many letters real spellings lose when they are folded: «yuliya» is ula, «ья» is a. */
const maxFolded = (letters: string): number => (CYRILLIC.test(letters) ? 1 : 3);

const typedTexts = (password: string): readonly string[] =>
  CYRILLIC.test(password) ? [password, password.replaceAll(LATIN_AT_END, '')] : [password];

const LAYOUTS = [(text: string) => text, inRussianLayout, inLatinLayout];

/**
 * Whether a password is a word that people use in passwords, or a name of the person or school, with years, digits
 * and signs around it and digits in place of letters.
 * @param context names and addresses of the person and of the school
 * @param isCommonWord whether letters are a common password of another language
 */
export function isWordPassword(
  password: string,
  context: readonly string[],
  isCommonWord: (letters: string) => boolean,
): boolean {
  if (password.length > MAX_LENGTH) return false;
  known ??= readWords();
  const words = withOwn(known, context);
  const isWord: IsWord = (letters, isOneOfSeveral) =>
    isCommonWord(letters) ||
    (!isOneOfSeveral && words.written.has(letters)) ||
    [letters, withJAsZh(letters)].some((text) => {
      const folded = foldSpelling(text);
      if (text.length > folded.length + maxFolded(text) || !isLong(folded)) return false;
      if (isOneOfSeveral) return words.joined.has(folded);
      return words.all.has(folded) || isPair(folded, words.joined);
    });
  return typedTexts(password).some((text) =>
    LAYOUTS.some(
      (retype) =>
        hasSeparateWords(retype(text), isWord) ||
        coresOf(text).some((core) => isWordWithin(core, retype, isWord)),
    ),
  );
}
