import { ROLE } from '#contract/auth.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { one, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
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

async function teaches(db: Client, caller: AuthenticatedUser, attempt: Attempt): Promise<boolean> {
  if (caller.role === ROLE.admin) return true;
  if (caller.role !== ROLE.teacher) return false;
  const owned = await one(db, 'select 1 from tests where id = $1 and owner_id = $2', [
    attempt.testId,
    caller.userId,
  ]);
  return owned !== null;
}

/** An attempt of a test that the caller owns, or of any test for admins. Includes deleted ones. */
export async function taughtAttempt(
  db: Client,
  caller: AuthenticatedUser,
  id: string,
): Promise<Attempt> {
  const attempt = await findAttempt(db, id);
  if (!attempt || !(await teaches(db, caller, attempt))) throw new Refusal('NOT_FOUND');
  return attempt;
}

/** An attempt for its student, the test's owner, or an admin, with the role by which it is read. */
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
  if (!(await teaches(db, caller, attempt))) throw new Refusal('NOT_FOUND');
  return { attempt, as: 'teacher' };
}
