import type { Question } from '#contract/questions.ts';
import { comparableAnswer, matchesAccepted, type ComparableAnswer } from './normalise.ts';

/** A question, or one gap of a text. */
type Open = Pick<Extract<Question, { kind: 'open' }>, 'accepted' | 'tolerance'>;
type Accepted = Open['accepted'][number];

/** Characters of typed answers in the cache; the oldest is evicted first. */
const REMEMBERED_CHARACTERS = 4_000_000;

const keys = new WeakMap<Accepted, ComparableAnswer>();
const numbers = new WeakMap<Open, number>();
const matches = new Map<string, readonly Accepted[]>();
let lastNumber = 0;
let remembered = 0;

function keyOf(accepted: Accepted): ComparableAnswer {
  const known = keys.get(accepted) ?? comparableAnswer(accepted.text);
  keys.set(accepted, known);
  return known;
}

function numberOf(question: Open): number {
  const known = numbers.get(question) ?? (lastNumber += 1);
  numbers.set(question, known);
  return known;
}

function remember(name: string, found: readonly Accepted[]): void {
  matches.set(name, found);
  remembered += name.length;
  for (const oldest of matches.keys()) {
    if (remembered <= REMEMBERED_CHARACTERS) return;
    matches.delete(oldest);
    remembered -= oldest.length;
  }
}

/**
 * The accepted answers that a typed one equals, each by its own tolerance, the highest share first. A pair of
 * question and text is judged once and cached: questions are immutable, a corrected key makes another question.
 */
export function matchedAnswers(question: Open, typed: string): readonly Accepted[] {
  const name = `${numberOf(question)} ${typed}`;
  const known = matches.get(name);
  if (known) return known;
  const comparable = comparableAnswer(typed);
  const found = question.accepted
    .filter((accepted) =>
      matchesAccepted(comparable, keyOf(accepted), accepted.tolerance ?? question.tolerance),
    )
    .sort((a, b) => b.share - a.share);
  remember(name, found);
  return found;
}

/** The feedback to a typed answer; empty: none. */
export const answerFeedback = (question: Open, typed: string): string =>
  matchedAnswers(question, typed).find(({ feedback }) => feedback)?.feedback ?? '';

/**
 * The text for grouping equal answers to a question. It earns the same as the typed one: «KOT» in Latin letters is
 * grouped with «кот», as which it is marked.
 */
export function groupingText(
  question: Open,
  typed: string,
  normalise: (text: string) => string,
): string {
  const own = normalise(typed);
  const [best] = matchedAnswers(question, typed);
  if (best === undefined || matchedAnswers(question, own)[0] === best) return own;
  const { readings } = comparableAnswer(typed);
  return readings.find((reading) => matchedAnswers(question, reading)[0] === best) ?? own;
}
