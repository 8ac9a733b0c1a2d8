import { answerFiles, maxFilesOf } from '#domain/answer-files.ts';
import { isDoubled } from '#domain/kinds/ids.ts';
import type { AnswerRules } from '#domain/kinds/rules.ts';

export const fileAnswers: AnswerRules<'file'> = {
  isAnswered: ({ fileId }) => fileId !== null,
  isGradedByHand: () => true,
  /** Each file once, none after a null one. */
  fits(answer, question) {
    const files = answerFiles(answer);
    return (
      (answer.fileId !== null || (answer.more ?? []).length === 0) &&
      files.length <= maxFilesOf(question) &&
      !isDoubled(files.map(({ fileId }) => fileId)) &&
      files.every(({ size }) => size <= question.maxBytes)
    );
  },
};
