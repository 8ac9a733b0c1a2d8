import type { Moment } from '#contract/tests.ts';
import { GRACE_MS } from './deadline.ts';

/**
 * When a test is closed for everybody: its end and all personal deadlines with their windows are past.
 * Null: it has no end.
 */
export function testClosedAt(facts: {
  testEnd: number | null;
  latestDeadline: number | null;
  windowMs: number;
}): number | null {
  if (facts.testEnd === null) return null;
  return Math.max(facts.testEnd, facts.latestDeadline ?? 0) + Math.max(facts.windowMs, GRACE_MS);
}

/** From when a student may see a part of the result of an ended attempt. Null: never, as things stand. */
export function visibleFrom(
  moment: Moment,
  endedAt: number,
  closedAt: number | null,
): number | null {
  if (moment === 'never') return null;
  return moment === 'atOnce' ? endedAt : closedAt;
}
