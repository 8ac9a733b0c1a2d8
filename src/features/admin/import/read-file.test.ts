import { describe, expect, test } from 'vitest';
import { areEnough, missingColumnsMessage, namedColumns } from './columns.ts';
import { IMPORT_FILE_BYTES, readImportFile } from './read-file.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readImportFile(bytes(text));

describe('the first row', () => {
  test.each([
    [['ФИО', 'E-mail', 'Роль', 'Пароль']],
    [['name', 'email', 'role', 'password']],
    [['Имя', 'Эл. почта', 'Должность', 'ПАРОЛЬ']],
    [['username', 'mail', 'role', 'password']],
  ])('%j names all columns', (cells) => {
    expect(namedColumns({ line: 1, cells })).toEqual({
      userName: 0,
      email: 1,
      role: 2,
      password: 3,
    });
  });

  test('says what is missing', () => {
    const columns = namedColumns({ line: 1, cells: ['Класс', 'Почта', 'Телефон'] });
    expect(areEnough(columns)).toBe(false);
    expect(missingColumnsMessage(columns)).toBe('Не найден столбец «Имя»');
    expect(missingColumnsMessage(namedColumns({ line: 1, cells: ['A', 'B'] }))).toBe(
      'Не найдены столбцы «Имя» и «Почта»',
    );
  });
});

test('without a header the first row is a person', () => {
  const table = read('Анна;a@b.ru\nПётр;p@b.ru\n');
  expect(table).toMatchObject({ kind: 'table', hasHead: false });
  expect(table.kind === 'table' && table.rows).toHaveLength(2);
});

test.each([
  ['', 'Файл пуст. Выберите другой'],
  ['имя;почта\n', 'В файле нет ни одного человека. Выберите другой'],
  ['PK\u0003\u0004', 'Это книга Excel'],
])('%j is refused with a message', (text, problem) => {
  const table = read(text);
  expect(table.kind === 'refused' && table.problem).toContain(problem);
});

test('5,000 rows are accepted and 5,001 are refused with both numbers', () => {
  const file = (count: number) =>
    `имя;почта\n${Array.from({ length: count }, (_, n) => `Имя ${n};n${n}@school.ru`).join('\n')}`;
  expect(read(file(5_000)).kind).toBe('table');
  const refused = read(file(5_001));
  expect(refused.kind === 'refused' && refused.problem).toMatch(/5\s001 строка.*5\s000/u);
});

test('an oversized file is refused with the maximum size', () => {
  const refused = readImportFile(new Uint8Array(IMPORT_FILE_BYTES + 1).fill(65));
  expect(refused.kind === 'refused' && refused.problem).toMatch(/слишком большой.*5\sМБ/u);
});
