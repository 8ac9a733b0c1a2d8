import * as v from 'valibot';
import { parts, text } from './fields.ts';
import type { AiRules } from './rules.ts';

const Written = v.object({ items: parts(text) });

export const aiOrdering: AiRules<'ordering'> = {
  form: `{"kind":"ordering","text":"…","items":["first","second","third"],"explanation":"…","difficulty":"medium","points":2}
  Three to seven items in the one right order; they are shown shuffled. No item may tell its own place.`,
  unclear: { items: 'пункты записаны непонятно' },
  read: (newId) =>
    v.pipe(
      Written,
      v.transform(({ items }) => ({
        items: items.map((words) => ({ itemId: newId(), text: words })),
      })),
    ),
  write: ({ items }) => ({ items: items.map((item) => item.text) }),
};
