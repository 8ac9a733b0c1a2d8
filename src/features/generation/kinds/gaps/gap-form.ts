import * as v from 'valibot';
import { TemplateGap } from '#contract/templates.ts';
import { gapIdsIn } from '#domain/format-gaps.ts';
import { withPlacedGaps } from '#domain/gaps.ts';
import { readTolerance, typed } from '#app/features/generation/number-reader.ts';
import { optionalText } from '#app/features/generation/kinds/rules.ts';

/** Form state of a gap; only the properties of its input are used. Words and wrong options: one per line. */
export const GapForm = v.object({
  gapId: v.string(),
  input: v.picklist(TemplateGap.options.map(({ entries }) => entries.input.literal)),
  accepted: optionalText,
  answer: optionalText,
  tolerance: optionalText,
  right: optionalText,
  wrong: optionalText,
});
export type GapForm = v.InferOutput<typeof GapForm>;

/** A gap that replaces selected text: a computed number, or a word. */
export function newGap(gapId: string, word: string): GapForm {
  const expression = /^\{\{([^{}]+)\}\}$/.exec(word)?.[1]?.trim();
  return {
    gapId,
    input: expression === undefined ? 'line' : 'number',
    accepted: expression === undefined ? word : '',
    answer: expression ?? '',
    tolerance: '0',
    right: '',
    wrong: '',
  };
}

const isUntouched = ({ accepted, answer, right, wrong }: GapForm) =>
  [accepted, answer, right, wrong].every((text) => text.trim() === '');

/** The gaps after a change of the text: a new mark gets a gap, an empty gap without a mark is removed. */
export function gapsOfText(gaps: readonly GapForm[], text: string): GapForm[] {
  const places = new Set(gapIdsIn(text));
  const stay = gaps.filter((gap) => places.has(gap.gapId) || !isUntouched(gap));
  return withPlacedGaps(stay, text, (gapId) => newGap(gapId, ''));
}

export function typedGap(gap: TemplateGap): GapForm {
  const empty = newGap(gap.gapId, '');
  const { input } = gap;
  switch (input) {
    case 'line':
      return { ...empty, input, accepted: gap.accepted.join('\n') };
    case 'number':
      return { ...empty, input, answer: gap.answer, tolerance: typed(gap.tolerance) };
    case 'choice':
      return { ...empty, input, right: gap.right, wrong: gap.wrong.join('\n') };
  }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** @param at the gap's field in the form */
export function readGap(gap: GapForm, at: string, problems: Map<string, string>): TemplateGap {
  const { gapId, input } = gap;
  switch (input) {
    case 'line':
      return { gapId, input, accepted: linesOf(gap.accepted) };
    case 'number': {
      const tolerance = readTolerance(`${at}.tolerance`, gap.tolerance, problems);
      return { gapId, input, answer: gap.answer, tolerance };
    }
    case 'choice':
      return { gapId, input, right: gap.right.trim(), wrong: linesOf(gap.wrong) };
  }
}
