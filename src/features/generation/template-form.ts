import * as v from 'valibot';
import { TemplateBody, TemplateVariable } from '#contract/templates.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { issuePath } from '#app/lib/field-problems.ts';
import { optionalText } from './kinds/rules.ts';
import {
  keyFieldName,
  NO_TEMPLATE_KEY,
  TemplateKeyForm,
  templateKeyRules,
  typedTemplateKey,
} from './kinds/template-keys.ts';
import { numberReader, typed } from './number-reader.ts';
import { compileTemplate } from './template/compiled.ts';
import { typedNumbers } from './template/numbers.ts';

/** Form state of a variable; only the properties of its kind are used. */
const VariableForm = v.object({
  kind: v.picklist(TemplateVariable.options.map(({ entries }) => entries.kind.literal)),
  name: v.string(),
  from: optionalText,
  to: optionalText,
  step: optionalText,
  values: optionalText,
  expression: optionalText,
});
export type VariableForm = v.InferOutput<typeof VariableForm>;

/** Form state of a template. */
export const TemplateForm = v.object({
  title: v.string(),
  theme: v.union([Theme, v.literal('')]),
  topic: v.string(),
  difficulty: v.union([Difficulty, v.literal('')]),
  tags: v.string(),
  points: v.string(),
  text: v.string(),
  explanation: v.string(),
  variables: v.optional(v.array(VariableForm), []),
  condition: v.string(),
  decimals: v.string(),
  ...TemplateKeyForm.entries,
});
export type TemplateForm = v.InferOutput<typeof TemplateForm>;

/** An edited template and its base version; 0: a new one. */
export const TypedTemplate = v.object({
  templateId: v.string(),
  version: v.number(),
  form: TemplateForm,
});
export type TypedTemplate = v.InferOutput<typeof TypedTemplate>;

export function newVariable(name: string): VariableForm {
  return {
    kind: 'range',
    name,
    from: '1',
    to: '10',
    step: '1',
    values: '',
    expression: '',
  };
}

/** The first unused Latin letter. */
export function freeName(variables: readonly VariableForm[]): string {
  const taken = new Set(variables.map(({ name }) => name));
  return Array.from('abcdfghkmnpqrstuvwxyz').find((letter) => !taken.has(letter)) ?? '';
}

export const NO_TEMPLATE: TemplateForm = {
  title: '',
  theme: '',
  topic: '',
  difficulty: '',
  tags: '',
  points: '1',
  text: '',
  explanation: '',
  variables: [newVariable('a'), newVariable('b')],
  condition: '',
  decimals: '2',
  ...NO_TEMPLATE_KEY,
};

function variableForm(variable: TemplateVariable): VariableForm {
  const empty = newVariable(variable.name);
  if (variable.kind === 'formula')
    return { ...empty, kind: 'formula', expression: variable.expression };
  if (variable.kind === 'list')
    return { ...empty, kind: 'list', values: variable.values.map(typed).join('; ') };
  const { from, to, step } = variable;
  return { ...empty, from: typed(from), to: typed(to), step: typed(step) };
}

export function templateForm(body: TemplateBody): TemplateForm {
  return {
    title: body.title,
    theme: body.theme,
    topic: body.topic,
    difficulty: body.difficulty,
    tags: body.tags.join(', '),
    points: typed(body.points),
    text: body.text,
    explanation: body.explanation,
    variables: body.variables.map(variableForm),
    condition: body.condition,
    decimals: String(body.decimals),
    ...typedTemplateKey(body.key),
  };
}

function readVariable(
  variable: VariableForm,
  index: number,
  problems: Map<string, string>,
): TemplateVariable {
  const number = numberReader(problems);
  const at = (part: string) => `variables.${index}.${part}`;
  const name = variable.name.trim();
  if (variable.kind === 'formula')
    return { kind: 'formula', name, expression: variable.expression };
  if (variable.kind === 'list') {
    const values = typedNumbers(variable.values);
    if (values === null)
      problems.set(at('values'), 'Только числа, между ними точка с запятой: 1,5; 2; 4');
    return { kind: 'list', name, values: values ?? [1] };
  }
  const from = number(at('from'), variable.from, 0);
  const isOpen = problems.has(at('from'));
  const to = number(at('to'), variable.to, from);
  const step = number(at('step'), variable.step, 1);
  return { kind: 'range', name, from: isOpen ? to : from, to, step };
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  title: 'Название',
  theme: 'Предмет',
  topic: 'Тема',
  tags: 'Метки',
  points: 'Баллы',
  text: 'Текст вопроса',
  variables: 'Переменные',
  condition: 'Условие',
  decimals: 'Знаков после запятой',
  explanation: 'Пояснение',
};

/** Full name of a field: «Переменная a», «Неверный вариант 2». */
export function fieldName(field: string, form: TemplateForm): string {
  const [part = '', index] = field.split('.');
  if (part === 'variables' && index !== undefined)
    return `Переменная ${form.variables[Number(index)]?.name || Number(index) + 1}`;
  return keyFieldName(form, part, index) ?? FIELD_NAMES[part] ?? 'Шаблон';
}

export interface ReadTemplate {
  /** Null if there are errors. */
  readonly body: TemplateBody | null;
  /** By field, in the order of the form. */
  readonly problems: ReadonlyMap<string, string>;
}

const DECIMALS = 'От 0 до 10 знаков';
const issueField = (issue: v.BaseIssue<unknown>) =>
  v.getDotPath(issue)?.replace(/^key\./, '') ?? '';

/** Parses the form, with errors by field. */
export function readTemplate(form: TemplateForm): ReadTemplate {
  const problems = new Map<string, string>();
  const number = numberReader(problems);
  const decimals = number('decimals', form.decimals, 2);
  const isPlaces = Number.isInteger(decimals) && decimals >= 0 && decimals <= 10;
  if (!isPlaces && !problems.has('decimals')) problems.set('decimals', DECIMALS);
  const key = templateKeyRules(form).read(form, problems);
  const given = {
    title: form.title,
    theme: form.theme,
    topic: form.topic,
    difficulty: form.difficulty,
    tags: form.tags
      .split(/[,;\n]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    points: number('points', form.points, 1),
    text: form.text,
    explanation: form.explanation,
    variables: form.variables.map((variable, index) => readVariable(variable, index, problems)),
    condition: form.condition,
    decimals: isPlaces ? decimals : 2,
    key,
  };
  const note = (field: string, message: string) => {
    if (!problems.has(field)) problems.set(field, message);
  };
  for (const { field, message } of compileTemplate(given).problems) note(field, message);
  const parsed = v.safeParse(TemplateBody, given);
  for (const issue of parsed.issues ?? []) note(issueField(issue), issue.message);
  return { body: problems.size === 0 && parsed.success ? parsed.output : null, problems };
}

/** Converts the typed values to a template. */
export const TypedBody = v.pipe(
  TemplateForm,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { body, problems } = readTemplate(dataset.value);
    for (const [field, message] of problems) addIssue({ message, path: issuePath(field) });
    return body ?? NEVER;
  }),
);
