import { describe, expect, test } from 'vitest';
import { findPeopleHeads, NO_COLUMNS } from '#domain/people-columns.ts';
import { bookOf } from '#interchange/xlsx/write.ts';
import { areEnough, missingColumnsMessage } from './columns.ts';
import { importRows } from './judge.ts';
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
    expect(findPeopleHeads([cells])?.columns).toEqual({
      ...NO_COLUMNS,
      userName: 0,
      email: 1,
      role: 2,
      password: 3,
    });
  });

  test('says what is missing', () => {
    const columns = { ...NO_COLUMNS, className: 0, email: 1 };
    expect(areEnough(columns)).toBe(false);
    expect(missingColumnsMessage(columns)).toBe('Не найден столбец «Имя»');
    expect(missingColumnsMessage(NO_COLUMNS)).toBe('Не найдены столбцы «Имя» и «Почта»');
  });
});

test('without a header the first row is a person', async () => {
  const table = await read('Анна;a@b.ru\nПётр;p@b.ru\n');
  expect(table).toMatchObject({ kind: 'table', row: -1 });
  expect(table.kind === 'table' && table.rows).toHaveLength(2);
});

test.each([
  [bytes(''), 'Файл пуст. Выберите другой'],
  [bytes('имя;почта\n'), 'В файле нет ни одного человека. Выберите другой'],
  [bytes('PK\u0003\u0004'), 'Архив повреждён'],
  [Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0), 'Это старая книга Excel (.xls)'],
])('%# is refused with a message', async (file, problem) => {
  const table = await readImportFile(file);
  expect(table.kind === 'refused' && table.problem).toContain(problem);
});

test('5,000 rows are accepted and 5,001 are refused with both numbers', async () => {
  const file = (count: number) =>
    `имя;почта\n${Array.from({ length: count }, (_, n) => `Имя ${n};n${n}@school.ru`).join('\n')}`;
  expect((await read(file(5_000))).kind).toBe('table');
  const refused = await read(file(5_001));
  expect(refused.kind === 'refused' && refused.problem).toMatch(/5\s001 строка.*5\s000/u);
});

test('an oversized file is refused with the maximum size', async () => {
  const refused = await readImportFile(new Uint8Array(IMPORT_FILE_BYTES + 1).fill(65));
  expect(refused.kind === 'refused' && refused.problem).toMatch(/слишком большой.*5\sМБ/u);
});

const THREE_COLUMNS = [
  ['Фамилия', 'Имя', 'Отчество', 'Класс', 'Почта', 'Роль'],
  ['Сёмина', 'Мария', 'Олеговна', '9А', 'semina@example.org', 'ученик'],
  ['Петрова', 'Анна', 'Ильинична', '', 'petrova@example.org', 'учительница'],
];
const peopleOf = async (file: Uint8Array) => {
  const table = await readImportFile(file);
  if (table.kind === 'refused') throw new Error(table.problem);
  const { rows, row, columns } = table;
  return importRows(rows.slice(row + 1), columns).map(({ line, userName, className, role }) => [
    line,
    userName,
    className,
    role,
  ]);
};

test('three columns of a name and a class are read from CSV and from Excel', async () => {
  const csv = bytes(THREE_COLUMNS.map((cells) => cells.join(';')).join('\r\n'));
  const [heads = [], ...people] = THREE_COLUMNS;
  const excel = await bookOf({ heads, rows: people }, 'Лист1');
  const expected = [
    [2, 'Сёмина Мария Олеговна', '9А', 'ученик'],
    [3, 'Петрова Анна Ильинична', '', 'учительница'],
  ];
  expect(await peopleOf(csv)).toEqual(expected);
  expect(await peopleOf(excel)).toEqual(expected);
});

test.each([
  ['sep=;\n', 2],
  ['"sep=,"\n', 2],
  ['sep=;;;\n', 2],
  ['Список школы № 5;;\nна 1 сентября;;\n\n', 4],
])('heads are found under %j', async (before, line) => {
  const by = before.includes(',') ? ',' : ';';
  const table = await read(
    `\ufeff${before}Имя;Почта;Роль\nСёмина;s@b.ru;ученик\n`.replaceAll(';', (sign, at: number) =>
      at > before.length ? by : sign,
    ),
  );
  expect(table).toMatchObject({ kind: 'table', columns: { userName: 0, email: 1, role: 2 } });
  expect(table.kind === 'table' && table.rows[table.row]?.line).toBe(line);
});
