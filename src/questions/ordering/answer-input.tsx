import { formatCount } from '#domain/format.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import type { AnswerFieldProps, AnswerInput } from '#app/questions/answer-field.ts';
import { OPENING } from '#app/questions/waiting.tsx';

const OrderingField = lazyPart(
  () => import('#app/ui/taking/OrderingField.tsx'),
  (module) => module.OrderingField,
);

function AnswerField(props: AnswerFieldProps<'ordering'>) {
  const { question, answer, store, locked, labelledBy } = props;
  const { questionId, items } = question;
  return (
    <OrderingField
      waiting={OPENING}
      items={items}
      order={answer?.itemIds ?? []}
      labelledBy={labelledBy}
      locked={locked}
      renderText={renderInline}
      onChange={(itemIds) => store.choose({ questionId, kind: 'ordering', itemIds })}
    />
  );
}

const ITEMS = ['пункт', 'пункта', 'пунктов'] as const;

export const orderingInput: AnswerInput<'ordering'> = {
  Field: AnswerField,
  preload: () => OrderingField.preload(),
  summary: ({ itemIds }) => `Расставлено: ${formatCount(itemIds.length, ITEMS)}`,
};
