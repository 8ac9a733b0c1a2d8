import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import {
  ANSWER_TEXT_CHARACTERS,
  FILE_BYTES,
  FILE_TYPES_PER_QUESTION,
  MAX_FILES_PER_QUESTION,
  PARTS_PER_QUESTION,
  QUESTION_TITLE_CHARACTERS,
  TAG_CHARACTERS,
  TAGS_PER_QUESTION,
} from './limits.ts';
import { GapId, Id, PartId, Points } from './primitives.ts';
import { Difficulty } from './themes.ts';

/** Markdown: formulas between `$`, pictures as `![описание](file:KEY)`, recordings as `![описание](audio-file:KEY)`. */
export const FormattedText = v.pipe(v.string(), v.maxLength(ANSWER_TEXT_CHARACTERS));
/** Shown unchanged: text typed into a field, or part of a line of text. */
export const PlainText = v.pipe(v.string(), v.maxLength(ANSWER_TEXT_CHARACTERS));
const parts = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(item: S) =>
  boundedList(item, PARTS_PER_QUESTION);

/** The transcript of the recordings beside it, Markdown; a student gets it if the teacher allows it. */
const transcript = { transcript: v.optional(FormattedText) };
/** Whether students may read the transcript. Absent: they may not. */
const transcriptRule = { transcriptShown: v.optional(v.boolean()) };

const StudentPassage = v.object({ passageId: Id, text: FormattedText, ...transcript });
/**
 * A text that several questions of a test refer to, shown beside each of them; each stores a copy. Markdown, like the
 * question's own.
 */
const Passage = v.object({ ...StudentPassage.entries, ...transcriptRule });
export type Passage = v.InferOutput<typeof Passage>;

const common = { questionId: Id, text: FormattedText, points: Points };
const shown = { ...common, passage: v.optional(StudentPassage), ...transcript };

const Left = v.object({ leftId: PartId, text: FormattedText });
const Right = v.object({ rightId: PartId, text: FormattedText });
const Item = v.object({ itemId: PartId, text: FormattedText });

/** A share of the picture's width or height. */
const Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** The part of a picture that represents an option, measured from the upper left corner. */
const Area = v.pipe(
  v.object({
    shape: v.picklist(['rectangle', 'ellipse']),
    left: Share,
    top: Share,
    width: Share,
    height: Share,
  }),
  v.check(
    // A billionth for the rounding errors of shares.
    ({ left, top, width, height }) => left + width <= 1 + 1e-9 && top + height <= 1 + 1e-9,
    'Область выходит за край картинки',
  ),
);
export type Area = v.InferOutput<typeof Area>;

/** On the first picture of the question's text. Absent: the option is only in the list. */
const area = { area: v.optional(Area) };

/** Whether one right item may be matched with several left ones. Absent: each with one at most. */
const Reuse = v.optional(v.boolean());

/** The input of a text answer: one line, one line with digits, or several lines. */
const OpenInput = v.picklist(['line', 'number', 'text']);

/** The input of a typed gap: a word or digits. */
const TypedInput = v.picklist(['line', 'number']);

/**
 * Types that a file answer may have: MIME types, `image/*` or extensions. Empty: any; invalid entries are
 * ignored.
 */
const fileRules = {
  maxBytes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(FILE_BYTES)),
  accept: boundedList(v.pipe(v.string(), v.maxLength(100)), FILE_TYPES_PER_QUESTION),
  /** Absent: one. */
  maxFiles: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_FILES_PER_QUESTION)),
  ),
};

/** A question as sent to a student: without any key. */
export const StudentQuestion = v.variant('kind', [
  v.object({ ...shown, kind: v.literal('open'), input: OpenInput }),
  v.object({
    ...shown,
    kind: v.literal('variant'),
    multiple: v.boolean(),
    options: parts(v.object({ optionId: PartId, text: FormattedText, ...area })),
  }),
  v.object({
    ...shown,
    kind: v.literal('compliance'),
    left: parts(Left),
    right: parts(Right),
    reuse: Reuse,
  }),
  v.object({ ...shown, kind: v.literal('ordering'), items: parts(Item) }),
  v.object({
    ...shown,
    kind: v.literal('gaps'),
    gaps: parts(
      v.variant('input', [
        v.object({ gapId: GapId, input: TypedInput }),
        v.object({
          gapId: GapId,
          input: v.literal('choice'),
          options: parts(v.object({ optionId: PartId, text: PlainText })),
        }),
      ]),
    ),
  }),
  v.object({ ...shown, kind: v.literal('file'), ...fileRules }),
]);
export type StudentQuestion = v.InferOutput<typeof StudentQuestion>;

/** Identifies an imported item in its file: the same when the file is imported again. */
export const ImportSource = v.pipe(v.string(), v.maxLength(100));

