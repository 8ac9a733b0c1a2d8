import * as v from 'valibot';
import { ids, rightIds, type TypedKeyPart } from '#app/questions/typed-key-part.ts';

export const VariantKey = v.object({
  /** Ids of the right options. */
  right: ids,
  scoring: v.optional(v.picklist(['partial', 'allOrNothing']), 'partial'),
});

export const variantKey: TypedKeyPart<'variant', v.InferOutput<typeof VariantKey>> = {
  typed: ({ options, scoring }) => ({ right: rightIds(options), scoring }),
  read: (question, { right, scoring }) => ({
    ...question,
    scoring,
    options: question.options.map((option) => ({
      ...option,
      isRight: right.includes(option.optionId),
    })),
  }),
  fieldOf: (_, part) => (part === 'options' ? 'right' : undefined),
};
