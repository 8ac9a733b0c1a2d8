import type { Answer } from '#contract/answers.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import type { Kind } from '#domain/kinds/rules.ts';
import type { AnswerInput } from './answer-field.ts';
import { complianceInput } from './compliance/answer-input.tsx';
import { fileInput } from './file/answer-input.tsx';
import { gapsInput } from './gaps/answer-input.tsx';
import { openInput } from './open/answer-input.tsx';
import { orderingInput } from './ordering/answer-input.tsx';
import { variantInput } from './variant/answer-input.tsx';

const INPUTS: { readonly [K in Kind]: AnswerInput<K> } = {
  open: openInput,
  variant: variantInput,
  compliance: complianceInput,
  ordering: orderingInput,
  gaps: gapsInput,
  file: fileInput,
};

/** The answer field for questions of this kind. */
export const answerInput = <K extends Kind>({ kind }: { readonly kind: K }): AnswerInput<K> =>
  INPUTS[kind];

/** Loads ahead of time the fields that some questions need. */
export function preloadFields(questions: readonly StudentQuestion[]): void {
  for (const question of questions) answerInput(question).preload?.(question);
}

/** Whether the field of a question draws its text. */
export const holdsText = (question: StudentQuestion): boolean =>
  answerInput(question).holdsText?.(question) ?? false;

/** Number of digit keys that choose something in a question. */
export const digitsOf = (question: StudentQuestion): number =>
  answerInput(question).digits?.(question) ?? 0;

/** An answer of the question's own kind; one of another kind belongs to an earlier version of the question. */
export const ownAnswer = (
  question: Pick<StudentQuestion, 'kind'>,
  answer: Answer | null,
): Answer | null => (answer?.kind === question.kind ? answer : null);

/** The answer after a digit from 1 was pressed; null: it chooses nothing. */
export const pressDigit = (
  question: StudentQuestion,
  answer: Answer | null,
  digit: number,
): Answer | null =>
  answerInput(question).press?.(question, ownAnswer(question, answer), digit) ?? null;

/** A short text for an answer without its question. */
export const summaryOf = (answer: Answer): string => answerInput(answer).summary(answer);

/** Whether a change of the answer is spoken at once; typing is not interrupted. */
export const isSpoken = (answer: Answer): boolean => answerInput(answer).spoken !== undefined;

/** The announcement of a changed answer for screen readers; empty: none. */
export const announcementOf = (answer: Answer, labelledBy: string): string =>
  answerInput(answer).spoken?.(answer, labelledBy) ?? '';
