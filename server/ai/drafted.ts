import * as v from 'valibot';
import type { QuestionKind } from '#contract/bank.ts';
import { FILE_BYTES, PARTS_PER_QUESTION } from '#contract/limits.ts';
import { Question } from '#contract/questions.ts';
import { Difficulty } from '#contract/themes.ts';
import { withGapPlaces } from '#domain/format-gaps.ts';
import { wireKindLabel } from '#domain/labels-kinds.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { withDollarFormulas } from '#domain/tex-delimiters.ts';
import { withSharedRight } from '#domain/shared-right.ts';
import { restoreFormulas } from './formulas.ts';

type KeyedText = Extract<Question, { kind: 'open' }>['accepted'][number];
type KeyedOption = Extract<Question, { kind: 'variant' }>['options'][number];

/** A valid question, or the reason why the text is none. */
export type DraftResult =
  | { readonly question: Question; readonly reason: null }
  | { readonly question: null; readonly reason: string };

export interface DraftRules {
  /** The requested kinds. */
  readonly kinds: readonly QuestionKind[];
  /** Pictures that a question may continue to show. */
  readonly pictures: ReadonlySet<string>;
  /** Random: part ids that reveal their order would reveal the key. */
  readonly newId: () => string;
}

const text = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value) => withDollarFormulas(restoreFormulas(String(value))).trim()),
);
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1;
const part = v.union([
  v.pipe(
    text,
    v.transform((words) => ({ text: words, right: false })),
  ),
  v.object({
    text,
    right: v.optional(v.unknown()),
    isRight: v.optional(v.unknown()),
    correct: v.optional(v.unknown()),
    feedback: v.nullish(text),
  }),
]);
const accepted = v.union([
  v.pipe(
    text,
    v.transform((words) => ({ text: words, share: 1 })),
  ),
  v.object({
    text,
    share: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 1),
    feedback: v.nullish(text),
  }),
]);
const parts = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(item: S) =>
  v.pipe(v.array(item), v.maxLength(PARTS_PER_QUESTION));

/** An optional value: anything unexpected counts as absent. */
const lenient = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(item: S) =>
  v.fallback(v.optional(item), undefined);

const shared = {
  text,
  explanation: lenient(text),
  topic: lenient(v.pipe(text, v.maxLength(200))),
  difficulty: lenient(Difficulty),
  points: v.fallback(
    v.pipe(
      v.unknown(),
      v.transform(Number),
      v.minValue(0.01),
      v.maxValue(100),
      v.transform((points) => Math.round(points * 100) / 100),
    ),
    1,
  ),
};

/** The provider's expected form, parsed leniently. */
const Written = v.variant('kind', [
  v.object({
    ...shared,
    kind: v.literal('open'),
    input: v.fallback(v.picklist(['line', 'number', 'text']), 'line'),
    accepted: v.optional(parts(accepted), []),
    tolerance: v.fallback(v.optional(v.pipe(v.number(), v.minValue(0)), 0), 0),
  }),
  v.object({
    ...shared,
    kind: v.literal('variant'),
    multiple: v.optional(v.unknown()),
    options: parts(part),
  }),
  v.object({
    ...shared,
    kind: v.literal('compliance'),
    pairs: parts(v.object({ left: text, right: text })),
    extra: v.optional(parts(text), []),
  }),
  v.object({ ...shared, kind: v.literal('ordering'), items: parts(text) }),
  v.object({
    ...shared,
    kind: v.literal('gaps'),
    gaps: parts(
      v.object({
        input: v.fallback(v.picklist(['line', 'number', 'choice']), 'line'),
        accepted: v.optional(parts(accepted), []),
        tolerance: v.fallback(v.optional(v.pipe(v.number(), v.minValue(0)), 0), 0),
        options: v.optional(parts(part), []),
      }),
    ),
  }),
  v.object({ ...shared, kind: v.literal('file') }),
]);
type Written = v.InferOutput<typeof Written>;

/** Bounded, so that brackets that never close cost little. */
const PICTURE = /!\[([^[\]]*)\]\(([^)]{0,1000})\)/g;

