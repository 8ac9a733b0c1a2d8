import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { BankCriteria, DifficultyMix } from './bank.ts';
import {
  ANSWER_TEXT_CHARACTERS,
  EXPRESSION_CHARACTERS,
  GAP_TEXT_CHARACTERS,
  PARTS_PER_QUESTION,
  QUESTION_TITLE_CHARACTERS,
} from './limits.ts';
import {
  GapId,
  Id,
  IsoTime,
  listOf,
  NonNegativeInteger,
  Points,
  PositiveInteger,
} from './primitives.ts';
import { QuestionTopic, Tags } from './questions.ts';
import { route } from './route.ts';
import { Difficulty, Theme } from './themes.ts';

const Text = v.pipe(v.string(), v.maxLength(ANSWER_TEXT_CHARACTERS));
const Expression = v.pipe(
  v.string(),
  v.maxLength(EXPRESSION_CHARACTERS, `Выражение не длиннее ${EXPRESSION_CHARACTERS} символов`),
);
const Name = v.pipe(
  v.string(),
  v.maxLength(20, 'Имя переменной не длиннее 20 знаков'),
  v.regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'Имя переменной: латинская буква, потом буквы и цифры'),
);
const Finite = v.pipe(v.number(), v.finite());
const Tolerance = v.pipe(Finite, v.minValue(0));
const parts = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(item: S) =>
  boundedList(item, PARTS_PER_QUESTION, `Не больше ${PARTS_PER_QUESTION}`);

/** A quantity that differs between variants. */
export const TemplateVariable = v.variant('kind', [
  v.object({
    kind: v.literal('range'),
    name: Name,
    from: Finite,
    to: Finite,
    step: v.pipe(Finite, v.minValue(1e-9, 'Шаг больше нуля')),
  }),
  v.object({
    kind: v.literal('list'),
    name: Name,
    values: boundedList(Finite, 1_000),
  }),
  /** Computed from the variables above it. */
  v.object({ kind: v.literal('formula'), name: Name, expression: Expression }),
]);
export type TemplateVariable = v.InferOutput<typeof TemplateVariable>;

/** A word of a gap, or an option of its list. */
const GapText = v.pipe(
  v.string(),
  v.maxLength(GAP_TEXT_CHARACTERS, `Не длиннее ${GAP_TEXT_CHARACTERS} символов`),
);

/** A gap at its position `[[1]]` in the text. In its words and options `{{a}}` is replaced with a number. */
export const TemplateGap = v.variant('input', [
  v.object({ gapId: GapId, input: v.literal('line'), accepted: parts(GapText) }),
  v.object({ gapId: GapId, input: v.literal('number'), answer: Expression, tolerance: Tolerance }),
  v.object({ gapId: GapId, input: v.literal('choice'), right: GapText, wrong: parts(GapText) }),
]);
export type TemplateGap = v.InferOutput<typeof TemplateGap>;

/** The right order of items: as listed, or by their values. */
export const ItemOrder = v.picklist(['given', 'ascending', 'descending']);
export type ItemOrder = v.InferOutput<typeof ItemOrder>;

/**
 * A question with variables. In the texts `{{a}}` and `{{a * b}}` are replaced with numbers; `answer`, the distractors
 * and `value` are expressions.
 */
export const TemplateBody = v.object({
  title: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('Введите название шаблона'),
    v.maxLength(QUESTION_TITLE_CHARACTERS),
  ),
  theme: v.union([Theme, v.literal('')]),
  topic: v.optional(QuestionTopic, ''),
  difficulty: v.union([Difficulty, v.literal('')]),
  tags: v.optional(Tags, []),
  points: Points,
  text: Text,
  explanation: v.optional(Text, ''),
  variables: boundedList(TemplateVariable, 30),
  /** A variant is drawn again until it is not 0; empty: always. */
  condition: v.optional(Expression, ''),
  /** Numbers are rounded to so many decimals. */
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)),
  key: v.variant('kind', [
    v.object({ kind: v.literal('open'), answer: Expression, tolerance: Tolerance }),
    v.object({
      kind: v.literal('variant'),
      answer: Expression,
      /** Written after each number, such as « Н». */
      unit: v.optional(v.pipe(v.string(), v.maxLength(50)), ''),
      distractors: parts(v.object({ expression: Expression, feedback: v.optional(Text, '') })),
    }),
    v.object({ kind: v.literal('gaps'), gaps: parts(TemplateGap) }),
    v.object({
      kind: v.literal('ordering'),
      order: ItemOrder,
      /** `value` is compared unless the order is the given one. */
      items: parts(v.object({ text: Text, value: v.optional(Expression, '') })),
    }),
  ]),
});
export type TemplateBody = v.InferOutput<typeof TemplateBody>;

export const QuestionTemplate = v.object({
  templateId: Id,
  version: v.number(),
  body: TemplateBody,
  updatedAt: IsoTime,
});
export type QuestionTemplate = v.InferOutput<typeof QuestionTemplate>;

const params = v.object({ templateId: Id });

export const listTemplates = route({
  name: 'listTemplates',
  summary: 'The caller’s own templates, the newest change first',
  method: 'GET',
  path: '/api/Templates',
  access: 'teacher',
  ownership: 'none',
  reply: listOf(QuestionTemplate),
});

export const saveTemplate = route({
  name: 'saveTemplate',
  summary: 'Make or change a template; `version` 0 makes one. A stale version is refused',
  method: 'PUT',
  path: '/api/Templates/{templateId}',
  access: 'teacher',
  ownership: 'templateOwner',
  params,
  body: v.strictObject({ version: NonNegativeInteger, body: TemplateBody }),
  reply: v.object({ version: v.number(), updatedAt: IsoTime }),
  errors: ['NOT_FOUND', 'STALE_VERSION', 'TOO_MANY_TEMPLATES'],
});

export const deleteTemplate = route({
  name: 'deleteTemplate',
  summary: 'Delete a template; questions made from it stay',
  method: 'DELETE',
  path: '/api/Templates/{templateId}',
  access: 'teacher',
  ownership: 'templateOwner',
  params,
  reply: v.object({ deleted: v.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** The settings of a test's assembly, stored with the test: the same seed makes the same questions. */
export const Generation = v.object({
  seed: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  criteria: BankCriteria,
  mix: DifficultyMix,
  templates: boundedList(
    v.object({
      templateId: Id,
      count: v.pipe(PositiveInteger, v.maxValue(300)),
      /** Variants of one question, of which each attempt gets one, instead of separate questions. */
      perStudent: v.boolean(),
    }),
    50,
  ),
});
export type Generation = v.InferOutput<typeof Generation>;

const byTestId = v.object({ id: Id });

export const getGeneration = route({
  name: 'getGeneration',
  summary: 'How the test was assembled last; null: never',
  method: 'GET',
  path: '/api/Test/{id}/generation',
  access: 'teacher',
  ownership: 'testEditor',
  params: byTestId,
  reply: v.object({ generation: v.nullable(Generation), updatedAt: v.nullable(IsoTime) }),
  errors: ['NOT_FOUND'],
});

export const saveGeneration = route({
  name: 'saveGeneration',
  summary: 'Keep how the test was assembled',
  method: 'PUT',
  path: '/api/Test/{id}/generation',
  access: 'teacher',
  ownership: 'testEditor',
  params: byTestId,
  body: v.strictObject({ generation: Generation }),
  reply: v.object({ updatedAt: IsoTime }),
  errors: ['NOT_FOUND'],
});
