import * as v from 'valibot';
import { ValidationDetails } from '#contract/errors.ts';
import { ApiFailure } from '#app/api/failure.ts';

/**
 * What a failed call means for the working copy:
 * - `stale`: version conflict: refetch, merge, send again
 * - `unknown`: no reply: it may have been stored
 * - `busy`: the server is temporarily unavailable
 * - `signedOut`: the session ended; resumes after the next sign-in
 * - `gone`: the test is deleted or no longer the caller's
 * - `refused`: the server says what is wrong
 */
export type SendOutcome = 'stale' | 'unknown' | 'busy' | 'signedOut' | 'gone' | 'refused';

export function outcomeOf(error: unknown): SendOutcome {
  if (!(error instanceof ApiFailure)) return 'unknown';
  if (error.kind !== 'refused') return 'unknown';
  const { status = 0, code } = error;
  if (code === 'STALE_VERSION' || code === 'UNKNOWN_QUESTION') return 'stale';
  if (status === 401) return 'signedOut';
  if (status === 403 || status === 404 || status === 410) return 'gone';
  if (status === 429 || status === 503) return 'busy';
  // A server error may have happened after the commit.
  if (status >= 500) return 'unknown';
  return 'refused';
}

/** The server's refusal message: field messages are more specific than that of the code. */
export function refusalMessage(error: unknown): string {
  if (!(error instanceof ApiFailure)) return '';
  const details = v.safeParse(ValidationDetails, error.details);
  return (details.success && details.output.fields[0]?.message) || error.message;
}

/** Whether the server was unreachable. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiFailure && error.kind === 'unreachable';

const BASE_MS = 1_000;
const MOST_MS = 30_000;

/** Milliseconds until the next retry after consecutive failures; `random` from 0 to 1. */
export function pauseMs(failures: number, random: number, error: unknown): number {
  // Signing in again takes a person: frequent retries are pointless.
  if (outcomeOf(error) === 'signedOut') return MOST_MS;
  const requestedMs = error instanceof ApiFailure ? error.retryAfterMs : undefined;
  const ceiling = Math.min(MOST_MS, BASE_MS * 2 ** failures);
  return Math.max(requestedMs ?? 0, Math.round(ceiling / 2 + (random * ceiling) / 2));
}
