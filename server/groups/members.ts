import { ROLE, type RoleNumber } from '#contract/auth.ts';
import type { GroupMember } from '#contract/groups.ts';
import { inAlphabet } from '#domain/alphabet.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { rows, type Client } from '#server/db/query.ts';

/** A member of a class, with the facts that decide about a password reset. */
export interface MemberRow {
  readonly id: string;
  readonly userName: string;
  readonly email: string;
  readonly role: RoleNumber;
  readonly via: GroupMember['via'];
  /** Whether an admin added the member, even if that account has changed since. */
  readonly addedByAdmin: boolean;
}

/** Needs the class as $1; a condition is appended. */
export const MEMBER_ROWS = `
select u.id, u.user_name as "userName", u.email, u.role, m.via, m.added_by_admin as "addedByAdmin"
from group_members m
  join users u on u.id = m.user_id
where m.group_id = $1`;

/**
 * The manager of a class may reset the password of a student who joined by code, was created for it, or was
 * added by an admin. Otherwise a teacher could add any account of the school and take it over. Accounts of
 * teachers and admins are never reset here.
 */
export function mayResetPassword(
  caller: Pick<AuthenticatedUser, 'role'>,
  member: MemberRow,
): boolean {
  if (member.role !== ROLE.student) return false;
  if (caller.role === ROLE.admin || member.addedByAdmin) return true;
  return member.via === 'code' || member.via === 'generated';
}

/** The members of a class as its manager sees them, by surname. */
export async function listMembers(
  db: Client,
  caller: AuthenticatedUser,
  groupId: string,
): Promise<GroupMember[]> {
  const found = await rows<MemberRow>(db, MEMBER_ROWS, [groupId]);
  // Students are written surname first.
  return inAlphabet(found, ({ id, userName }) => ({ name: userName, id })).map((member) => {
    const isOwn = mayResetPassword(caller, member);
    return {
      userId: member.id,
      userName: member.userName,
      email: isOwn ? member.email : '',
      via: member.via,
      mayResetPassword: isOwn,
    };
  });
}
