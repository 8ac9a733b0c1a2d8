import { isLetterOf, isLineLetterOf } from '#interchange/letters.ts';
import { cutLine, plainOf, textAfter, type Line } from './line.ts';
import { numbered, optionMark } from './patterns.ts';

/** A letter with its bracket or dot, at the beginning or after a space; not the second of two initials. */
const MARK = /(^|\s)([+*✓✔√]?\(?([A-Za-zА-Яа-яЁёӘәҒғҚқҢңӨөҰұҮүҺһІі])([.)]))\s{0,9}(?=[^\s.)])/gu;
const PLACES = 11;
/** After a stem two letters may be part of its sentence: «подпункты а) и б)». */
const FEWEST_BEHIND_STEM = 3;

interface Mark {
  readonly at: number;
  readonly letter: string;
  readonly sign: string;
}

/** The marks of consecutive options from this position on. */
function chainFrom(marks: readonly Mark[], place: number): readonly Mark[] {
  const chain: Mark[] = [];
  for (const mark of marks) {
    const last = chain.at(-1);
    // A letter cannot follow itself, though «В» is a third letter and looks like a second.
    const before = place === 0 ? chain.map(({ letter }) => letter) : [];
    const isNext =
      isLineLetterOf(mark.letter, place + chain.length, before) &&
      last?.letter.toLowerCase() !== mark.letter.toLowerCase();
    if (isNext && (chain[0] === undefined || chain[0].sign === mark.sign)) chain.push(mark);
  }
  return chain;
}

/** Where each of several options in the line begins; empty: there are not several. */
function startsOf(text: string, next: string): readonly number[] {
  const marks = [...text.matchAll(MARK)].map(
    ([, space = '', , letter = '', sign = ''], at, all): Mark => ({
      at: (all[at]?.index ?? 0) + space.length,
      letter,
      sign,
    }),
  );
  if (marks.length < 2) return [];
  if (marks[0]?.at === 0) {
    const chains = Array.from({ length: PLACES }, (_, place) => ({
      place,
      chain: isLetterOf(marks[0]?.letter ?? '', place) ? chainFrom(marks, place) : [],
    }));
    const { place, chain } = chains.reduce((best, one) =>
      one.chain.length > best.chain.length ? one : best,
    );
    const second = chain[1]?.letter.toLowerCase();
    const goesOn = optionMark(next, place + 1)?.letter.toLowerCase() === second;
    return second === undefined || goesOn ? [] : chain.map(({ at }) => at);
  }
  const chain = chainFrom(marks, 0);
  const hasOwnLines = optionMark(next, 0) !== null || numbered(next)?.number === 1;
  return chain.length < FEWEST_BEHIND_STEM || hasOwnLines ? [] : [0, ...chain.map(({ at }) => at)];
}

/** Splits options on one line, «а) 12 б) 21 в) 3», into separate lines. */
export function splitOptions(lines: readonly Line[]): Line[] {
  const texts = lines.map(plainOf);
  return lines.flatMap((line, index) => {
    const text = texts[index] ?? '';
    const starts = line.sides === undefined ? startsOf(text, textAfter(texts, index)) : [];
    if (starts.length === 0) return [line];
    return starts.map((start, at) => ({
      ...cutLine(line, start, text.length - (starts[at + 1] ?? text.length)),
      // Word's number belongs to the beginning of the line.
      numbering: at === 0 ? line.numbering : null,
      losses: at === 0 ? line.losses : [],
    }));
  });
}
