import type { CheatEvent, StudentEvidence } from '#simulation/evidence.ts';
import { countingRows } from './order.ts';

/** Nothing is gained by seeing the result first, by sending false times, or by lists that cost more than they weigh. */

const SLACK_MS = 60_000;
const GRACE_MS = 60_000;

/**
 * Whether an operation was written, or accepted from held, after its student had seen a part of the result.
 * Added minutes reset this: the teacher decided knowing what had been seen.
 */
function isByResult(events: readonly CheatEvent[], operationId: string): boolean {
  let hasSeen = false;
  let last: string | null = null;
  let isBy = false;
  for (const event of events) {
    if (event.kind === 'saw') hasSeen = true;
    if (event.kind === 'minutes') {
      hasSeen = false;
      // They may have made it count: its earlier outcome is irrelevant.
      if (last !== null) last = 'judged again';
    }
    if (event.kind !== 'sent' || event.operationId !== operationId) continue;
    if (hasSeen && (last === null || (last === 'held' && event.outcome !== 'held'))) isBy = true;
    last = event.outcome;
  }
  return isBy;
}

/** No answer written after a result was visible counts without the teacher's decision. */
export function afterResultTeacherDecides({ cheat }: StudentEvidence): string[] {
  return cheat.attempts.flatMap(({ attemptId }) => {
    const rows = cheat.journal.filter((row) => row.attemptId === attemptId);
    const events = cheat.events.filter((event) => event.attemptId === attemptId);
    return [...countingRows(rows).values()]
      .filter(({ decision }) => decision !== 'accepted')
      .filter(({ operationId }) => isByResult(events, operationId))
      .map(({ operationId }) => `${operationId} counts, and its student had seen the result`);
  });
}

/** No answer counts by an age from before its stream. */
export function noAgeBeforeStream({ cheat, schoolClockSteps }: StudentEvidence): string[] {
  // Once the server's clock was set, its times do not define an order.
  if (schoolClockSteps.length > 0) return [];
  return cheat.attempts.flatMap((attempt) => {
    const { attemptId, deadline, finishOperation, startedAt } = attempt;
    const rows = cheat.journal.filter((row) => row.attemptId === attemptId);
    const finish = rows.find(({ operationId }) => operationId === finishOperation);
    const began = new Map(attempt.streams.map(({ id, createdAt }) => [id, createdAt]));
    return [...countingRows(rows).values()]
      .filter((row) => row.decision !== 'accepted')
      .filter(
        (row) =>
          row.receivedAt > deadline + GRACE_MS ||
          (finish !== undefined && row.ordinal > finish.ordinal),
      )
      .filter((row) => {
        const earliest = (began.get(row.stream) ?? startedAt) - SLACK_MS;
        const sent = cheat.events.filter(
          (event) => event.kind === 'sent' && event.operationId === row.operationId,
        );
        return !sent.some(
          (event) =>
            event.kind === 'sent' && (event.claimedAt === null || event.claimedAt >= earliest),
        );
      })
      .map(({ operationId }) => `${operationId} counts by an age from before its stream`);
  });
}

/** In bytes; a message of many problems lists the first of them. */
const MAX_REFUSAL_BYTES = 20 * 1024;

/** A list that fits no question is refused in short, and reveals nothing of somebody else's attempt. */
export function attacksAreRefused({ cheat }: StudentEvidence): string[] {
  return cheat.events.flatMap((event) => {
    if (event.kind !== 'attacked') return [];
    const { attemptId, isOwn, status, bytes } = event;
    const isRefused = isOwn ? status >= 400 && status < 500 : status === 404;
    if (isRefused && bytes <= MAX_REFUSAL_BYTES) return [];
    return [`a list to ${isOwn ? 'the own' : 'another’s'} ${attemptId}: ${status}, ${bytes} bytes`];
  });
}
