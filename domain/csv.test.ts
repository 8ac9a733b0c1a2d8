import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeFormula, escapeText, formatCsv, readCsv, unescapeFormula } from './csv.ts';

const cellsOf = (text: string) => readCsv(text).rows.map(({ cells }) => cells);

test.each([';', ',', '\t'])('the delimiter %j is detected from the text itself', (by) => {
  const rows = [
    ['ФИО', 'Почта', 'Роль'],
    ['Иванова Мария', 'maria@school.ru', 'ученик'],
    ['"Петров; Пётр, ""младший"""', 'petr@school.ru', ''],
  ];
  expect(cellsOf(rows.map((row) => row.join(by)).join('\n'))).toEqual([
    ['ФИО', 'Почта', 'Роль'],
    ['Иванова Мария', 'maria@school.ru', 'ученик'],
    ['Петров; Пётр, "младший"', 'petr@school.ru', ''],
  ]);
});

test('a row is named by the line where it begins, and empty rows are skipped', () => {
  const { rows } = readCsv('a;b\n\n"две\nстроки";c\n;;\nd;e\n');
  expect(rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
    [1, 'a'],
    [3, 'две\nстроки'],
    [6, 'd'],
  ]);
});

test('an unclosed quote spoils no more than its row', () => {
  expect(cellsOf('имя;почта\n"Анна;a@b.ru\nПётр;p@b.ru\n')).toEqual([
    ['имя', 'почта'],
    ['Анна', 'a@b.ru'],
    ['Пётр', 'p@b.ru'],
  ]);
});

test.each(['=1+1', '+7', '-2', '@cmd', "'=1", '\tx'])(
  '%j is written so that nothing runs it',
  (text) => {
    const cell = escapeFormula(text);
    expect(cell).toBe(`'${text}`);
    expect(unescapeFormula(cell)).toBe(text.trim());
  },
);

test('what is written is read back as it was', () => {
  const cell = fc
    .string({ maxLength: 12 })
    .map((text) => unescapeFormula(text.replaceAll('\r', '')));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }), (rows) => {
      const full = [['имя', 'почта', 'роль'], ...rows.filter((row) => row.join('').trim() !== '')];
      const text = formatCsv(full, escapeFormula).replaceAll('\r\n', '\n');
      expect(cellsOf(text).map((row) => row.map(unescapeFormula))).toEqual(full);
    }),
  );
});

test('a file of 5,000 rows is read', () => {
  const text = Array.from({ length: 5_000 }, (_, n) => `Имя ${n};n${n}@school.ru;ученик`).join(
    '\n',
  );
  expect(readCsv(text).rows).toHaveLength(5_000);
});

test('the number of rows is limited, of a broken file too', () => {
  const text = 'а;б\nв;г\nд;е\n';
  expect(readCsv(text, { most: 2 }).rows).toHaveLength(2);
  expect(readCsv(`"${text}`, { most: 2 }).rows).toHaveLength(2);
  expect(readCsv(text).rows).toHaveLength(3);
});

test('a known delimiter is not detected', () => {
  expect(readCsv('а,б;в', { delimiter: ',' }).rows[0]?.cells).toEqual(['а', 'б;в']);
});

test('rows of a broken file have line numbers; empty rows are skipped', () => {
  const { rows, isBroken } = readCsv('имя;почта\n\n ; \n"Анна;\nПётр;p@b.ru\n');
  expect(isBroken).toBe(true);
  expect(rows).toEqual([
    { line: 1, cells: ['имя', 'почта'] },
    { line: 4, cells: ['Анна', ''] },
    { line: 5, cells: ['Пётр', 'p@b.ru'] },
  ]);
  expect(readCsv('имя;почта').isBroken).toBe(false);
});

test('a delimiter with as many rows as a semicolon is not preferred', () => {
  expect(cellsOf('Иванова, Мария;ученик')).toEqual([['Иванова, Мария', 'ученик']]);
  expect(cellsOf('одна ячейка')).toEqual([['одна ячейка']]);
});

test('the beginning of a large file decides the delimiter', () => {
  const head = 'имя;почта\n'.repeat(2_000);
  const rest = 'а,б,в\n'.repeat(20_000);
  expect(cellsOf(head + rest)[0]).toEqual(['имя', 'почта']);
});

test('one line of any length is split as well', () => {
  expect(cellsOf(Array.from({ length: 9_000 }, (_, n) => `n${n}`).join(','))[0]).toHaveLength(
    9_000,
  );
});

test('a quote open where the beginning ends does not break the whole', () => {
  const rows = Array.from({ length: 1_000 }, (_, n) => `"Имя, ${n}\nи фамилия",n${n}@school.ru`);
  const { rows: read, isBroken } = readCsv(rows.join('\n'));
  expect(isBroken).toBe(false);
  expect(read).toHaveLength(1_000);
  expect(read[999]).toEqual({ line: 1_999, cells: ['Имя, 999\nи фамилия', 'n999@school.ru'] });
});

test.each(["Жанна д'=", 'а+б', '5-2', "'цитата'", ' =1'])('%j is no formula', (text) => {
  expect(escapeFormula(text)).toBe(text);
});

test('an apostrophe that escaped nothing stays', () => {
  expect(unescapeFormula(" 'цитата' ")).toBe("'цитата'");
  expect(unescapeFormula(" '=1 ")).toBe('=1');
  expect(unescapeFormula("''=1")).toBe("'=1");
});

test('a table is written with semicolons and the line ends of Windows, in quotes only where needed', () => {
  expect(
    formatCsv(
      [
        ['а;б', 'в г'],
        ['д\re', 'е'],
      ],
      String,
    ),
  ).toBe('"а;б";в г\r\n"д\re";е\r\n');
});

test.each(['-5', '-0,5', '-1.5e-3', '-12 %'])('%j is a number, not a formula', (text) => {
  expect(escapeText(text)).toBe(text);
});

test.each(['-5+3', '=1', '-x', '+7', '+7 900 000-00-00', '@a', '-1%+cmd', '-5\n=1'])(
  '%j is a formula',
  (text) => {
    expect(escapeText(text)).toBe(`'${text}`);
  },
);
