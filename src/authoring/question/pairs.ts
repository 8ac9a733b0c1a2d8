import { moved, type Of } from './parts.ts';

type Matching = Of<'compliance'>;
type Item = { readonly id: string; readonly text: string };

/** A row of the form: a left item and its right one; null: unpaired. */
export interface PairRow {
  readonly left: Item;
  readonly right: Item | null;
}

export function pairRows({ left, right, pairs }: Matching): PairRow[] {
  return left.map(({ leftId, text }) => {
    const rightId = pairs.find((pair) => pair.leftId === leftId)?.rightId;
    const found = right.find((item) => item.rightId === rightId);
    return {
      left: { id: leftId, text },
      right: found ? { id: found.rightId, text: found.text } : null,
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
