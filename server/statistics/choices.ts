import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import type { ItemStatistics } from '#contract/statistics.ts';
import {
  choiceRules,
  NOTHING_LISTED,
  type Choices,
  type ListedChoices,
  type Normalise,
  type ChoiceTally,
} from './choice-kinds.ts';

/**
 * What the answers to an item choose, each set of choices once: 2,000 answers to a question with four options have few
 * different sets.
 */
export interface ChoiceSets {
  readonly indexes: Map<string, number>;
  /** Keys of choices, by index. */
  readonly keys: (readonly string[])[];
}

/** Index of the set that an answer chooses; it is of the question's kind. */
export function indexOfChoices(
  sets: ChoiceSets,
  question: Question,
  answer: Answer,
  normalise: Normalise,
): number {
  return indexOfSet(sets, choiceRules(answer)?.keys(answer, question, normalise) ?? []);
}

function indexOfSet({ indexes, keys }: ChoiceSets, chosen: readonly string[]): number {
  const id = chosen.join('\u0000');
  const known = indexes.get(id);
  if (known !== undefined) return known;
  indexes.set(id, keys.length);
  return keys.push([...new Set(chosen)]) - 1;
}

/**
 * Maps an index of former sets to one of other sets. Texts that nobody chooses any more, such as those of an erased
 * person, are not copied.
 */
export function choicesCopier(former: ChoiceSets, to: ChoiceSets): (index: number) => number {
  const indexes: number[] = [];
  return (index) => {
    const chosen = former.keys[index];
    return chosen ? (indexes[index] ??= indexOfSet(to, chosen)) : -1;
  };
}

/**
 * Counts the choices of all attempts.
 * @param chosen by attempt, the index of its set; negative: no answer
 * @param scores by attempt, the score at the rest of the test; NaN: nothing else of it is graded
 */
export function tallyChoices(
  { keys }: ChoiceSets,
  chosen: Int32Array,
  scores: Float64Array,
): Choices {
  const sets = keys.map((): ChoiceTally => ({ count: 0, rest: 0, rests: 0 }));
  chosen.forEach((index, attempt) => {
    const found = sets[index];
    if (!found) return;
    found.count += 1;
    const rest = scores[attempt] ?? Number.NaN;
    if (Number.isNaN(rest)) return;
    found.rest += rest;
    found.rests += 1;
  });
  const choices: Choices = new Map();
  for (const [index, { count, rest, rests }] of sets.entries()) {
    if (count === 0) continue;
    for (const key of keys[index] ?? []) {
      const found = choices.get(key) ?? { count: 0, rest: 0, rests: 0 };
      found.count += count;
      found.rest += rest;
      found.rests += rests;
      choices.set(key, found);
    }
  }
  return choices;
}

/**
 * Distractor analysis: how often each choice was made, and how good those who made it are at the rest of the
 * test. A wrong choice of strong students hints at a wrong key (Crocker & Algina 1986, ch. 14).
 * @param versions the item's versions, the newest first
 * @param counts attempts with an answer to it, and those in which it is graded
 */
export function listChoices(
  versions: readonly Question[],
  choices: Choices,
  counts: Pick<ItemStatistics, 'answered' | 'graded'>,
): ListedChoices {
  const [newest] = versions;
  const others = { ...NOTHING_LISTED, otherAnswers: counts.answered };
  if (!newest) return others;
  const same = versions.filter(({ kind }) => kind === newest.kind);
  return choiceRules(newest)?.list(newest, same, choices, counts) ?? others;
}
