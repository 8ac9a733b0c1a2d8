import * as v from 'valibot';
import { ItemOrder, TemplateGap, type TemplateBody } from '#contract/templates.ts';
import { gapIdsIn } from '#domain/format-gaps.ts';
import { withPlacedGaps } from '#domain/gaps.ts';
import { numberReader, typed } from './number-reader.ts';

const hidden = v.optional(v.string(), '');

const DistractorForm = v.object({ expression: v.string(), feedback: v.string() });
export type DistractorForm = v.InferOutput<typeof DistractorForm>;

/** Form state of a gap; only the properties of its input are used. Words and wrong options: one per line. */
const GapForm = v.object({
  gapId: v.string(),
  input: v.picklist(TemplateGap.options.map(({ entries }) => entries.input.literal)),
  accepted: hidden,
  answer: hidden,
  tolerance: hidden,
  right: hidden,
  wrong: hidden,
});
export type GapForm = v.InferOutput<typeof GapForm>;

const ItemForm = v.object({ text: v.string(), value: hidden });
export type ItemForm = v.InferOutput<typeof ItemForm>;

/** Form state of the key; only the properties of the kind are used. */
export const TemplateKeyForm = v.object({
  kind: v.picklist(['open', 'variant', 'gaps', 'ordering']),
  answer: hidden,
  tolerance: hidden,
  unit: hidden,
  distractors: v.optional(v.array(DistractorForm), []),
  gaps: v.optional(v.array(GapForm), []),
  order: v.optional(ItemOrder, 'given'),
  items: v.optional(v.array(ItemForm), []),
});
export type TemplateKeyForm = v.InferOutput<typeof TemplateKeyForm>;

export const newDistractor = (): DistractorForm => ({ expression: '', feedback: '' });
export const newItem = (): ItemForm => ({ text: '', value: '' });

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

export const NO_TEMPLATE_KEY: TemplateKeyForm = {
  kind: 'open',
  answer: '',
  tolerance: '0',
  unit: '',
  distractors: [newDistractor()],
  gaps: [],
  order: 'given',
  items: [newItem(), newItem(), newItem()],
};

const isUntouched = ({ accepted, answer, right, wrong }: GapForm) =>
  [accepted, answer, right, wrong].every((text) => text.trim() === '');

/** The gaps after a change of the text: a new mark gets a gap, an empty gap without a mark is removed. */
export function gapsOfText(gaps: readonly GapForm[], text: string): GapForm[] {
  const places = new Set(gapIdsIn(text));
  const stay = gaps.filter((gap) => places.has(gap.gapId) || !isUntouched(gap));
  return withPlacedGaps(stay, text, (gapId) => newGap(gapId, ''));
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function gapForm(gap: TemplateGap): GapForm {
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

export function templateKeyForm(key: TemplateBody['key']): TemplateKeyForm {
  const { kind } = key;
  switch (kind) {
    case 'open':
      return { ...NO_TEMPLATE_KEY, kind, answer: key.answer, tolerance: typed(key.tolerance) };
    case 'variant':
      return { ...NO_TEMPLATE_KEY, ...key };
    case 'gaps':
      return { ...NO_TEMPLATE_KEY, kind, gaps: key.gaps.map(gapForm) };
    case 'ordering':
      return { ...NO_TEMPLATE_KEY, ...key };
  }
}

/** Parses the key, with errors by field. */
export function readTemplateKey(
  form: TemplateKeyForm,
  problems: Map<string, string>,
): TemplateBody['key'] {
  const number = numberReader(problems);
  const tolerance = (field: string, text: string) => {
    const value = number(field, text, 0);
    if (value < 0) problems.set(field, 'Не меньше нуля');
    return Math.max(0, value);
  };
  const { kind, answer } = form;
  switch (kind) {
    case 'open':
      return { kind, answer, tolerance: tolerance('tolerance', form.tolerance) };
    case 'variant':
      return { kind, answer, unit: form.unit, distractors: form.distractors };
    case 'gaps': {
      const gaps = form.gaps.map((gap, index): TemplateGap => {
        const { gapId, input } = gap;
        if (input === 'line') return { gapId, input, accepted: linesOf(gap.accepted) };
        if (input === 'choice')
          return { gapId, input, right: gap.right.trim(), wrong: linesOf(gap.wrong) };
        const field = `gaps.${index}.tolerance`;
        return { gapId, input, answer: gap.answer, tolerance: tolerance(field, gap.tolerance) };
      });
      return { kind, gaps };
    }
    case 'ordering':
      return { kind, order: form.order, items: form.items };
  }
}
