import type { AttemptFacts, Evidence, JournalRow, Write } from '#simulation/evidence.ts';
import { countingRows } from './order.ts';

/** What counts by time, recomputed from the true moments of writing. */

const GRACE_MS = 60_000;

const graceEnd = (attempt: AttemptFacts): number => attempt.deadline + GRACE_MS;
export const closesAt = (attempt: AttemptFacts): number =>
  attempt.deadline + Math.max(attempt.windowMs, GRACE_MS);

/** Somebody set the device's clock between writing and receipt: its word proves nothing. */
function isTampered(evidence: Evidence, write: Write, until: number): boolean {
  return evidence.clockChanges.some(
    ({ device, at }) => device === write.device && at >= write.at && at <= until,
  );
}

function isInTime(
  evidence: Evidence,
  attempt: AttemptFacts,
  row: JournalRow,
  write: Write | undefined,
): boolean {
  if (row.decision === 'accepted' || row.receivedAt <= graceEnd(attempt)) return true;
  if (row.receivedAt > closesAt(attempt)) return false;
  if (row.ageMs === null || !write || isTampered(evidence, write, row.receivedAt)) return true;
  return write.at < graceEnd(attempt);
}

/** Nothing after the deadline is scored unless the late rule says so. */
export function lateRule(evidence: Evidence): string[] {
  const writes = new Map(evidence.writes.map((write) => [write.operationId, write]));
  return evidence.attempts.flatMap((attempt) => {
    const rows = evidence.journal.filter((row) => row.attemptId === attempt.attemptId);
    return [...countingRows(rows).values()]
      .filter((row) => !isInTime(evidence, attempt, row, writes.get(row.operationId)))
      .map((row) => `${row.operationId} counts and came too late`);
  });
}

/** The finish that ended an attempt, if one did. */
function countedFinish(evidence: Evidence, attempt: AttemptFacts): JournalRow | undefined {
  return evidence.journal.find((row) => row.operationId === attempt.finishOperation);
}

/** Nothing that comes after the finish counts, except what an earlier stream wrote before it. */
export function nothingAfterFinish(evidence: Evidence): string[] {
  if (evidence.restores.length > 0) return [];
  return evidence.attempts.flatMap((attempt) => {
    const finish = countedFinish(evidence, attempt);
    if (!finish) return [];
    return evidence.journal
      .filter(
        (row) =>
          row.attemptId === attempt.attemptId &&
          row.kind === 'answer' &&
          row.ordinal > finish.ordinal &&
          row.epoch >= finish.epoch &&
          row.outcome !== 'held',
      )
      .map((row) => `${row.operationId} came after the finish and is ${row.outcome}`);
  });
}

/** What was written in time and came within the window is never held. */
export function inTimeCounts(evidence: Evidence): string[] {
  if (evidence.restores.length > 0) return [];
  const writes = new Map(evidence.writes.map((write) => [write.operationId, write]));
  return evidence.attempts.flatMap((attempt) => {
    if (evidence.moved.has(attempt.attemptId)) return [];
    const finish = countedFinish(evidence, attempt);
    return evidence.journal
      .filter((row) => row.attemptId === attempt.attemptId && row.outcome === 'held')
      .filter((row) => {
        const write = writes.get(row.operationId);
        if (!write || row.kind === 'finish') return false;
        const isAfterFinish = finish !== undefined && row.ordinal > finish.ordinal;
        const came = evidence.deliveries.find(
          (one) => one.operationId === row.operationId && one.status === 200 && !one.isStale,
        );
        if (isAfterFinish || !came || isTampered(evidence, write, came.at)) return false;
        return write.at < graceEnd(attempt) && came.at <= closesAt(attempt);
      })
      .map((row) => `${row.operationId} was written and came in time, and is held`);
  });
}
