import { ROLE } from '#contract/auth.ts';
import type { AccessLevel, ShareLevel } from '#contract/sharing.ts';
import { reaches } from '#domain/access-level.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { one, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

type Caller = Pick<AuthenticatedUser, 'userId' | 'role'>;

/** What decides about a caller's access to a test. */
export interface SharedTest {
  readonly ownerId: string;
  /** The level that the owner gave the caller; null: none. */
  readonly sharedAs: ShareLevel | null;
}

/** The level that the person of an SQL expression has on test `t`. */
export const sharedAsSql = (userId: string) =>
  `(select s.level from test_shares s where s.test_id = t.id and s.user_id = ${userId})`;

/** What the caller may do with a test; null: nothing. Admins have the owner's rights. */
export function levelOf(caller: Caller, test: SharedTest): AccessLevel | null {
  if (caller.role === ROLE.admin) return 'owner';
  if (caller.role !== ROLE.teacher) return null;
  return caller.userId === test.ownerId ? 'owner' : test.sharedAs;
}

/** Whether the caller has the level, or a higher one. */
export function mayManage(caller: Caller, test: SharedTest, needed: AccessLevel): boolean {
  const level = levelOf(caller, test);
  return level !== null && reaches(level, needed);
}

/** The same for the test of an id; false also for one that does not exist. */
export async function mayManageTest(
  db: Client,
  caller: Caller,
  testId: string,
  needed: AccessLevel,
): Promise<boolean> {
  const test = await one<SharedTest>(
    db,
    `select t.owner_id as "ownerId", ${sharedAsSql('$2')} as "sharedAs" from tests t where t.id = $1`,
    [testId, caller.userId],
  );
  return test !== null && mayManage(caller, test, needed);
}

/** @throws {Refusal} NOT_FOUND below the level, so that an id reveals nothing */
export async function requireLevel(
  db: Client,
  caller: Caller,
  testId: string,
  needed: AccessLevel,
): Promise<void> {
  if (!(await mayManageTest(db, caller, testId, needed))) throw new Refusal('NOT_FOUND');
}
