import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { answerRules } from './kinds/answer-kinds.ts';

export type Misfit = 'UNKNOWN_QUESTION' | 'INVALID_ANSWER';

/** Checks that an answer can belong to this question: kind and ids agree. Null: it fits. */
export function answerMisfit(answer: Answer, question: Question | undefined): Misfit | null {
  if (!question) return 'UNKNOWN_QUESTION';
  const fits = answer.kind === question.kind && answerRules(answer).fits(answer, question);
  return fits ? null : 'INVALID_ANSWER';
}
