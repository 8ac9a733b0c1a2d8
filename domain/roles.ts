import { ROLE, type RoleNumber } from '#contract/auth.ts';

/** The one predicate of teacher-level access: teachers and admins pass. */
export function isTeacherLevel(role: RoleNumber): boolean {
  return role === ROLE.teacher || role === ROLE.admin;
}
