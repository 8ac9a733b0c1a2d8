import type { StudentQuestion } from '#contract/questions.ts';

/** Whether a person grades it, as far as a student's question tells: files and long texts. */
export function isGradedByHand(question: StudentQuestion): boolean {
  return question.kind === 'file' || (question.kind === 'open' && question.input === 'text');
}
