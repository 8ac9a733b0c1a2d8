import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { nameKey } from '#server/db/name-order.ts';
import { one, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { requireLevel } from '#server/tests/level.ts';

/** A test with the fields that grading needs. */
export interface TaughtTest {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  /** Of the newest content; null: no question yet. */
  readonly contentId: string | null;
}

/** Restricts attempts: to one class, and whether trials are included. */
export interface OfClass {
  readonly groupId?: string | undefined;
  readonly trials?: '1' | undefined;
}

/** A test that the caller may grade, or edit if `needed` says so. Throws NOT_FOUND for any other. */
export async function taughtTest(
  db: Client,
  caller: AuthenticatedUser,
  id: string,
  needed: 'grade' | 'edit' = 'grade',
): Promise<TaughtTest> {
  await requireLevel(db, caller, id, needed);
  const test = await one<TaughtTest>(
    db,
    `select id, owner_id as "ownerId", name, content_id as "contentId" from tests where id = $1`,
    [id],
  );
  if (!test) throw new Refusal('NOT_FOUND');
  return test;
}

/** Whether class `g` belongs to test $1: it is its owner's (the named parameter), or assigned to it. */
export const isTaughtGroup = (ownerId: string) => `(g.owner_id = ${ownerId}
  or g.id in (select s.group_id from assignments s where s.test_id = $1))`;

/** Names of a person's classes on test $1: those of its owner (the named parameter), and those assigned to it. */
export const groupNames = (userId: string, ownerId: string) => `array(
  select g.name from group_members m join groups g on g.id = m.group_id
  where m.user_id = ${userId} and ${isTaughtGroup(ownerId)} order by ${nameKey('g.name')}
)`;

const OWNER = '(select t.owner_id from tests t where t.id = $1)';

/**
 * Whether a person is in the class named by a parameter; null: any class. A class that does not belong to test
 * $1 matches nobody, like an id that does not exist.
 */
export const inGroup = (userId: string, groupId: string) => `(${groupId}::uuid is null or exists (
  select 1 from group_members m join groups g on g.id = m.group_id
  where m.group_id = ${groupId} and m.user_id = ${userId} and ${isTaughtGroup(OWNER)}
))`;

/** Trials of a test by people of a class; null: of any class. */
export async function countTrials(
  db: Client,
  testId: string,
  groupId: string | null,
): Promise<number> {
  const found = await one<{ count: number }>(
    db,
    `select count(*) as count from attempts x
     where x.test_id = $1 and x.trial and x.deleted_at is null and ${inGroup('x.user_id', '$2')}`,
    [testId, groupId],
  );
  return found?.count ?? 0;
}
