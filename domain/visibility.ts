import type { Moment } from '#contract/tests.ts';
import { GRACE_MS } from './deadline.ts';

/**
 * When a test is closed for everybody: its end and all personal deadlines with their windows are past.
 * Nobody starts an archived one, so only its attempts count. Null: it has no end.
 * @param facts.latestClose when the last of its attempts closes, by that attempt's own window
 */
export function testClosedAt(facts: {
  archived: boolean;
  testEnd: number | null;
  latestClose: number | null;
  windowMs: number;
}): number | null {
  if (facts.archived) return facts.latestClose ?? 0;
  if (facts.testEnd === null) return null;
  return Math.max(facts.testEnd + Math.max(facts.windowMs, GRACE_MS), facts.latestClose ?? 0);
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
