import * as v from 'valibot';
import { withSharedRight } from '#domain/shared-right.ts';
import { parts, text } from './fields.ts';
import type { AiRules } from './rules.ts';

const Written = v.object({
  pairs: parts(v.object({ left: text, right: text })),
  extra: v.optional(parts(text), []),
});

export const aiCompliance: AiRules<'compliance'> = {
  form: `{"kind":"compliance","text":"…","pairs":[{"left":"…","right":"…"}],"extra":["a right item without a pair"],"explanation":"…","difficulty":"hard","points":2}
  Three to six pairs, all left items differ, all right items differ; "extra" may be empty.`,
  unclear: {
    pairs: 'пары записаны непонятно',
    extra: 'лишние элементы записаны непонятно',
  },
  read: (newId) =>
    v.pipe(
      Written,
      v.transform((written) => {
        const pairs = written.pairs.map((pair) => ({ ...pair, leftId: newId(), rightId: newId() }));
        const spare = written.extra.map((words) => ({ rightId: newId(), text: words }));
        return withSharedRight({
          shuffle: true,
          left: pairs.map(({ leftId, left }) => ({ leftId, text: left })),
          right: [...pairs.map(({ rightId, right }) => ({ rightId, text: right })), ...spare],
          pairs: pairs.map(({ leftId, rightId }) => ({ leftId, rightId })),
        });
      }),
    ),
  write({ left, right, pairs }) {
    const rightOf = new Map(pairs.map(({ leftId, rightId }) => [leftId, rightId]));
    const used = new Set(rightOf.values());
    const textOf = (id: string | undefined) =>
      right.find(({ rightId }) => rightId === id)?.text ?? '';
    return {
      pairs: left.map((one) => ({ left: one.text, right: textOf(rightOf.get(one.leftId)) })),
      extra: right.filter(({ rightId }) => !used.has(rightId)).map((one) => one.text),
    };
  },
};
