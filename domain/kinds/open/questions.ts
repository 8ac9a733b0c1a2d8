import { acceptedKeyProblems, acceptedProblems } from '#domain/kinds/accepted.ts';
import type { QuestionRules } from '#domain/kinds/rules.ts';
import { matchedAnswers } from '#domain/matched-answers.ts';

/** Typed words or a number; without accepted answers, graded by hand. */
export const openQuestions: QuestionRules<'open'> = {
  empty: () => ({
    kind: 'open',
    input: 'line',
    accepted: [{ text: '', share: 1 }],
    tolerance: 0,
  }),
  arrange: (shown) => shown,
  problems: acceptedProblems,
  keyProblems: ({ accepted, tolerance }) =>
    acceptedKeyProblems(accepted, tolerance).map(({ index, field, message }) => ({
      field: `question.accepted.${index}.${field}`,
      message,
    })),
  withKeyOf: (question, { accepted, tolerance }) => ({ ...question, accepted, tolerance }),
  isGradedByHand: ({ accepted }) => accepted.length === 0,
  share: (question, { text }) => matchedAnswers(question, text)[0]?.share ?? 0,
  key: ({ accepted, tolerance }) => [accepted, tolerance],
  answerText: ({ text }) => text.trim(),
  keyText: ({ accepted }) =>
    accepted.length === 0
      ? null
      : accepted
          .filter(({ share }) => share > 0)
          .map(({ text }) => text)
          .join('; '),
};
