import { expect, test } from 'vitest';
import { isTeacherLevel, roleOfWord } from './roles.ts';

test('teachers and administrators have teacher-level access', () => {
  expect([0, 1, 2].map((role) => isTeacherLevel(role as 0 | 1 | 2))).toEqual([false, true, true]);
});

test.each([
  ['', 0],
  [' Ученик ', 0],
  ['student', 0],
  ['Преподаватель', 2],
  ['УЧИТЕЛЬ', 2],
  ['2', 2],
  ['Админ', 1],
  ['admin', 1],
  ['директор', null],
  ['3', null],
])('a cell with %j names the role %j', (cell, role) => {
  expect(roleOfWord(cell)).toBe(role);
});
