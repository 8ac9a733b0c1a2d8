import type { StudentEvidence } from '#simulation/evidence.ts';

/** The limits of the cost of slow lines and of replies by strangers. */

/** The longest wait that a stranger's reply may cause, and that of the jitter. */
const MAX_WAIT_MS = 30_000;
/** Retry interval of an answer that fails while others arrive. */
const POISONED_WAIT_MS = 120_000;
/** A time-out and the wait after it. */
const TIME_OUT_MS = 8_000;
/** The first, small chunks and the answer itself. */
const CALLS_MS = 1_500;

/** A slow line is used: an upload takes at most 1.5 times what its bytes need. */
export function slowLineIsUsed({ uploads }: StudentEvidence): string[] {
  return uploads
    .filter(({ isBreaking }) => !isBreaking)
    .flatMap(({ operationId, line, ms, idealMs, timeOuts, allowedTimeOuts }) => {
      const limit = 1.5 * idealMs + CALLS_MS + allowedTimeOuts * TIME_OUT_MS;
      const where = `${operationId} at ${line}`;
      return [
        ...(ms !== null && ms > limit ? [`${where} took ${ms} ms of ${Math.round(limit)}`] : []),
        ...(timeOuts > allowedTimeOuts ? [`${where} timed out ${timeOuts} times`] : []),
      ];
    });
}

/** This many failures without a byte may be the file's own. */
const HOPELESS = 8;

/** A slow or breaking line refuses nothing: while bytes arrive, a file is never shown as refused. */
export function slowIsNotRefused(evidence: StudentEvidence): string[] {
  const { uploads, poisoned, attempts, restores } = evidence;
  const known = new Set(attempts.map(({ attemptId }) => attemptId));
  return (
    uploads
      // A restored server may not know the attempt.
      .filter(({ attemptId }) => restores.length === 0 || known.has(attemptId))
      .filter(
        ({ operationId, stuckPasses }) => !poisoned.has(operationId) && stuckPasses < HOPELESS,
      )
      .filter(({ ms, isSetAside }) => ms === null || isSetAside)
      .map(({ operationId, line }) => `${operationId} was not accepted at ${line}`)
  );
}

/** Only our server may delay an answer for long. */
export function strangersWaitIsShort({ waits }: StudentEvidence): string[] {
  return waits
    .filter(({ ms, hasPoisoned }) => ms > (hasPoisoned ? POISONED_WAIT_MS : MAX_WAIT_MS))
    .map(({ page, ms }) => `${page} sends nothing for ${ms} ms`);
}