/** Origin of a question: the bank counts its uses by it, and a drawn one can be drawn again. */
const Origin = v.variant('kind', [
  v.object({
    kind: v.literal('bank'),
    entryId: Id,
    seed: v.optional(v.pipe(v.string(), v.maxLength(100))),
  }),
  v.object({
    kind: v.literal('template'),
    templateId: Id,
    /** The draw of the template: the same seed and number always make the same question. */
    seed: v.pipe(v.string(), v.maxLength(100)),
    number: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  v.object({ kind: v.literal('ai') }),
  v.object({
    kind: v.literal('import'),
    format: v.pipe(v.string(), v.maxLength(30)),
    source: v.optional(ImportSource),
  }),
]);
export type Origin = v.InferOutput<typeof Origin>;

export const QuestionTopic = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(200, 'Тема не длиннее 200 символов'),
);
export const Tag = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('Пустая метка'),
  v.maxLength(TAG_CHARACTERS, `Метка не длиннее ${TAG_CHARACTERS} символов`),
);
export const Tags = boundedList(Tag, TAGS_PER_QUESTION, `Не больше ${TAGS_PER_QUESTION} меток`);

/** How a question with a mistake counts: all its points for everybody, or no part of the marks. Absent: by its key. */
export const Credit = v.picklist(['everybody', 'nobody']);
export type Credit = v.InferOutput<typeof Credit>;

/** Fields of a question for the teacher alone. */
const authored = {
  credit: v.optional(Credit),
  ...transcriptRule,
  /** Shown after the answer, and only when correct answers may be seen. */
  explanation: v.optional(FormattedText),
  /** A short name for lists; the default is the beginning of the text. */
  title: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(
        QUESTION_TITLE_CHARACTERS,
        `Название не длиннее ${QUESTION_TITLE_CHARACTERS} символов`,
      ),
    ),
  ),
  topic: v.optional(QuestionTopic),
  difficulty: v.optional(Difficulty),
  tags: v.optional(Tags),
  /** Shared by alternatives, which are adjacent: each attempt contains one of them. */
  variantOf: v.optional(Id),
  origin: v.optional(Origin),
};

const stored = { ...common, passage: v.optional(Passage), ...transcript, ...authored };

/** Shown with the answer, and only when correct answers may be seen. */
const feedback = { feedback: v.optional(FormattedText) };

/** Texts or numbers that are accepted. `share` is the part of the points from 0 to 1. */
const accepted = parts(
  v.object({
    text: PlainText,
    share: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    /** Replaces the question's tolerance. */
    tolerance: v.optional(v.pipe(v.number(), v.minValue(0))),
    ...feedback,
  }),
);
/** Absolute tolerance for numbers; 0 for exact. */
const tolerance = v.optional(v.pipe(v.number(), v.minValue(0)), 0);

const option = { optionId: PartId, text: FormattedText, isRight: v.boolean(), ...feedback };

/** The gap's share of the points is its weight among those of all gaps. */
const Weight = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 1);

const Gap = v.variant('input', [
  v.object({ gapId: GapId, weight: Weight, input: TypedInput, accepted, tolerance }),
  v.object({
    gapId: GapId,
    weight: Weight,
    input: v.literal('choice'),
    options: parts(v.object({ ...option, text: PlainText })),
  }),
]);
export type Gap = v.InferOutput<typeof Gap>;

/** A question with its key, for those who may edit the test; also the stored form. */
export const Question = v.variant('kind', [
  v.object({
    ...stored,
    kind: v.literal('open'),
    input: OpenInput,
    /** Empty: graded by hand. */
    accepted,
    tolerance,
  }),
  v.object({
    ...stored,
    kind: v.literal('variant'),
    multiple: v.boolean(),
    shuffle: v.optional(v.boolean(), false),
    /** For several right options: `partial` is max(0, (right − wrong) / number of right). */
    scoring: v.optional(v.picklist(['partial', 'allOrNothing']), 'partial'),
    options: parts(v.object({ ...option, ...area })),
  }),
  v.object({
    ...stored,
    kind: v.literal('compliance'),
    shuffle: v.optional(v.boolean(), true),
    left: parts(Left),
    right: parts(Right),
    reuse: Reuse,
    pairs: parts(v.object({ leftId: PartId, rightId: PartId })),
  }),
  /** `items` are in the right order. */
  v.object({ ...stored, kind: v.literal('ordering'), items: parts(Item) }),
  /** `[[1]]` in the text is the position of the gap `1`. */
  v.object({ ...stored, kind: v.literal('gaps'), gaps: parts(Gap) }),
  v.object({ ...stored, kind: v.literal('file'), ...fileRules }),
]);
export type Question = v.InferOutput<typeof Question>;
