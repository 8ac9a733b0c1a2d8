import * as v from 'valibot';
import type { TypedKeyPart } from '#app/questions/typed-key-part.ts';

export const ComplianceKey = v.object({
  /** Right-column ids by `leftField`; empty: no pair. */
  pairs: v.optional(v.record(v.string(), v.string()), {}),
});

/** A name in the form: a number alone would be an index of a list, and an id may contain dots. */
export const leftField = (place: number): string => `left${place}`;

export const complianceKey: TypedKeyPart<'compliance', v.InferOutput<typeof ComplianceKey>> = {
  typed({ left, pairs }) {
    const paired = new Map(pairs.map(({ leftId, rightId }) => [leftId, rightId]));
    return {
      pairs: Object.fromEntries(
        left.map(({ leftId }, place) => [leftField(place), paired.get(leftId) ?? '']),
      ),
    };
  },
  read: (question, typed) => ({
    ...question,
    pairs: question.left.flatMap(({ leftId }, place) => {
      const rightId = typed.pairs[leftField(place)] ?? '';
      return rightId === '' ? [] : [{ leftId, rightId }];
    }),
  }),
  fieldOf: (_, part) => (part === 'pairs' ? `pairs.${leftField(0)}` : undefined),
};
