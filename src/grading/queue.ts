import type { GradingEntry } from '#contract/grading.ts';

/** An answer's name on this screen. */
export const itemOf = ({ attemptId, questionId }: GradingEntry): string =>
  `${attemptId}.${questionId}`;

/**
 * The queue as it is shown after it was read again: what was shown keeps its place, so that nothing
 * jumps under the hand; what was graded meanwhile stays until the filters change; what is new comes last.
 */
export function mergeQueue(
  shown: readonly GradingEntry[],
  fresh: readonly GradingEntry[],
): GradingEntry[] {
  const byItem = new Map(fresh.map((entry) => [itemOf(entry), entry]));
  const known = new Set(shown.map(itemOf));
  const unique = [...byItem.values()];
  return [
    ...shown.map((entry) => byItem.get(itemOf(entry)) ?? entry),
    ...unique.filter((entry) => !known.has(itemOf(entry))),
  ];
}

/** The next one that waits, from a place on and round to the start; null: none does. */
export function nextWaiting(entries: readonly GradingEntry[], from: number): GradingEntry | null {
  const order = [...entries.slice(from + 1), ...entries.slice(0, Math.max(0, from))];
  return order.find((entry) => entry.points === null) ?? null;
}
