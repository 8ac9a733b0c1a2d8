import { expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { isTeacherLevel } from './roles.ts';

test('teachers and admins have what teachers may, students do not', () => {
  expect(isTeacherLevel(ROLE.teacher)).toBe(true);
  expect(isTeacherLevel(ROLE.admin)).toBe(true);
  expect(isTeacherLevel(ROLE.student)).toBe(false);
});
