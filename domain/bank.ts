import type { Question } from '#contract/questions.ts';

/** The bank entry of a question: that of its origin, or its own. */
export const bankEntryId = ({ questionId, origin }: Question): string =>
  origin?.kind === 'bank' ? origin.entryId : questionId;

/** The same question for another position: with a new id, and still the same bank entry. */
export function copiedQuestion(question: Question, newId: () => string): Question {
  const { variantOf: _, ...alone } = question;
  return {
    ...alone,
    questionId: newId(),
    origin: { kind: 'bank', entryId: bankEntryId(question) },
  };
}
