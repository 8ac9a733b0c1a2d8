import { normaliseText } from './normalise.ts';

/** The parts of a question used for similarity. */
export interface Likeable {
  readonly questionId: string;
  readonly text: string;
}

/** Similarity threshold of duplicates, tuned on questions of one topic. */
const ALIKE = 0.72;
/** Shorter words are ignored. */
const WORD = 3;
/** Prefix length, since Russian endings vary by case and number. */
const STEM = 6;

const plain = (text: string) =>
  normaliseText(text)
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Prefixes of its longer words, and its numbers. */
function stemsOf(text: string): ReadonlySet<string> {
  const words = plain(text).split(' ');
  return new Set(
    words
      .filter((word) => word.length >= WORD || /\d/.test(word))
      .map((word) => word.slice(0, STEM)),
  );
}

/** Dice coefficient of two word sets, 0 to 1. */
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let both = 0;
  for (const word of a) if (b.has(word)) both += 1;
  return (2 * both) / (a.size + b.size);
}

/** Whether the numbers of two texts differ: then they are different exercises. */
const numbersOf = (text: string) =>
  Array.from(plain(text).matchAll(/\d+/g), ([number]) => number)
    .sort()
    .join(' ');

/** The first duplicate among the others; null: none. */
export function similarTo<T extends Likeable>(question: Likeable, others: readonly T[]): T | null {
  const words = plain(question.text);
  if (words === '') return null;
  const stems = stemsOf(question.text);
  const numbers = numbersOf(question.text);
  return (
    others.find(
      (other) =>
        other.questionId !== question.questionId &&
        (plain(other.text) === words ||
          (numbersOf(other.text) === numbers && shared(stems, stemsOf(other.text)) >= ALIKE)),
    ) ?? null
  );
}
