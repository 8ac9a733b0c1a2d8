import * as v from 'valibot';
import { ItemOrder } from '#contract/templates.ts';
import { refuseRepeated, whole } from '#app/features/generation/kinds/compiled-parts.ts';
import { optionalText, type TemplateKeyRules } from '#app/features/generation/kinds/rules.ts';
import { isSame } from '#app/features/generation/template/expression.ts';
import { TemplateError } from '#app/features/generation/template/template-error.ts';

const ItemForm = v.object({ text: v.string(), value: optionalText });
type ItemForm = v.InferOutput<typeof ItemForm>;

export const ItemsForm = v.object({
  order: v.optional(ItemOrder, 'given'),
  items: v.optional(v.array(ItemForm), []),
});
export type ItemsForm = v.InferOutput<typeof ItemsForm>;

export const newItem = (): ItemForm => ({ text: '', value: '' });
export const NEW_ITEMS: ItemsForm = { order: 'given', items: [newItem(), newItem(), newItem()] };

/** Items in the written order, or ordered by their values. */
export const orderingKey: TemplateKeyRules<'ordering', ItemsForm> = {
  fieldNames: { items: 'Пункты' },
  itemName: (_, index) => `Пункт ${index + 1}`,
  typed: ({ order, items }) => ({ order, items }),
  read: ({ order, items }) => ({ kind: 'ordering', order, items }),
  compile(reader, { items, order }) {
    if (items.length < 2) reader.note('items', 'Нужны хотя бы два пункта');
    const compiled = whole(
      items.map((item, index) => {
        const at = `items.${index}`;
        const text = reader.filledText(`${at}.text`, item.text, 'Введите текст пункта');
        if (order === 'given') return text && { text, value: () => index };
        const value = reader.expression(`${at}.value`, item.value);
        return text && value && { text, value: value.evaluate };
      }),
    );
    if (!compiled) return null;
    const sign = order === 'descending' ? -1 : 1;
    return (values) => {
      const drawn = compiled
        .map(({ text, value }) => ({ text: text.write(values), value: value(values) * sign }))
        .sort((a, b) => a.value - b.value);
      const texts = drawn.map(({ text }) => text);
      refuseRepeated('Пункты', texts);
      const level = drawn.findIndex(({ value }, at) => isSame(value, drawn[at + 1]?.value ?? NaN));
      if (level >= 0)
        throw new TemplateError(
          `Пункты «${texts[level]}» и «${texts[level + 1]}» стоят на одном месте: их значения равны`,
        );
      return {
        shown: texts,
        fields: (newId) => ({
          kind: 'ordering',
          items: texts.map((text) => ({ itemId: newId(), text })),
        }),
      };
    };
  },
};
