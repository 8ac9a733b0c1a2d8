import type { Question } from '#contract/questions.ts';

/** The bank entry of a question: that of its origin, or its own. */
export const bankEntryId = ({ questionId, origin }: Question): string =>
  origin?.kind === 'bank' ? origin.entryId : questionId;

/** A question for another test: a mistake that was credited in one test is not credited in the other. */
export function withoutCredit(question: Question): Question {
  const { credit: _, ...rest } = question;
  return rest;
}

/** The same question for another position: with a new id, but the same bank entry. */
export function copiedQuestion(question: Question, newId: () => string): Question {
  const { variantOf: _, ...alone } = withoutCredit(question);
  return {
    ...alone,
    questionId: newId(),
    origin: { kind: 'bank', entryId: bankEntryId(question) },
  };
}
