import type { AnswerRules } from '#domain/kinds/rules.ts';
import { isWholeOrder } from '#domain/ordering.ts';

export const orderingAnswers: AnswerRules<'ordering'> = {
  isAnswered: ({ itemIds }) => itemIds.length > 0,
  /** An incomplete order is invalid; an empty one clears the answer. */
  fits: ({ itemIds }, { items }) =>
    itemIds.length === 0 ||
    isWholeOrder(
      itemIds,
      items.map(({ itemId }) => itemId),
    ),
};
