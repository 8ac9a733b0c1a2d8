import type { Gap, Question } from '#contract/questions.ts';
import { keyProblems } from '#domain/key-correction.ts';
import { formatNumber } from '#domain/format.ts';
import { parseNumber } from '#domain/normalise.ts';

type KeyAnswer = Extract<Question, { kind: 'open' }>['accepted'][number];

/** An accepted text being edited; the id is only a React key. */
export interface Accepted {
  readonly id: number;
  readonly text: string;
  /** Percent of the points. */
  readonly share: string;
  /** Unedited properties: feedback and an own tolerance. */
  readonly unedited?: Omit<KeyAnswer, 'text' | 'share'>;
}

/** The form state of a key; parts of other question kinds stay empty. */
export interface TypedKey {
  readonly right: readonly string[];
  readonly scoring: 'partial' | 'allOrNothing';
  readonly accepted: readonly Accepted[];
  readonly tolerance: string;
  /** Right-column ids by left id; empty: no pair. */
  readonly pairs: Readonly<Record<string, string>>;
  /** Ids of the items in the right order. */
  readonly order: readonly string[];
  /** Accepted texts of the gaps that are typed into, a line for each, by the gap's number. */
  readonly gaps: Readonly<Record<string, string>>;
  readonly explanation: string;
}

const plain = (value: number) => formatNumber(value, 10).replace(/\s/g, '');

const rightIds = (options: readonly { optionId: string; isRight: boolean }[]) =>
  options.filter(({ isRight }) => isRight).map(({ optionId }) => optionId);

/** The form state of the current key. */
export function typedKey(question: Question): TypedKey {
  return {
    right:
      question.kind === 'variant'
        ? rightIds(question.options)
        : question.kind === 'gaps'
          ? question.gaps.flatMap((gap) => (gap.input === 'choice' ? rightIds(gap.options) : []))
          : [],
    scoring: question.kind === 'variant' ? question.scoring : 'partial',
    accepted:
      question.kind === 'open'
        ? question.accepted.map(({ text, share, ...unedited }, id) => ({
            id,
            text,
            share: plain(share * 100),
            unedited,
          }))
        : [],
    tolerance: question.kind === 'open' ? plain(question.tolerance) : '0',
    pairs:
      question.kind === 'compliance'
        ? Object.fromEntries(question.pairs.map(({ leftId, rightId }) => [leftId, rightId]))
        : {},
    order: question.kind === 'ordering' ? question.items.map(({ itemId }) => itemId) : [],
    gaps:
      question.kind === 'gaps'
        ? Object.fromEntries(
            question.gaps.flatMap((gap) =>
              gap.input === 'choice'
                ? []
                : [[gap.gapId, gap.accepted.map(({ text }) => text).join('\n')]],
            ),
          )
        : {},
    explanation: question.explanation ?? '',
  };
}

export type ReadKey =
  | { readonly question: Question; readonly problems: null }
  | { readonly question: null; readonly problems: ReadonlyMap<string, string> };

/** A text that stays has its share and feedback, a new one earns all. */
function gapWithKey(gap: Gap, typed: TypedKey): Gap {
  if (gap.input === 'choice') {
    const options = gap.options.map((option) => ({
      ...option,
      isRight: typed.right.includes(option.optionId),
    }));
    return { ...gap, options };
  }
  const known = new Map(gap.accepted.map((accepted) => [accepted.text, accepted]));
  const lines = (typed.gaps[gap.gapId] ?? '').split('\n').map((line) => line.trim());
  const accepted = lines
    .filter((text) => text !== '')
    .map((text) => known.get(text) ?? { text, share: 1 });
  return { ...gap, accepted };
}

function withKey(question: Question, typed: TypedKey, problems: Map<string, string>): Question {
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
        pairs: question.left.flatMap(({ leftId }) => {
          const rightId = typed.pairs[leftId] ?? '';
          return rightId === '' ? [] : [{ leftId, rightId }];
        }),
      };
    case 'open': {
      const tolerance = parseNumber(typed.tolerance) ?? -1;
      if (tolerance < 0) problems.set('question.tolerance', 'Напишите число, например 0,05');
      const accepted = typed.accepted.map(({ text, share, unedited }, index) => {
        const percent = parseNumber(share);
        const isShare = percent !== null && percent >= 0 && percent <= 100;
        if (!isShare) problems.set(`question.accepted.${index}.share`, 'От 0 до 100');
        return { ...unedited, text: text.trim(), share: (percent ?? 0) / 100 };
      });
      return { ...question, accepted, tolerance: Math.max(0, tolerance) };
    }
    case 'ordering': {
      const items = new Map(question.items.map((item) => [item.itemId, item]));
      return { ...question, items: typed.order.flatMap((itemId) => items.get(itemId) ?? []) };
    }
    case 'gaps':
      return { ...question, gaps: question.gaps.map((gap) => gapWithKey(gap, typed)) };
    case 'file':
      return question;
  }
}

/** The question with the edited key, or error messages by field. */
export function readKey(question: Question, typed: TypedKey): ReadKey {
  const problems = new Map<string, string>();
  const { explanation: _, ...rest } = withKey(question, typed, problems);
  const explanation = typed.explanation.trim();
  // An absent property stays absent.
  const hadOne = question.explanation !== undefined;
  const corrected: Question = explanation === '' && !hadOne ? rest : { ...rest, explanation };
  for (const { field, message } of keyProblems(corrected))
    if (!problems.has(field)) problems.set(field, message);
  return problems.size > 0 ? { question: null, problems } : { question: corrected, problems: null };
}
