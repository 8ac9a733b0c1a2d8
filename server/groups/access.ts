import { ROLE } from '#contract/auth.ts';
import type { Group } from '#contract/groups.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { one, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

/** A class: its row and figures about its members. */
export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly owner: string;
  readonly memberCount: number;
  readonly joinCode: string | null;
  readonly createdAt: Date;
}

/** Whether class `g` is shared with the person of an SQL expression. */
export const isSharedGroup = (userId: string) =>
  `exists (select 1 from group_shares s where s.group_id = g.id and s.user_id = ${userId})`;

/** A condition on `g` is appended. */
export const GROUP_ROWS = `
select g.id, g.name, g.owner_id as "ownerId", u.user_name as owner, g.join_code as "joinCode",
  g.created_at as "createdAt",
  (select count(*) from group_members m where m.group_id = g.id) as "memberCount"
from groups g join users u on u.id = g.owner_id`;

const isOwner = (caller: AuthenticatedUser, { ownerId }: GroupRow) =>
  caller.role === ROLE.admin || (caller.role === ROLE.teacher && ownerId === caller.userId);

export const wireGroup = (
  caller: AuthenticatedUser,
  { createdAt, id, ...group }: GroupRow,
): Group => ({
  groupId: id,
  ...group,
  level: isOwner(caller, { createdAt, id, ...group }) ? 'owner' : 'edit',
  createdAt: createdAt.toISOString(),
});

/**
 * A class of the caller's own, or one shared with the caller unless it has to be an `owner`; any class for admins.
 * @throws {Refusal} NOT_FOUND also for a class of somebody else, so that an id reveals nothing
 */
export async function managedGroup(
  db: Client,
  caller: AuthenticatedUser,
  id: string,
  needed: 'edit' | 'owner' = 'edit',
): Promise<GroupRow> {
  const group = await one<GroupRow>(db, `${GROUP_ROWS} where g.id = $1`, [id]);
  if (!group) throw new Refusal('NOT_FOUND');
  if (isOwner(caller, group)) return group;
  const shared =
    needed === 'edit' &&
    caller.role === ROLE.teacher &&
    (await one(db, `select 1 from groups g where g.id = $1 and ${isSharedGroup('$2')}`, [
      id,
      caller.userId,
    ]));
  if (!shared) throw new Refusal('NOT_FOUND');
  return group;
}
