import { expect, test } from 'vitest';
import { roleOfWord } from './role-labels.ts';

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
