import type { AnswerRules } from '#domain/kinds/rules.ts';
import { isWholeOrder } from '#domain/ordering.ts';

export const orderingAnswers: AnswerRules<'ordering'> = {
  isAnswered: ({ itemIds }) => itemIds.length > 0,
  /** A part of an order says nothing; empty clears the answer. */
  fits: ({ itemIds }, { items }) =>
    itemIds.length === 0 ||
    isWholeOrder(
      itemIds,
      items.map(({ itemId }) => itemId),
    ),
};
