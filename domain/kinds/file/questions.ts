import { FILE_BYTES } from '#contract/limits.ts';
import { answerFiles } from '#domain/answer-files.ts';
import type { QuestionRules } from '#domain/kinds/rules.ts';

/** Files that a person grades. */
export const fileQuestions: QuestionRules<'file'> = {
  empty: () => ({ kind: 'file', maxBytes: FILE_BYTES, accept: [] }),
  arrange: (shown) => shown,
  problems: () => [],
  keyProblems: () => [],
  withKeyOf: (question) => question,
  isGradedByHand: () => true,
  share: () => 0,
  key: () => null,
  answerText: (answer) =>
    answerFiles(answer)
      .map(({ name }) => name)
      .join('; '),
  keyText: () => null,
};
