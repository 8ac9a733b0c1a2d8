import type { Question } from '#contract/questions.ts';

/** The bank's entry that a question is: that of its origin, or its own. */
export const bankEntryId = ({ questionId, origin }: Question): string =>
  origin?.kind === 'bank' ? origin.entryId : questionId;

/** The same question for another place: an id of its own, and still the same entry of the bank. */
export function copiedQuestion(question: Question, newId: () => string): Question {
  const { variantOf: _, ...alone } = question;
  return {
    ...alone,
    questionId: newId(),
    origin: { kind: 'bank', entryId: bankEntryId(question) },
  };
}
