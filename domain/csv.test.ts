import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv, typedText, writeCsv } from './csv.ts';

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells);

test.each([';', ',', '\t'])('cells parted by %j are told by the text itself', (by) => {
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

test('a row is named by the line where it begins, and empty rows are none', () => {
  const rows = readCsv('a;b\n\n"две\nстроки";c\n;;\nd;e\n');
  expect(rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
    [1, 'a'],
    [3, 'две\nстроки'],
    [6, 'd'],
  ]);
});

test('a quote that is never closed spoils no more than its row', () => {
  expect(cellsOf('имя;почта\n"Анна;a@b.ru\nПётр;p@b.ru\n')).toEqual([
    ['имя', 'почта'],
    ['Анна', 'a@b.ru'],
    ['Пётр', 'p@b.ru'],
  ]);
});

test.each(['=1+1', '+7', '-2', '@cmd', "'=1", '\tx'])(
  '%j is written so that nothing runs it',
  (text) => {
    const [row] = readCsv(
      writeCsv([[text, 'b']])
        .slice(1)
        .replaceAll('\r\n', '\n'),
    );
    expect(row?.cells[0]).toBe(`'${text}`);
    expect(typedText(row?.cells[0] ?? '')).toBe(text.trim());
  },
);

test('what is written is read back as it was', () => {
  const cell = fc.string({ maxLength: 12 }).map((text) => typedText(text.replaceAll('\r', '')));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }), (rows) => {
      const full = [['имя', 'почта', 'роль'], ...rows.filter((row) => row.join('').trim() !== '')];
      const text = writeCsv(full).slice(1).replaceAll('\r\n', '\n');
      expect(cellsOf(text).map((row) => row.map(typedText))).toEqual(full);
    }),
  );
});

test('a file of 5,000 rows is read', () => {
  const text = Array.from({ length: 5_000 }, (_, n) => `Имя ${n};n${n}@school.ru;ученик`).join(
    '\n',
  );
  expect(readCsv(text)).toHaveLength(5_000);
});
