import type { TestStatus } from '#contract/tests.ts';

/** What determines a test's status for one student. Times are milliseconds. */
export interface StatusFacts {
  readonly lifecycle: 'draft' | 'active' | 'archived';
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly attemptsLeft: number;
  readonly running: boolean;
  /** An attempt is over and a manual grade is missing, or its late window is still open. */
  readonly pendingReview: boolean;
  /** An attempt is finished and graded. */
  readonly passed: boolean;
  /** The server closed an unfinished attempt. */
  readonly unfinished: boolean;
}

/** A running attempt comes before pendingReview before passed before available. */
export function testStatus(facts: StatusFacts, now: number): TestStatus {
  if (facts.running) return 'inProgress';
  if (facts.pendingReview) return 'pendingReview';
  if (facts.passed) return 'passed';
  if (facts.lifecycle === 'archived') return 'closed';
  if (facts.startTime !== null && now < facts.startTime) return 'scheduled';
  if (facts.endTime !== null && now >= facts.endTime) return 'overdue';
  if (facts.attemptsLeft > 0) return 'available';
  return facts.unfinished ? 'overdue' : 'closed';
}

/** Whether all ended attempts ran out of time. Lists of passed tests show such tests separately. */
export const isUnfinished = (status: string): boolean =>
  ['overdue', 'closed', 'available', 'scheduled'].includes(status);

/** One mark from several attempts, by the teacher's rule. Null: nothing graded yet. */
export function countedPoints(
  points: readonly number[],
  rule: 'best' | 'last' | 'average',
): number | null {
  if (points.length === 0) return null;
  if (rule === 'best') return Math.max(...points);
  if (rule === 'last') return points.at(-1) ?? null;
  return Math.round((points.reduce((sum, p) => sum + p, 0) / points.length) * 100) / 100;
}
