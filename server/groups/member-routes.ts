import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { ROLE } from '#contract/auth.ts';
import {
  addMembers,
  createPupils,
  removeMember,
  resetPupilPassword,
  type StudentCard,
} from '#contract/groups.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { forgiveAccount } from '#server/auth/failures.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { execute, one, rows, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { invalid, Refusal } from '#server/http/refusal.ts';
import { isSharedGroup, managedGroup } from './access.ts';
import { lockPlaces } from './joining.ts';
import { MEMBER_ROWS, mayResetPassword, type MemberRow } from './members.ts';
import { makeStudents } from './new-students.ts';
import { studentPassword } from './student-password.ts';

/** Adds the accounts that are not members yet to the class; returns their number. */
async function pickMembers(
  client: PoolClient,
  { groupId, ownerId }: { groupId: string; ownerId: string },
  { userIds, caller, now }: { userIds: readonly string[]; caller: AuthenticatedUser; now: Date },
): Promise<number> {
  const places = await lockPlaces(client, groupId);
  const students = await rows<{ id: string; isMember: boolean }>(
    client,
    `select u.id, m.user_id is not null as "isMember" from users u
       left join group_members m on m.user_id = u.id and m.group_id = $1
      where u.id = any($2) and u.role = $3 and u.erased_at is null`,
    [groupId, userIds, ROLE.student],
  );
  if (students.length < new Set(userIds).size)
    throw invalid([
      {
        field: 'userIds',
        message: 'В класс входят только ученики: кого-то из выбранных добавить нельзя',
      },
    ]);
  const added = students.filter(({ isMember }) => !isMember);
  if (added.length > places) throw new Refusal('GROUP_FULL');
  // A student who moves between classes of one teacher, or returns to a class, retains the recorded kind of joining.
  // That kind allows the caller to reset the password, so it comes only from classes that the caller manages.
  return execute(
    client,
    `with back as (
       delete from former_members where group_id = $1 and user_id = any($2)
       returning user_id, via, added_by_admin
     )
     insert into group_members (group_id, user_id, via, added_by, added_by_admin, added_at)
     select $1, picked.id, coalesce(origin.via, 'picked'), $4,
       $6 or coalesce(origin.added_by_admin, false), $5
     from unnest($2::uuid[]) as picked(id) left join lateral (
       select via, added_by_admin from back where user_id = picked.id
       union all
       select m.via, m.added_by_admin from group_members m join groups g on g.id = m.group_id
       where m.user_id = picked.id and g.owner_id = $3 and (m.via <> 'picked' or m.added_by_admin)
         and ($6 or g.owner_id = $4 or ${isSharedGroup('$4')})
       limit 1) origin on true`,
    [groupId, added.map(({ id }) => id), ownerId, caller.userId, now, caller.role === ROLE.admin],
  );
}

/**
 * Removes a student from the class; returns how many. The kind of joining is stored for the teacher, in case the
 * student is added again. If an admin removes the student, it is not: then no teacher regains the right to reset the
 * password.
 */
async function removeMemberAs(
  db: Client,
  caller: AuthenticatedUser,
  { groupId, userId }: { groupId: string; userId: string },
): Promise<number> {
  const removed = await one<{ count: number }>(
    db,
    `with removed as (
       delete from group_members where group_id = $1 and user_id = $2
       returning group_id, user_id, via, added_by_admin
     ), forgotten as (
       delete from former_members where group_id = $1 and user_id = $2 and $3
     ), stored as (
       insert into former_members (group_id, user_id, via, added_by_admin)
       select * from removed where not $3 and (via <> 'picked' or added_by_admin)
       on conflict (group_id, user_id) do update
         set via = excluded.via, added_by_admin = excluded.added_by_admin
     )
     select count(*) as count from removed`,
    [groupId, userId, caller.role === ROLE.admin],
  );
  return removed?.count ?? 0;
}

/**
 * A member with a password that the caller may reset.
 * @throws {Refusal} NOT_FOUND for a non-member, PASSWORD_NOT_YOURS
 */
async function resettable(
  db: Client,
  caller: AuthenticatedUser,
  { groupId, userId }: { groupId: string; userId: string },
): Promise<MemberRow> {
  const member = await one<MemberRow>(db, `${MEMBER_ROWS} and m.user_id = $2 for update of u, m`, [
    groupId,
    userId,
  ]);
  if (!member) throw new Refusal('NOT_FOUND');
  if (mayResetPassword(caller, member)) return member;
  throw new Refusal(
    'PASSWORD_NOT_YOURS',
    member.role === ROLE.student
      ? {}
      : { message: 'Это больше не ученик: его пароль меняет администратор в списке пользователей' },
  );
}

export function registerMembers(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(
    app,
    deps,
    addMembers,
    async ({ caller, params, body, now }) => {
      const { id: groupId, ownerId } = await managedGroup(pool, caller, params.groupId);
      const picked = { userIds: body.userIds, caller, now };
      const added = await transaction(pool, (client) =>
        pickMembers(client, { groupId, ownerId }, picked),
      );
      return { added };
    },
    { admit: ({ caller, params }) => managedGroup(pool, caller, params.groupId) },
  );

  handle(app, deps, removeMember, async ({ caller, params }) => {
    await managedGroup(pool, caller, params.groupId);
    if ((await removeMemberAs(pool, caller, params)) === 0) throw new Refusal('NOT_FOUND');
    return {};
  });

  handle(
    app,
    deps,
    createPupils,
    async ({ caller, params, body, now }) => {
      await managedGroup(pool, caller, params.groupId);
      const order = { ...body, groupId: params.groupId, callerId: caller.userId, now };
      const items = await makeStudents(deps, order);
      return { items, total: items.length };
    },
    { admit: ({ caller, params }) => managedGroup(pool, caller, params.groupId) },
  );

  handle(app, deps, resetPupilPassword, async ({ caller, params, now }): Promise<StudentCard> => {
    await managedGroup(pool, caller, params.groupId);
    await resettable(pool, caller, params);
    const password = studentPassword();
    const passwordHash = await hashPassword(password);
    return transaction(pool, async (client) => {
      // Checked again under a lock: meanwhile the student may have left the class, or become a teacher.
      const { id, userName, email } = await resettable(client, caller, params);
      await execute(client, 'update users set password_hash = $2 where id = $1', [
        id,
        passwordHash,
      ]);
      await execute(client, 'delete from sessions where user_id = $1', [id]);
      await forgiveAccount(client, email.toLowerCase());
      const act = actOn('user', id, { actorId: caller.userId, act: 'passwordReset' });
      await recordAct(client, deps, act, now);
      return { userId: id, userName, email, password };
    });
  });
}
