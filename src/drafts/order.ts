import type { Question } from '#contract/questions.ts';

/** The longest common subsequence of ids in both lists. */
function stableOrder(base: readonly string[], mine: readonly string[]): Set<string> {
  const places = new Map(base.map((id, index) => [id, index]));
  const common = mine.filter((id) => places.has(id));
  const place = (id: string) => places.get(id) ?? -1;
  // Patience sorting: `tails[n]` is the smallest last position of a run of n + 1 ids.
  const tails: string[] = [];
  const before = new Map<string, string | undefined>();
  for (const id of common) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (place(tails[middle] ?? '') < place(id)) low = middle + 1;
      else high = middle;
    }
    before.set(id, tails[low - 1]);
    tails[low] = id;
  }
  const longest = new Set<string>();
  for (let id = tails.at(-1); id !== undefined; id = before.get(id)) longest.add(id);
  return longest;
}

/**
 * Merges the orders of both sides: theirs, with questions moved or added here inserted after their local predecessor.
 * Each id of `present` is in `mine` or `theirs`.
 */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  present: ReadonlySet<string>,
): string[] {
  const inTheirs = new Set(theirs);
  const inMine = new Set(mine);
  const longest = stableOrder(base, mine);
  const placed = (id: string) => inTheirs.has(id) && (longest.has(id) || !inMine.has(id));
  const order = theirs.filter((id) => present.has(id) && placed(id));
  let previous: string | undefined;
  for (const id of mine) {
    if (!present.has(id)) continue;
    if (!placed(id)) order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id);
    previous = id;
  }
  return order;
}

/** Groups alternatives together, each group at the place of its first question. */
export function withVariantsTogether(questions: readonly Question[]): readonly Question[] {
  const groups = new Map<string, Question[]>();
  for (const question of questions) {
    const group = question.variantOf ?? question.questionId;
    groups.set(group, [...(groups.get(group) ?? []), question]);
  }
  if (groups.size === questions.length) return questions;
  const together = [...groups.values()].flat();
  return together.every((question, index) => question === questions[index]) ? questions : together;
}
