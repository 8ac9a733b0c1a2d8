import type { GradingEntry } from '#contract/grading.ts';

/** Identifies an answer on this screen. */
export const itemOf = ({ attemptId, questionId }: GradingEntry): string =>
  `${attemptId}.${questionId}`;

/**
 * Merges a refetched queue into the displayed one. Existing entries do not move, entries graded meanwhile stay until
 * the filters change, new ones come last.
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

/** The next ungraded entry from a position, wrapping to the start; null if none. */
export function findNextPending(
  entries: readonly GradingEntry[],
  from: number,
): GradingEntry | null {
  const order = [...entries.slice(from + 1), ...entries.slice(0, Math.max(0, from))];
  return order.find((entry) => entry.points === null) ?? null;
}
