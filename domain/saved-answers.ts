import {
  ANSWER_GROUPS,
  NO_SAVED_ANSWERS,
  type SavedAnswer,
  type SavedAnswers,
} from '#contract/answers.ts';

const GROUPS = Object.values(ANSWER_GROUPS);

/** The answers of all groups, in the order of the groups. */
export const listSaved = (saved: SavedAnswers): SavedAnswer[] =>
  GROUPS.flatMap((group): readonly SavedAnswer[] => saved[group]);

/** Answers in the groups of their kinds, each group in the given order. */
export function groupSaved(answers: readonly SavedAnswer[]): SavedAnswers {
  const groups: Record<string, SavedAnswer[]> = structuredClone(NO_SAVED_ANSWERS);
  for (const answer of answers) groups[ANSWER_GROUPS[answer.kind]]?.push(answer);
  return groups as unknown as SavedAnswers;
}
