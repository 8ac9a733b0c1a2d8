import * as v from 'valibot';
import type { Gap } from '#contract/questions.ts';
import { withoutInvisible } from '#domain/format-typed.ts';
import { rightIds, type TypedKeyPart } from '#app/questions/typed-key-part.ts';

export const GapsKey = v.object({
  /** By `gapField`: ids of right options, or accepted texts, one per line. */
  gaps: v.optional(v.record(v.string(), v.union([v.array(v.string()), v.string()])), {}),
});

/** A name in the form: a number alone would be an index of a list. */
export const gapField = ({ gapId }: Gap): string => `gap${gapId}`;

/** An unchanged text retains its share and feedback; a new one earns all points. */
function gapWithKey(gap: Gap, typed: string | readonly string[] = ''): Gap {
  if (gap.input === 'choice') {
    const options = gap.options.map((option) => ({
      ...option,
      isRight: typed.includes(option.optionId),
    }));
    return { ...gap, options };
  }
  const known = new Map(gap.accepted.map((accepted) => [accepted.text, accepted]));
  const lines = (typeof typed === 'string' ? typed.split('\n') : typed).map((text) =>
    withoutInvisible(text).trim(),
  );
  const accepted = lines
    .filter((text) => text !== '')
    .map((text) => known.get(text) ?? { text, share: 1 });
  return { ...gap, accepted };
}

export const gapsKey: TypedKeyPart<'gaps', v.InferOutput<typeof GapsKey>> = {
  typed: ({ gaps }) => ({
    gaps: Object.fromEntries(
      gaps.map((gap) => [
        gapField(gap),
        gap.input === 'choice'
          ? rightIds(gap.options)
          : gap.accepted.map(({ text }) => text).join('\n'),
      ]),
    ),
  }),
  read: (question, typed) => ({
    ...question,
    gaps: question.gaps.map((gap) => gapWithKey(gap, typed.gaps[gapField(gap)])),
  }),
  fieldOf({ gaps }, part, index) {
    const gap = part === 'gaps' ? gaps[Number(index)] : undefined;
    return gap && `gaps.${gapField(gap)}`;
  },
};
