import { isEnded } from '#domain/deadline.ts';
import { partsVisibleFrom, shownParts, type Parts } from '#domain/visibility.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { readableAttempt } from '#server/passing/access.ts';
import { attemptClosesAt, attemptTime, type Attempt } from '#server/passing/attempt.ts';
import { closedIfDue } from '#server/passing/close.ts';
import { readableTest, type TestAccess } from '#server/tests/access.ts';
import { closedAtOf, latestCloses } from '#server/tests/visible.ts';

/** An attempt as its reader may see it now. */
export interface ResultReading {
  readonly test: TestAccess;
  readonly attempt: Attempt;
  readonly now: Date;
  /** From when its student may see each part, milliseconds; null: never with the present settings. */
  readonly from: Parts<number | null>;
  readonly shows: Parts<boolean>;
}

/**
 * Opens an attempt for its student or teacher.
 * @throws {Refusal} NOT_FOUND for anybody else, GONE when deleted, BEGIN_HELD for the student of a held begin
 */
export async function readAttempt(
  deps: Deps,
  caller: AuthenticatedUser,
  attemptId: string,
  now: Date,
): Promise<ResultReading> {
  const found = await readableAttempt(deps.pool, caller, attemptId);
  if (found.as === 'student' && found.attempt.isHeld) throw new Refusal('BEGIN_HELD');
  const attempt = await closedIfDue(deps.pool, found.attempt, now);
  const test = await readableTest(deps.pool, caller, attempt.testId);
  if (!test) throw new Refusal('NOT_FOUND');
  const latest = (await latestCloses(deps.pool, [test.id])).get(test.id) ?? null;
  const endsAt = attempt.endedAt ?? attemptClosesAt(attempt);
  const from = partsVisibleFrom(test.visibility, endsAt.getTime(), closedAtOf(test, latest));
  const ended = isEnded(attemptTime(attempt), now.getTime());
  return {
    test,
    attempt,
    now,
    from,
    shows: shownParts(found.as, ended, from, now.getTime()),
  };
}

/** A time in the wire's format. */
export const isoOf = (moment: number | null): string | null =>
  moment === null ? null : new Date(moment).toISOString();
