import * as v from 'valibot';
import { TemplateVariable } from '#contract/templates.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import type { TemplateForm } from './template-form.ts';

const Form = v.object({
  title: v.string(),
  theme: v.union([Theme, v.literal('')]),
  topic: v.string(),
  difficulty: v.union([Difficulty, v.literal('')]),
  tags: v.string(),
  points: v.string(),
  text: v.string(),
  explanation: v.string(),
  variables: v.array(
    v.object({
      key: v.string(),
      kind: v.picklist(TemplateVariable.options.map(({ entries }) => entries.kind.literal)),
      name: v.string(),
      from: v.string(),
      to: v.string(),
      step: v.string(),
      values: v.string(),
      expression: v.string(),
    }),
  ),
  condition: v.string(),
  decimals: v.string(),
  kind: v.picklist(['open', 'variant']),
  answer: v.string(),
  tolerance: v.string(),
  unit: v.string(),
  distractors: v.array(v.object({ key: v.string(), expression: v.string(), feedback: v.string() })),
}) satisfies v.GenericSchema<unknown, TemplateForm>;

/** An edited template and its base version; 0: a new one. */
export interface TypedTemplate {
  readonly templateId: string;
  readonly version: number;
  readonly form: TemplateForm;
}

export const TypedTemplate: v.GenericSchema<unknown, TypedTemplate> = v.object({
  templateId: v.string(),
  version: v.number(),
  form: Form,
});
