import { isDoubled } from '#domain/kinds/ids.ts';
import type { AnswerRules } from '#domain/kinds/rules.ts';

export const complianceAnswers: AnswerRules<'compliance'> = {
  isAnswered: ({ pairs }) => pairs.length > 0,
  fits({ pairs }, question) {
    const left = new Set(question.left.map(({ leftId }) => leftId));
    const right = new Set(question.right.map(({ rightId }) => rightId));
    return (
      !isDoubled(pairs.map(({ leftId }) => leftId)) &&
      pairs.every(({ leftId, rightId }) => left.has(leftId) && right.has(rightId))
    );
  },
};
