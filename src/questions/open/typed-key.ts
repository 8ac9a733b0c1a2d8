import * as v from 'valibot';
import { withoutInvisible } from '#domain/format-typed.ts';
import { parseNumber } from '#domain/normalise.ts';
import { line, plain, type TypedKeyPart } from '#app/questions/typed-key-part.ts';

export const OpenKey = v.object({
  /** `origin`: the index of the answer in the question, '' for a new one; `share`: percent. */
  accepted: v.optional(
    v.array(v.object({ origin: line, text: v.string(), share: v.string() })),
    [],
  ),
  tolerance: v.optional(v.string(), '0'),
});

export const openKey: TypedKeyPart<'open', v.InferOutput<typeof OpenKey>> = {
  typed: ({ accepted, tolerance }) => ({
    accepted: accepted.map(({ text, share }, place) => ({
      origin: String(place),
      text,
      share: plain(share * 100),
    })),
    tolerance: plain(tolerance),
  }),
  read(question, typed, problems) {
    const tolerance = parseNumber(typed.tolerance) ?? -1;
    if (tolerance < 0) problems.set('tolerance', 'Напишите число, например 0,05');
    const accepted = typed.accepted.map(({ origin, text, share }, index) => {
      const percent = parseNumber(share);
      const isShare = percent !== null && percent >= 0 && percent <= 100;
      if (!isShare) problems.set(`accepted.${index}.share`, 'От 0 до 100');
      const unedited = origin === '' ? undefined : question.accepted[Number(origin)];
      return { ...unedited, text: withoutInvisible(text).trim(), share: (percent ?? 0) / 100 };
    });
    return { ...question, accepted, tolerance: Math.max(0, tolerance) };
  },
};
