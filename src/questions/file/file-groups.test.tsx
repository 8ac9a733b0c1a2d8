import { expect, test } from 'vitest';
import { NBSP } from '#domain/format.ts';
import { fileRulesHint } from '#app/ui/forms/offered-files.ts';
import { FILE_GROUPS, hasGroup, otherTypes, withGroup } from './file-groups.ts';

const chosen = (accept: readonly string[]) =>
  FILE_GROUPS.filter((group) => hasGroup(accept, group)).map(({ name }) => name);

test.each(FILE_GROUPS)(
  '$name is detected in the list it made, and removal restores the list',
  (group) => {
    const accept = withGroup(['.pages'], group, true);
    expect(chosen(accept)).toEqual([group.name]);
    expect(otherTypes(accept)).toEqual(['.pages']);
    expect(withGroup(accept, group, false)).toEqual(['.pages']);
  },
);

test('other spellings of types belong to their groups too', () => {
  const accept = ['image/png', 'application/pdf', '.DOCX', 'application/vnd.ms-excel'];
  expect(chosen(accept)).toEqual(['Картинки', 'PDF', 'Документы Word', 'Таблицы']);
});

test('a student reads which files fit', () => {
  const accept = FILE_GROUPS.flatMap(({ accept: types }) => types);
  const rules = fileRulesHint(accept, 1024 * 1024);
  const types = 'Картинки, PDF, DOC, DOCX, XLS, XLSX, ODS, ZIP';
  expect(rules).toBe(`${types}. До 1${NBSP}МБ. Проверяет преподаватель.`);
});
