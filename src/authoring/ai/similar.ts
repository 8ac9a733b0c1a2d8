import { normaliseText } from '#domain/normalise.ts';

/** A question as far as its likeness to others goes. */
export interface Likeable {
  readonly questionId: string;
  readonly text: string;
}

/** Above it two questions ask for the same: found by trying, on questions of one topic. */
const ALIKE = 0.72;
/** Words shorter than this are little ones. */
const WORD = 3;
/** Endings differ by case and number. */
const STEM = 6;

const plain = (text: string) =>
  normaliseText(text)
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Beginnings of its longer words, and its numbers. */
function stemsOf(text: string): ReadonlySet<string> {
  const words = plain(text).split(' ');
  return new Set(
    words
      .filter((word) => word.length >= WORD || /\d/.test(word))
      .map((word) => word.slice(0, STEM)),
  );
}

/** How much two sets of words share, from 0 to 1 (Dice). */
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let both = 0;
  for (const word of a) if (b.has(word)) both += 1;
  return (2 * both) / (a.size + b.size);
}

/** Whether the numbers of two texts differ: then they are two exercises of one kind. */
const numbersOf = (text: string) =>
  Array.from(plain(text).matchAll(/\d+/g), ([number]) => number)
    .sort()
    .join(' ');

/** The first of the others that asks for the same; null: none does. */
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
