import { inOrder } from '#domain/test-order.ts';
import type { Listed } from './held-attempts.ts';

/** So many fit under a title; the rest is one step away. */
const MOST = 5;

const timeOf = (iso: string | null | undefined) => (iso ? Date.parse(iso) : null);

/** Of the assigned tests those that can be taken now: running ones first, then by what closes sooner. */
export function nextTests(items: readonly Listed[]): Listed[] {
  const open = items
    .filter(({ status, isQueued }) => !isQueued && ['inProgress', 'available'].includes(status))
    .map((item) => ({
      item,
      id: item.id,
      name: item.title,
      newness: 0,
      closes: timeOf(item.endDate),
      points: 0,
      runsUntil: timeOf(item.running?.deadline),
    }));
  return inOrder(open, 'deadline', 0)
    .slice(0, MOST)
    .map(({ item }) => item);
}
