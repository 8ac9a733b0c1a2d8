import * as v from 'valibot';
import { ids, type TypedKeyPart } from '#app/questions/typed-key-part.ts';

export const OrderingKey = v.object({
  /** Ids of the items in the right order. */
  order: ids,
});

export const orderingKey: TypedKeyPart<'ordering', v.InferOutput<typeof OrderingKey>> = {
  typed: ({ items }) => ({ order: items.map(({ itemId }) => itemId) }),
  read(question, { order }) {
    const items = new Map(question.items.map((item) => [item.itemId, item]));
    return { ...question, items: order.flatMap((itemId) => items.get(itemId) ?? []) };
  },
};
