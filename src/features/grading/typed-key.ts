import * as v from 'valibot';
import type { Gap, Question } from '#contract/questions.ts';
import { keyProblems } from '#domain/key-correction.ts';
import { formatNumber } from '#domain/format.ts';
import { withoutInvisible } from '#domain/format-typed.ts';
import { parseNumber } from '#domain/normalise.ts';
import { issuePath } from '#app/lib/field-problems.ts';

const REASON_MISSING = 'Напишите, что исправлено';

const line = v.optional(v.string(), '');
const ids = v.optional(v.array(v.string()), []);

/** Form state of a key correction; parts of other kinds of question are absent. */
export const TypedKey = v.object({
  /** Ids of the right options. */
  right: ids,
  scoring: v.optional(v.picklist(['partial', 'allOrNothing']), 'partial'),
  /** `origin`: the place of the answer in the question, '' for a new one; `share`: percent. */
  accepted: v.optional(
    v.array(v.object({ origin: line, text: v.string(), share: v.string() })),
    [],
  ),
  tolerance: v.optional(v.string(), '0'),
  /** Right-column ids by `leftField`; empty: no pair. */
  pairs: v.optional(v.record(v.string(), v.string()), {}),
  /** Ids of the items in the right order. */
  order: ids,
  /** By `gapField`: ids of right options, or accepted texts, a line for each. */
  gaps: v.optional(v.record(v.string(), v.union([v.array(v.string()), v.string()])), {}),
  credit: v.optional(v.picklist(['key', 'everybody', 'nobody']), 'key'),
  explanation: line,
  reason: line,
});
export type TypedKey = v.InferInput<typeof TypedKey>;
type ReadKey = v.InferOutput<typeof TypedKey>;

/** Names in the form: a number alone would be a place in a list, and an id may have dots. */
export const gapField = ({ gapId }: Gap): string => `gap${gapId}`;
export const leftField = (place: number): string => `left${place}`;

const plain = (value: number) => formatNumber(value, 10).replace(/\s/g, '');

const rightIds = (options: readonly { optionId: string; isRight: boolean }[]) =>
  options.filter(({ isRight }) => isRight).map(({ optionId }) => optionId);

/** The part of the form that a question of its kind has. */
function typedPart(question: Question): Partial<TypedKey> {
  switch (question.kind) {
    case 'variant':
      return { right: rightIds(question.options), scoring: question.scoring };
    case 'open':
      return {
        accepted: question.accepted.map(({ text, share }, place) => ({
          origin: String(place),
          text,
          share: plain(share * 100),
        })),
        tolerance: plain(question.tolerance),
      };
    case 'compliance': {
      const paired = new Map(question.pairs.map(({ leftId, rightId }) => [leftId, rightId]));
      return {
        pairs: Object.fromEntries(
          question.left.map(({ leftId }, place) => [leftField(place), paired.get(leftId) ?? '']),
        ),
      };
    }
    case 'ordering':
      return { order: question.items.map(({ itemId }) => itemId) };
    case 'gaps':
      return {
        gaps: Object.fromEntries(
          question.gaps.map((gap) => [
            gapField(gap),
            gap.input === 'choice'
              ? rightIds(gap.options)
              : gap.accepted.map(({ text }) => text).join('\n'),
          ]),
        ),
      };
    case 'file':
      return {};
  }
}

/** The form state of the current key. */
export const typedKey = (question: Question): TypedKey => ({
  ...typedPart(question),
  credit: question.credit ?? 'key',
  explanation: question.explanation ?? '',
  reason: '',
});

/** A text that stays has its share and feedback, a new one earns all. */
function gapWithKey(gap: Gap, typed: string | readonly string[] = ''): Gap {
  if (gap.input === 'choice') {
    const options = gap.options.map((option) => ({
      ...option,
      isRight: typed.includes(option.optionId),
    }));
    return { ...gap, options };
  }
  const known = new Map(gap.accepted.map((accepted) => [accepted.text, accepted]));
  const lines = (typeof typed === 'string' ? typed.split('\n') : typed).map((text) =>
    withoutInvisible(text).trim(),
  );
  const accepted = lines
    .filter((text) => text !== '')
    .map((text) => known.get(text) ?? { text, share: 1 });
  return { ...gap, accepted };
}

function withKey(question: Question, typed: ReadKey, problems: Map<string, string>): Question {
  switch (question.kind) {
    case 'variant':
      return {
        ...question,
        scoring: typed.scoring,
        options: question.options.map((option) => ({
          ...option,
          isRight: typed.right.includes(option.optionId),
        })),
      };
    case 'compliance':
      return {
        ...question,
        pairs: question.left.flatMap(({ leftId }, place) => {
          const rightId = typed.pairs[leftField(place)] ?? '';
          return rightId === '' ? [] : [{ leftId, rightId }];
        }),
      };
    case 'open': {
      const tolerance = parseNumber(typed.tolerance) ?? -1;
      if (tolerance < 0) problems.set('tolerance', 'Напишите число, например 0,05');
      const accepted = typed.accepted.map(({ origin, text, share }, index) => {
        const percent = parseNumber(share);
        const isShare = percent !== null && percent >= 0 && percent <= 100;
        if (!isShare) problems.set(`accepted.${index}.share`, 'От 0 до 100');
        const unedited = origin === '' ? undefined : question.accepted[Number(origin)];
        return { ...unedited, text: withoutInvisible(text).trim(), share: (percent ?? 0) / 100 };
      });
      return { ...question, accepted, tolerance: Math.max(0, tolerance) };
    }
    case 'ordering': {
      const items = new Map(question.items.map((item) => [item.itemId, item]));
      return { ...question, items: typed.order.flatMap((itemId) => items.get(itemId) ?? []) };
    }
    case 'gaps':
      return {
        ...question,
        gaps: question.gaps.map((gap) => gapWithKey(gap, typed.gaps[gapField(gap)])),
      };
    case 'file':
      return question;
  }
}

/** The field of the form that a field of the question is. */
function formField(question: Question, field: string): string {
  const [part = '', index] = field.replace(/^question\./, '').split('.');
  if (part === 'options') return 'right';
  if (part === 'pairs') return `pairs.${leftField(0)}`;
  const gap =
    part === 'gaps' && question.kind === 'gaps' ? question.gaps[Number(index)] : undefined;
  return gap ? `gaps.${gapField(gap)}` : field.replace(/^question\./, '');
}

export interface Correction {
  readonly question: Question;
  readonly reason: string;
}

/** What is typed, as the corrected question and the reason; errors are at the fields of the form. */
export const keySchema = (question: Question) =>
  v.pipe(
    TypedKey,
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): Correction => {
      const problems = new Map<string, string>();
      if (value.reason.trim() === '') problems.set('reason', REASON_MISSING);
      const { explanation: _, credit: __, ...key } = withKey(question, value, problems);
      const { credit } = value;
      const rest: Question = credit === 'key' ? key : { ...key, credit };
      const explanation = value.explanation.trim();
      // An absent property stays absent.
      const hadOne = question.explanation !== undefined;
      const corrected: Question = explanation === '' && !hadOne ? rest : { ...rest, explanation };
      for (const { field, message } of keyProblems(corrected)) {
        const own = formField(question, field);
        if (!problems.has(own)) problems.set(own, message);
      }
      for (const [field, message] of problems) addIssue({ message, path: issuePath(field) });
      return problems.size > 0 ? NEVER : { question: corrected, reason: value.reason };
    }),
  );
