import * as v from 'valibot';
import type { TemplateGap } from '#contract/templates.ts';
import { gapIdsIn } from '#domain/format-gaps.ts';
import { whole } from '#app/features/generation/kinds/compiled-parts.ts';
import type { TemplateKeyRules } from '#app/features/generation/kinds/rules.ts';
import type { TemplateReader } from '#app/features/generation/template/reader.ts';
import { TemplateError } from '#app/features/generation/template/template-error.ts';
import { compileGap } from './compiled-gap.ts';
import { GapForm, readGap, typedGap } from './gap-form.ts';

export const GapsForm = v.object({ gaps: v.optional(v.array(GapForm), []) });
type GapsForm = v.InferOutput<typeof GapsForm>;

export const NO_GAPS: GapsForm = { gaps: [] };

/** Notes gaps without a place in the text, places without a gap, and repetitions. */
function compileGaps(reader: TemplateReader, gaps: readonly TemplateGap[], source: string) {
  const places = gapIdsIn(source);
  const ids = gaps.map(({ gapId }) => gapId);
  if (gaps.length === 0) reader.note('gaps', 'Добавьте в текст хотя бы один пропуск');
  const twice = places.find((gapId, index) => places.indexOf(gapId) < index);
  if (twice !== undefined) reader.note('text', `Пропуск [[${twice}]] стоит в тексте дважды`);
  const unknown = places.find((gapId) => !ids.includes(gapId));
  if (unknown !== undefined && gaps.length > 0)
    reader.note('text', `В тексте есть [[${unknown}]], а такого пропуска нет`);
  return whole(
    gaps.map((gap, index) => {
      const at = `gaps.${index}`;
      if (!places.includes(gap.gapId))
        reader.note(
          `${at}.input`,
          `В тексте нет [[${gap.gapId}]]: впишите его на место пропуска или уберите пропуск`,
        );
      if (ids.indexOf(gap.gapId) < index)
        reader.note(`${at}.input`, `Пропуск ${gap.gapId} уже есть выше`);
      return compileGap(reader, gap, at);
    }),
  );
}

/** Words, numbers and lists in the text. */
export const gapsKey: TemplateKeyRules<'gaps', GapsForm> = {
  fieldNames: { gaps: 'Пропуски' },
  itemName: ({ gaps }, index) => `Пропуск ${gaps[index]?.gapId ?? ''}`,
  typed: ({ gaps }) => ({ gaps: gaps.map(typedGap) }),
  read: ({ gaps }, problems) => ({
    kind: 'gaps',
    gaps: gaps.map((gap, index) => readGap(gap, `gaps.${index}`, problems)),
  }),
  compile(reader, { gaps }, source) {
    const compiled = compileGaps(reader, gaps, source);
    if (!compiled) return null;
    const places = gapIdsIn(source);
    return (values, text) => {
      const made = gapIdsIn(text).find((gapId, index) => gapId !== places[index]);
      if (made !== undefined)
        throw new TemplateError(`Число из текста становится номером пропуска: [[${made}]]`);
      const drawn = compiled.map((gap) => gap(values));
      return {
        shown: drawn.map(({ shown }) => shown),
        fields: (newId) => ({ kind: 'gaps', gaps: drawn.map(({ make }) => make(newId)) }),
      };
    };
  },
};