/** Images that the provider was not given become text: its URLs would be foreign. */
function withoutForeignPictures(words: string, pictures: ReadonlySet<string>): string {
  return words.replace(PICTURE, (whole: string, alt: string, href: string) =>
    pictures.has(href.trim()) ? whole : alt,
  );
}

/** URLs of the pictures in a question, as its Markdown has them. */
export const picturesOf = (question: Question): ReadonlySet<string> =>
  new Set([...JSON.stringify(question).matchAll(PICTURE)].map(([, , href = '']) => href.trim()));

const visibleFeedback = (feedback: string | null | undefined) =>
  feedback === undefined || feedback === null || feedback === '' ? {} : { feedback };

const builtAccepted = ({ text: words, share, ...rest }: v.InferOutput<typeof accepted>) => ({
  text: words,
  share,
  ...('feedback' in rest ? visibleFeedback(rest.feedback) : {}),
});

const builtOption = (option: v.InferOutput<typeof part>, newId: () => string) => ({
  optionId: newId(),
  text: option.text,
  isRight:
    'isRight' in option || 'correct' in option
      ? [option.right, option.isRight, option.correct].some(isTrue)
      : isTrue(option.right),
  ...('feedback' in option ? visibleFeedback(option.feedback) : {}),
});

function built(written: Written, newId: () => string): unknown {
  const { kind, explanation, topic, difficulty, points } = written;
  const base = {
    questionId: newId(),
    text: written.text,
    points,
    origin: { kind: 'ai' as const },
    ...(explanation === undefined || explanation === '' ? {} : { explanation }),
    ...(topic === undefined || topic === '' ? {} : { topic }),
    ...(difficulty === undefined ? {} : { difficulty }),
  };
  switch (kind) {
    case 'open':
      return {
        ...base,
        kind,
        input: written.input,
        tolerance: written.input === 'text' ? 0 : written.tolerance,
        accepted: written.accepted.map(builtAccepted),
      };
    case 'variant': {
      const options = written.options.map((option) => builtOption(option, newId));
      const right = options.filter(({ isRight }) => isRight).length;
      const multiple = isTrue(written.multiple) || right > 1;
      return { ...base, kind, multiple, shuffle: true, scoring: 'partial', options };
    }
    case 'compliance': {
      const pairs = written.pairs.map((pair) => ({ ...pair, leftId: newId(), rightId: newId() }));
      const spare = written.extra.map((words) => ({ rightId: newId(), text: words }));
      return withSharedRight({
        ...base,
        kind,
        shuffle: true,
        left: pairs.map(({ leftId, left }) => ({ leftId, text: left })),
        right: [...pairs.map(({ rightId, right }) => ({ rightId, text: right })), ...spare],
        pairs: pairs.map(({ leftId, rightId }) => ({ leftId, rightId })),
      });
    }
    case 'ordering': {
      const items = written.items.map((words) => ({ itemId: newId(), text: words }));
      return { ...base, kind, items };
    }
    case 'gaps': {
      const gaps = written.gaps.map(({ input, ...gap }, index) => ({
        gapId: String(index + 1),
        input,
        ...(input === 'choice'
          ? { options: gap.options.map((option) => builtOption(option, newId)) }
          : { accepted: gap.accepted.map(builtAccepted), tolerance: gap.tolerance }),
      }));
      return { ...base, kind, gaps };
    }
    case 'file':
      return { ...base, kind, maxBytes: FILE_BYTES, accept: [] };
  }
}

/** Every text of a value without disallowed content; ids have no pictures in them. */
function cleaned(value: unknown, pictures: ReadonlySet<string>): unknown {
  if (typeof value === 'string') {
    // oxlint-disable-next-line no-control-regex -- PostgreSQL stores neither NUL nor half a surrogate pair.
    return withoutForeignPictures(value, pictures).replace(/\u0000|\p{Surrogate}/gu, '');
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item, pictures));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, cleaned(item, pictures)]),
  );
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  kind: 'неизвестный вид вопроса',
  text: 'нет текста',
  options: 'варианты записаны непонятно',
  accepted: 'верные ответы записаны непонятно',
  pairs: 'пары записаны непонятно',
  extra: 'лишние элементы записаны непонятно',
  items: 'пункты записаны непонятно',
  gaps: 'пропуски записаны непонятно',
};

