import { moved } from '#app/ui/sorting/moved.ts';
import type { Of } from '#app/questions/form/parts.ts';

type Matching = Of<'compliance'>;
type Item = { readonly id: string; readonly text: string };

/** A row of the form: a left item and its right one; null: unpaired. */
export interface PairRow {
  readonly left: Item;
  readonly right: Item | null;
  /** Numbers of the other rows with the same right item. */
  readonly sharedWith: readonly number[];
}

export function pairRows({ left, right, pairs }: Matching): PairRow[] {
  return left.map(({ leftId, text }) => {
    const rightId = pairs.find((pair) => pair.leftId === leftId)?.rightId;
    const found = right.find((item) => item.rightId === rightId);
    return {
      left: { id: leftId, text },
      right: found ? { id: found.rightId, text: found.text } : null,
      sharedWith: left.flatMap((other, index) =>
        other.leftId !== leftId &&
        pairs.some((pair) => pair.leftId === other.leftId && pair.rightId === rightId)
          ? [index + 1]
          : [],
      ),
    };
  });
}

/** Right items without a pair. */
export function extraItems({ right, pairs }: Matching): Item[] {
  const used = new Set(pairs.map(({ rightId }) => rightId));
  return right
    .filter(({ rightId }) => !used.has(rightId))
    .map(({ rightId, text }) => ({ id: rightId, text }));
}

export const withLeft = (question: Matching, leftId: string, text: string): Matching => ({
  ...question,
  left: question.left.map((item) => (item.leftId === leftId ? { leftId, text } : item)),
});

export const withRight = (question: Matching, rightId: string, text: string): Matching => ({
  ...question,
  right: question.right.map((item) => (item.rightId === rightId ? { rightId, text } : item)),
});

/** Creates the pair of an unpaired left item. */
export const pairUp = (question: Matching, leftId: string, rightId: string, text: string) => ({
  ...question,
  right: [...question.right, { rightId, text }],
  pairs: [...question.pairs.filter((pair) => pair.leftId !== leftId), { leftId, rightId }],
});

/** Longer texts would widen the system's own list. */
const CHOICE_CHARACTERS = 40;

/** The right items that a row may use: those of other pairs, and the extra ones. */
export function shareableFor(row: PairRow, question: Matching): { value: string; label: string }[] {
  const choices = new Map<string, string>();
  for (const [index, { left, right }] of pairRows(question).entries()) {
    if (!right || left.id === row.left.id || choices.has(right.id)) continue;
    choices.set(right.id, `Как в паре ${index + 1}: ${right.text}`);
  }
  for (const { id, text } of extraItems(question)) choices.set(id, `Из лишних: ${text}`);
  return [...choices].map(([value, label]) => ({
    value,
    label: label.length > CHOICE_CHARACTERS ? `${label.slice(0, CHOICE_CHARACTERS - 1)}…` : label,
  }));
}

/** Gives a left item the right one of another pair, or an extra one; its own stays as an extra one if it has a text. */
export function shareRight(question: Matching, leftId: string, rightId: string): Matching {
  const others = question.pairs.filter((pair) => pair.leftId !== leftId);
  const pairs = [...others, { leftId, rightId }];
  const isFormer = (id: string) =>
    question.pairs.some((pair) => pair.leftId === leftId && pair.rightId === id);
  const right = question.right.filter(
    ({ rightId: id, text }) =>
      text.trim() !== '' || !isFormer(id) || pairs.some((pair) => pair.rightId === id),
  );
  return withReuse({ ...question, right, pairs }, true);
}

/** Switches on or off that one right item may belong to several left ones. */
export function withReuse(question: Matching, isAllowed: boolean): Matching {
  const { reuse: _, ...once } = question;
  return isAllowed ? { ...once, reuse: true } : once;
}

/** An empty pair, with its right item before the extra ones. */
export function addPair(question: Matching, leftId: string, rightId: string): Matching {
  const extras = new Set(extraItems(question).map(({ id }) => id));
  const paired = question.right.filter((item) => !extras.has(item.rightId));
  return {
    ...question,
    left: [...question.left, { leftId, text: '' }],
    right: [
      ...paired,
      { rightId, text: '' },
      ...question.right.filter((item) => extras.has(item.rightId)),
    ],
    pairs: [...question.pairs, { leftId, rightId }],
  };
}

/** Removes a left item, and its right one unless another left item uses it. */
export function removePair(question: Matching, leftId: string): Matching {
  const gone = question.pairs.filter((pair) => pair.leftId === leftId);
  const pairs = question.pairs.filter((pair) => pair.leftId !== leftId);
  const isFree = (rightId: string) =>
    gone.some((pair) => pair.rightId === rightId) &&
    !pairs.some((pair) => pair.rightId === rightId);
  return {
    ...question,
    left: question.left.filter((item) => item.leftId !== leftId),
    right: question.right.filter(({ rightId }) => !isFree(rightId)),
    pairs,
  };
}

/** Reorders the left items; the server orders the right ones. */
export const movePair = (question: Matching, from: number, to: number): Matching => ({
  ...question,
  left: moved(question.left, from, to),
});

export const addExtra = (question: Matching, rightId: string): Matching => ({
  ...question,
  right: [...question.right, { rightId, text: '' }],
});

export const removeRight = (question: Matching, rightId: string): Matching => ({
  ...question,
  right: question.right.filter((item) => item.rightId !== rightId),
});
