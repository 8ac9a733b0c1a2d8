import * as v from 'valibot';
import { withGapPlaces } from '#domain/format-gaps.ts';
import {
  accepted,
  options,
  parts,
  readAccepted,
  readOptions,
  tolerance,
  writeAccepted,
  writeOptions,
} from './fields.ts';
import type { AiRules } from './rules.ts';

const Written = v.object({
  gaps: parts(
    v.object({
      input: v.fallback(v.picklist(['line', 'number', 'choice']), 'line'),
      accepted,
      tolerance,
      options: v.optional(options, []),
    }),
  ),
});

export const aiGaps: AiRules<'gaps'> = {
  form: `{"kind":"gaps","text":"Water boils at [[1]] °C and turns into [[2]].","gaps":[{"input":"number","accepted":[{"text":"100","share":1}],"tolerance":0},{"input":"choice","options":[{"text":"steam","right":true},{"text":"ice","right":false}]}],"explanation":"…","difficulty":"easy","points":2}
  One to six gaps; [[1]] in the text is the place of the first of "gaps", [[2]] of the second, each once. "input" is "choice" (a list of options), "line" (a word or two, every usual spelling) or "number".`,
  unclear: { gaps: 'пропуски записаны непонятно' },
  read: (newId) =>
    v.pipe(
      Written,
      v.transform(({ gaps }) => ({
        gaps: gaps.map(({ input, ...gap }, index) => ({
          gapId: String(index + 1),
          input,
          ...(input === 'choice'
            ? { options: readOptions(gap.options, newId) }
            : { accepted: readAccepted(gap.accepted), tolerance: gap.tolerance }),
        })),
      })),
    ),
  /** Gaps by their numbers, with the marks in the text unchanged. */
  write(question) {
    const places = [...question.gaps].sort((a, b) => Number(a.gapId) - Number(b.gapId));
    const numbers = new Map(places.map(({ gapId }, index) => [gapId, index + 1]));
    return {
      text: withGapPlaces(question.text, (gapId) => `[[${numbers.get(gapId) ?? gapId}]]`),
      gaps: places.map((gap) =>
        gap.input === 'choice'
          ? { input: gap.input, options: writeOptions(gap.options) }
          : {
              input: gap.input,
              tolerance: gap.tolerance,
              accepted: writeAccepted(gap.accepted),
            },
      ),
    };
  },
};
