import * as v from 'valibot';
import { ANSWER_TEXT_CHARACTERS, FILE_BYTES, PARTS_PER_QUESTION } from './limits.ts';
import { Id, PartId, Points } from './primitives.ts';

const Text = v.pipe(v.string(), v.maxLength(ANSWER_TEXT_CHARACTERS));
const parts = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(item: S) =>
  v.pipe(v.array(item), v.maxLength(PARTS_PER_QUESTION));

/** `text` is Markdown; formulas between `$`, pictures as `![описание](file:KEY)`. */
const base = { questionId: Id, text: Text, points: Points };

const Left = v.object({ leftId: PartId, text: Text });
const Right = v.object({ rightId: PartId, text: Text });

/** How a text answer is typed in: one line, one line with digits, or several lines. */
const OpenInput = v.picklist(['line', 'number', 'text']);

/** Types a file answer may have, as the file picker takes them. */
const fileRules = {
  maxBytes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(FILE_BYTES)),
  accept: v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(20)),
};

/** A question as a student gets it: no key of any kind. */
export const StudentQuestion = v.variant('kind', [
  v.object({ ...base, kind: v.literal('open'), input: OpenInput }),
  v.object({
    ...base,
    kind: v.literal('variant'),
    multiple: v.boolean(),
    options: parts(v.object({ optionId: PartId, text: Text })),
  }),
  v.object({ ...base, kind: v.literal('compliance'), left: parts(Left), right: parts(Right) }),
  v.object({ ...base, kind: v.literal('file'), ...fileRules }),
]);
export type StudentQuestion = v.InferOutput<typeof StudentQuestion>;

/** Shown after the answer, and only when correct answers may be seen. */
const explained = { explanation: v.optional(Text) };

/** A question with its key, for those who may edit the test; also the stored form. */
export const Question = v.variant('kind', [
  v.object({
    ...base,
    ...explained,
    kind: v.literal('open'),
    input: OpenInput,
    /** Empty: graded by hand. `share` is the part of the points from 0 to 1. */
    accepted: parts(
      v.object({ text: Text, share: v.pipe(v.number(), v.minValue(0), v.maxValue(1)) }),
    ),
    /** Absolute tolerance for numbers; 0 for exact. */
    tolerance: v.optional(v.pipe(v.number(), v.minValue(0)), 0),
  }),
  v.object({
    ...base,
    ...explained,
    kind: v.literal('variant'),
    multiple: v.boolean(),
    shuffle: v.optional(v.boolean(), false),
    /** For several right options: `partial` is max(0, (right − wrong) / number of right). */
    scoring: v.optional(v.picklist(['partial', 'allOrNothing']), 'partial'),
    options: parts(v.object({ optionId: PartId, text: Text, isRight: v.boolean() })),
  }),
  v.object({
    ...base,
    ...explained,
    kind: v.literal('compliance'),
    shuffle: v.optional(v.boolean(), true),
    left: parts(Left),
    right: parts(Right),
    pairs: parts(v.object({ leftId: PartId, rightId: PartId })),
  }),
  v.object({ ...base, ...explained, kind: v.literal('file'), ...fileRules }),
]);
export type Question = v.InferOutput<typeof Question>;
