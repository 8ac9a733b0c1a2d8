import type { Question } from '#contract/questions.ts';
import { questionRules } from './kinds/question-kinds.ts';

/** An empty question of one kind, with placeholders for its parts. */
export const newQuestion = <K extends Question['kind']>(
  kind: K,
  newId: () => string,
): Extract<Question, { kind: K }> =>
  ({
    questionId: newId(),
    text: '',
    points: 1,
    ...questionRules({ kind }).empty(newId),
  }) as unknown as Extract<Question, { kind: K }>;
