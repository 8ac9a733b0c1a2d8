import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import {
  ANSWER_TEXT_CHARACTERS,
  FILE_BYTES,
  FILE_NAME_CHARACTERS,
  GAP_TEXT_CHARACTERS,
  MAX_FILES_PER_QUESTION,
  PARTS_PER_QUESTION,
} from './limits.ts';
import { GapId, Id, IsoTime, NonNegativeInteger, PartId, StreamEpoch } from './primitives.ts';

const OpenAnswer = v.strictObject({
  questionId: Id,
  kind: v.literal('open'),
  text: v.pipe(v.string(), v.maxLength(ANSWER_TEXT_CHARACTERS, 'Ответ слишком длинный')),
});

const VariantAnswer = v.strictObject({
  questionId: Id,
  kind: v.literal('variant'),
  optionIds: boundedList(PartId, PARTS_PER_QUESTION),
});

const ComplianceAnswer = v.strictObject({
  questionId: Id,
  kind: v.literal('compliance'),
  pairs: boundedList(v.strictObject({ leftId: PartId, rightId: PartId }), PARTS_PER_QUESTION),
});

/** All items of the question, each once, in the student's order; empty clears the answer. */
const OrderingAnswer = v.strictObject({
  questionId: Id,
  kind: v.literal('ordering'),
  itemIds: boundedList(PartId, PARTS_PER_QUESTION),
});

/** One gap: the text typed into it, or the option chosen. */
const GapAnswer = v.union([
  v.strictObject({
    gapId: GapId,
    text: v.pipe(v.string(), v.maxLength(GAP_TEXT_CHARACTERS, 'Ответ слишком длинный')),
  }),
  v.strictObject({ gapId: GapId, optionId: PartId }),
]);
export type GapAnswer = v.InferOutput<typeof GapAnswer>;

/** The gaps that are filled in. */
const GapsAnswer = v.strictObject({
  questionId: Id,
  kind: v.literal('gaps'),
  gaps: boundedList(GapAnswer, PARTS_PER_QUESTION),
});

const describedFile = {
  name: v.pipe(v.string(), v.maxLength(FILE_NAME_CHARACTERS)),
  size: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(FILE_BYTES)),
  mimeType: v.pipe(v.string(), v.maxLength(200)),
};

/** `sha256` is lower-case hex of the whole file. */
const AnswerFile = v.strictObject({
  fileId: Id,
  ...describedFile,
  sha256: v.pipe(v.string(), v.maxLength(64), v.regex(/^[0-9a-f]{64}$/)),
});
export type AnswerFile = v.InferOutput<typeof AnswerFile>;

/**
 * A null `fileId` means that the files were removed. `more`: the files after the first one, in the student's order, if
 * the question accepts several.
 */
const FileAnswer = v.strictObject({
  questionId: Id,
  kind: v.literal('file'),
  fileId: v.nullable(Id),
  ...describedFile,
  sha256: v.pipe(v.string(), v.maxLength(64), v.regex(/^([0-9a-f]{64})?$/)),
  more: v.optional(boundedList(AnswerFile, MAX_FILES_PER_QUESTION - 1)),
});

/** Body of `POST /api/TestPassing/{id}/answer`. Empty text, options, pairs or gaps clear the answer. */
export const Answer = v.variant('kind', [
  OpenAnswer,
  VariantAnswer,
  ComplianceAnswer,
  OrderingAnswer,
  GapsAnswer,
  FileAnswer,
]);
export type Answer = v.InferOutput<typeof Answer>;
export type FileAnswer = v.InferOutput<typeof FileAnswer>;

/** Position of a saved answer in the order of its attempt; null sequence: sent without one. */
export const AnswerPosition = v.object({
  operationId: Id,
  epoch: StreamEpoch,
  sequence: v.nullable(NonNegativeInteger),
  receivedAt: IsoTime,
  receivedLate: v.boolean(),
});

/** A saved answer beside its position. */
const saved = <E extends v.ObjectEntries>({ entries }: { readonly entries: E }) =>
  v.array(v.object({ ...entries, ...AnswerPosition.entries }));

/**
 * The answers that count: in the four groups of the specification, and in those of orders and gaps beyond it.
 */
export const SavedAnswers = v.object({
  openAnswers: saved(OpenAnswer),
  variantAnswers: saved(VariantAnswer),
  complianceAnswers: saved(ComplianceAnswer),
  orderingAnswers: saved(OrderingAnswer),
  gapsAnswers: saved(GapsAnswer),
  fileAnswers: saved(FileAnswer),
});
export type SavedAnswers = v.InferOutput<typeof SavedAnswers>;
export type SavedAnswer = SavedAnswers[keyof SavedAnswers][number];

/** The group of each kind's answers. */
export const ANSWER_GROUPS = {
  open: 'openAnswers',
  variant: 'variantAnswers',
  compliance: 'complianceAnswers',
  ordering: 'orderingAnswers',
  gaps: 'gapsAnswers',
  file: 'fileAnswers',
} as const satisfies Record<Answer['kind'], keyof SavedAnswers>;

/** Nothing saved; also shown after a failed fetch (specification, section 8). */
export const NO_SAVED_ANSWERS: SavedAnswers = {
  openAnswers: [],
  variantAnswers: [],
  complianceAnswers: [],
  orderingAnswers: [],
  gapsAnswers: [],
  fileAnswers: [],
};