/** Parses one object of a provider as a publishable question by the contract. */
export function drafted(value: Readonly<Record<string, unknown>>, rules: DraftRules): DraftResult {
  const no = (reason: string): DraftResult => ({ question: null, reason });
  const written = v.safeParse(Written, value);
  if (!written.success) {
    const [field = ''] = (v.getDotPath(written.issues[0]) ?? '').split('.');
    return no(FIELD_LABELS[field] ?? 'записано не по форме');
  }
  const { kind } = written.output;
  if (!rules.kinds.includes(kind)) return no(`вопросов вида «${wireKindLabel(kind)}» не просили`);
  const made = v.safeParse(Question, cleaned(built(written.output, rules.newId), rules.pictures));
  if (!made.success) return no('слишком длинный текст или слишком много частей');
  const problems = publishingProblems([made.output]).map(({ message }) =>
    message.replace(/^Вопрос 1: /, ''),
  );
  return problems.length > 0 ? no(problems.join('; ')) : { question: made.output, reason: null };
}

/** The questions inside any wrapper object. */
export function withoutWrapper(
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>>[] {
  if ('kind' in value) return [value];
  const inner = Object.values(value).find(
    (item): item is Readonly<Record<string, unknown>>[] =>
      Array.isArray(item) &&
      item.length > 0 &&
      item.every((one) => typeof one === 'object' && one !== null && 'kind' in one),
  );
  return inner ?? [value];
}

const acceptedAsWritten = ({ text: answer, share, feedback }: KeyedText) => ({
  text: answer,
  share,
  feedback,
});

const optionAsWritten = ({ text: option, isRight, feedback }: KeyedOption) => ({
  text: option,
  right: isRight,
  feedback,
});

/** Gaps by their numbers; their places in the text as they stand. */
function gapsAsWritten(question: Extract<Question, { kind: 'gaps' }>) {
  const places = [...question.gaps].sort((a, b) => Number(a.gapId) - Number(b.gapId));
  const numbers = new Map(places.map(({ gapId }, index) => [gapId, index + 1]));
  return {
    text: withGapPlaces(question.text, (gapId) => `[[${numbers.get(gapId) ?? gapId}]]`),
    gaps: places.map((gap) =>
      gap.input === 'choice'
        ? { input: gap.input, options: gap.options.map(optionAsWritten) }
        : {
            input: gap.input,
            tolerance: gap.tolerance,
            accepted: gap.accepted.map(acceptedAsWritten),
          },
    ),
  };
}

/** The question in the provider's form, for it to change. */
export function asWritten(question: Question): unknown {
  const { text: words, points, explanation, difficulty, topic } = question;
  const base = {
    kind: question.kind,
    // Several questions share it: it is there to be understood, not to be changed.
    passage: question.passage?.text,
    text: words,
    points,
    explanation,
    difficulty,
    topic,
  };
  switch (question.kind) {
    case 'open':
      return {
        ...base,
        input: question.input,
        tolerance: question.tolerance,
        accepted: question.accepted.map(acceptedAsWritten),
      };
    case 'variant':
      return {
        ...base,
        multiple: question.multiple,
        options: question.options.map(optionAsWritten),
      };
    case 'compliance': {
      const rightOf = new Map(question.pairs.map(({ leftId, rightId }) => [leftId, rightId]));
      const used = new Set(rightOf.values());
      const textOf = (id: string | undefined) =>
        question.right.find(({ rightId }) => rightId === id)?.text ?? '';
      return {
        ...base,
        pairs: question.left.map(({ leftId, text: left }) => ({
          left,
          right: textOf(rightOf.get(leftId)),
        })),
        extra: question.right.filter(({ rightId }) => !used.has(rightId)).map((one) => one.text),
      };
    }
    case 'ordering':
      return { ...base, items: question.items.map((item) => item.text) };
    case 'gaps':
      return { ...base, ...gapsAsWritten(question) };
    case 'file':
      return base;
  }
}
