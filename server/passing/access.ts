import type { AuthenticatedUser } from '#server/auth/caller.ts';
import type { Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { mayManageTest } from '#server/tests/level.ts';
import { findAttempt, type Attempt } from './attempt.ts';

/** The caller's own attempt. Throws NOT_FOUND for anybody else's, GONE when it was deleted. */
export async function ownAttempt(
  db: Client,
  caller: AuthenticatedUser,
  id: string,
): Promise<Attempt> {
  const attempt = await findAttempt(db, id);
  if (!attempt || attempt.userId !== caller.userId) throw new Refusal('NOT_FOUND');
  if (attempt.deletedAt) throw new Refusal('GONE');
  return attempt;
}

/** An attempt of a test that the caller may grade, or edit where that is needed. Includes deleted ones. */
export async function taughtAttempt(
  db: Client,
  caller: AuthenticatedUser,
  id: string,
  needed: 'grade' | 'edit' = 'grade',
): Promise<Attempt> {
  const attempt = await findAttempt(db, id);
  if (!attempt || !(await mayManageTest(db, caller, attempt.testId, needed)))
    throw new Refusal('NOT_FOUND');
  return attempt;
}

/** An attempt for its student, or for a person who may see the test's results, with the role of the reader. */
export async function readableAttempt(
  db: Client,
  caller: AuthenticatedUser,
  id: string,
): Promise<{ attempt: Attempt; as: 'student' | 'teacher' }> {
  const attempt = await findAttempt(db, id);
  if (!attempt) throw new Refusal('NOT_FOUND');
  if (attempt.userId === caller.userId) {
    if (attempt.deletedAt) throw new Refusal('GONE');
    return { attempt, as: 'student' };
  }
  if (!(await mayManageTest(db, caller, attempt.testId, 'results'))) throw new Refusal('NOT_FOUND');
  return { attempt, as: 'teacher' };
}
