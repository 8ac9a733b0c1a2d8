import { isDoubled } from '#domain/kinds/ids.ts';
import type { AnswerRules } from '#domain/kinds/rules.ts';

export const variantAnswers: AnswerRules<'variant'> = {
  isAnswered: ({ optionIds }) => optionIds.length > 0,
  fits({ optionIds }, { options, multiple }) {
    const known = new Set(options.map(({ optionId }) => optionId));
    return (
      !isDoubled(optionIds) &&
      optionIds.every((id) => known.has(id)) &&
      (multiple || optionIds.length <= 1)
    );
  },
};
