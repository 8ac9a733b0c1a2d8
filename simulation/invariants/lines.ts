import type { StudentEvidence } from '#simulation/evidence.ts';

/** What slow lines and replies of strangers may cost. */

/** The longest wait that somebody else's reply may ask for, and that of the jitter. */
const MAX_WAIT_MS = 30_000;
/** An answer that fails while others arrive is tried so often. */
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

/** So many failures without a byte may be the file's own. */
const HOPELESS = 8;

/** A slow or breaking line refuses nothing: while bytes arrive, a file is never called refused. */
export function slowIsNotRefused({ uploads, poisoned }: StudentEvidence): string[] {
  return uploads
    .filter(({ operationId, stuckPasses }) => !poisoned.has(operationId) && stuckPasses < HOPELESS)
    .filter(({ ms, isSetAside }) => ms === null || isSetAside)
    .map(({ operationId, line }) => `${operationId} was not accepted at ${line}`);
}

/** Nobody but our server holds an answer for long. */
export function strangersWaitIsShort({ waits }: StudentEvidence): string[] {
  return waits
    .filter(({ ms, hasPoisoned }) => ms > (hasPoisoned ? POISONED_WAIT_MS : MAX_WAIT_MS))
    .map(({ page, ms }) => `${page} sends nothing for ${ms} ms`);
}
