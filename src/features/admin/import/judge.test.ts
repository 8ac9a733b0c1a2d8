import { expect, test } from 'vitest';
import { escapeFormula, formatCsv, readCsv } from '#domain/csv.ts';
import { findPeopleHeads, NO_COLUMNS } from '#domain/people-columns.ts';
import { importRows, judgeRows } from './judge.ts';
import { countRows, formatCounts, failedTable, knownRow, madeTable } from './outcome.ts';

const read = (text: string) => {
  const { rows } = readCsv(text);
  const heads = findPeopleHeads(rows.map(({ cells }) => cells));
  return judgeRows(importRows(rows.slice((heads?.row ?? -1) + 1), heads?.columns ?? NO_COLUMNS));
};

test('errors of a row are found before anything is sent', () => {
  const rows = read(
    [
      'Имя;Почта;Роль;Пароль',
      'Анна  Иванова;anna@school.ru;ученик;',
      ';pyotr@school.ru;;',
      'Олег;не почта;;',
      'Ирина;;;',
      'Анна Другая;ANNA@school.ru;;',
      'Юрий;yuri@school.ru;директор;',
      'Вера;vera@school.ru;учитель;слабый',
      'Лев;lev@school.ru;;Secret1',
    ].join('\n'),
  );
  expect(rows[0]?.row).toEqual({
    line: 2,
    userName: 'Анна Иванова',
    email: 'anna@school.ru',
    role: 'ученик',
    password: '',
    className: '',
  });
  expect(rows.map(({ problems }) => problems)).toEqual([
    [],
    ['Нет имени'],
    ['Неверный формат электронной почты'],
    ['Нет почты'],
    ['Такая почта уже есть в строке 2'],
    ['Неизвестная роль «директор». Бывает: студент, преподаватель, администратор'],
    ['Пароль должен содержать хотя бы одну заглавную букву'],
    [],
  ]);
});

test('a cell longer than the API limit is never sent', () => {
  const [row] = read(`Имя;Почта\n${'я'.repeat(501)};a@b.ru`);
  expect(row?.problems).toEqual(['Слишком длинная ячейка']);
});

const result = (line: number, outcome: 'good' | 'exists' | 'wrong', password: string | null) => ({
  line,
  outcome,
  problems: outcome === 'wrong' ? [{ field: 'email', message: 'Почта не подходит' }] : [],
  userId: null,
  password,
});

test('the result lists created accounts with passwords, and failures with reasons', () => {
  const judged = read(
    'Имя;Почта;Роль\nАнна;a@b.ru;\n=Пётр;p@b.ru;учитель\nОлег;o@b.ru;\n;i@b.ru;\nЮлия;y@b.ru;\n',
  );
  const made = new Map(
    [
      result(2, 'good', 'Made-1'),
      result(3, 'good', null),
      result(4, 'wrong', null),
      result(6, 'exists', null),
    ].map((one) => [one.line, one]),
  );
  const rows = judged.map((row) => knownRow(row, new Map(), made));
  expect(formatCounts(countRows(rows))).toBe('2 создано, 1 уже было, 2 с ошибками');
  expect(madeTable(rows)).toEqual([
    ['Имя', 'Почта', 'Роль', 'Класс', 'Пароль'],
    ['Анна', 'a@b.ru', 'Студент', '', 'Made-1'],
    ['=Пётр', 'p@b.ru', 'Преподаватель', '', 'из вашего файла'],
  ]);
  expect(formatCsv(madeTable(rows), escapeFormula)).toContain("'=Пётр;");
  expect(failedTable(rows).map((cells) => [cells[1], cells[5]])).toEqual([
    ['Почта', 'Что исправить'],
    ['o@b.ru', 'Почта не подходит'],
    ['i@b.ru', 'Нет имени'],
    ['y@b.ru', 'Учётная запись с такой почтой уже есть, она не изменится'],
  ]);
});

test('exported failed rows can be imported again', () => {
  const judged = read('Имя;Почта;Роль\n=Пётр;нет;учитель\n');
  const rows = judged.map((row) => knownRow(row, new Map(), new Map()));
  const again = read(formatCsv(failedTable(rows), escapeFormula).replaceAll('\r\n', '\n'));
  expect(again[0]?.row).toEqual(judged[0]?.row);
});
