import { ROLE } from '#contract/auth.ts';
import type { Group } from '#contract/groups.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { one, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

/** A class as its row and its members tell. */
export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly owner: string;
  readonly memberCount: number;
  readonly joinCode: string | null;
  readonly createdAt: Date;
}

/** A condition on `g` is appended. */
export const GROUP_ROWS = `
select g.id, g.name, g.owner_id as "ownerId", u.user_name as owner, g.join_code as "joinCode",
  g.created_at as "createdAt",
  (select count(*) from group_members m where m.group_id = g.id) as "memberCount"
from groups g join users u on u.id = g.owner_id`;

export const wireGroup = ({ id, createdAt, ...group }: GroupRow): Group => ({
  groupId: id,
  ...group,
  createdAt: createdAt.toISOString(),
});

/**
 * A class of the caller's own; for admins any.
 * @throws {Refusal} NOT_FOUND also for a class of somebody else, so that an id reveals nothing
 */
export async function managedGroup(
  db: Client,
  caller: AuthenticatedUser,
  id: string,
): Promise<GroupRow> {
  const group = await one<GroupRow>(db, `${GROUP_ROWS} where g.id = $1`, [id]);
  const isTheirs =
    group &&
    (caller.role === ROLE.admin ||
      (caller.role === ROLE.teacher && group.ownerId === caller.userId));
  if (!isTheirs) throw new Refusal('NOT_FOUND');
  return group;
}
