import { describe, expect, test } from 'vitest';
import { readNames } from './name-list.ts';

const names = (text: string) => readNames(text, []).names.map(({ name }) => name);
const notes = (text: string) => readNames(text, []).notes;

describe('one name a line', () => {
  test('each line is a student; empty lines and invisible characters are ignored', () => {
    expect(names('Иванова Мария\r\n\n   \n\u202e\u200b\nПетров Пётр 9А\n')).toEqual([
      'Иванова Мария',
      'Петров Пётр 9А',
    ]);
    expect(readNames('\n\nАня', []).names[0]?.line).toBe(3);
  });

  test('list numbers before names are removed, dates after them are and are reported', () => {
    const text =
      '1. Иванова Мария\n 12) Петров Пётр\n3.\n4 Белов Лев\n№ 5 Юн Ян 12.03.2010\nX Æ A-12\nДон III';
    expect(names(text)).toEqual([
      'Иванова Мария',
      'Петров Пётр',
      'Белов Лев',
      'Юн Ян',
      'X Æ A-12',
      'Дон III',
    ]);
    expect(notes(text)).toEqual(['Не читаются даты после имён: строка 5']);
  });

  test('heads and titles are no students, and are reported', () => {
    const text =
      'Список учеников 9А класса\nКлассный руководитель: Петрова А. И.\n№ Фамилия, имя Дата рождения\n1 Иванова Мария 01.02.2010\nВсего: 1';
    expect(names(text)).toEqual(['Иванова Мария']);
    expect(notes(text)).toContain('Не читаются как имена: строки 1, 2, 3, 5');
  });
});

describe('columns of a table', () => {
  test.each([
    [
      '№ п/п\tФамилия, имя\tДата рождения\n1\tИванова Мария\t12.03.2010',
      ['«№ п/п»', '«Дата рождения»'],
    ],
    ['Фамилия\tИмя\tКласс\nИванова\tМария\t9А\n', ['«Класс»']],
    ['Класс;Имя;Фамилия;Телефон\n9А;Мария;Иванова;+7 900 000-00-00', ['«Класс»', '«Телефон»']],
    ['9А класс\t\t\n№\tФ.И.О. учащегося\tПол\n1.\tИванова Мария\tж', ['«№»', '«Пол»']],
    ['1\tИванова Мария\t12.03.2010', ['столбец 1 без названия', 'столбец 3 без названия']],
    ['1\tИванова\tМария\t9А', ['столбец 1 без названия', 'столбец 4 без названия']],
    [
      'Иванова\tМария\tженский\tmaria@school.ru',
      ['столбец 3 без названия', 'столбец 4 без названия'],
    ],
    ['\tИванова Мария\t', []],
    ['sep=;\nФИО;Роль\nИванова Мария;ученица', ['«Роль»']],
  ])('of %j give the name, and what is not read is named', (text, unread) => {
    expect(names(text)).toEqual(['Иванова Мария']);
    const line = notes(text).find((note) => note.startsWith('Не читаются столбцы'));
    expect(line).toBe(unread.length > 0 ? `Не читаются столбцы: ${unread.join(', ')}` : undefined);
  });

  test('surname, name and patronymic are joined in this order, by heads or without', () => {
    expect(names('Имя\tОтчество\tФамилия\nМария\tОлеговна\tСёмина')).toEqual([
      'Сёмина Мария Олеговна',
    ]);
    expect(names('1\tСёмина\tМария\tОлеговна\n2\tЮн\tЯн\t')).toEqual([
      'Сёмина Мария Олеговна',
      'Юн Ян',
    ]);
  });

  test('a row without a letter in its name is reported, and the others come in', () => {
    const { names: read } = readNames('№\tФИО\n1\tИванова Мария\n2\t\n3\t15', []);
    expect(read.map(({ line, name, problem }) => [line, name, problem])).toEqual([
      [2, 'Иванова Мария', null],
      [3, '', 'Имени нет'],
      [4, '15', 'Это не имя: в нём нет букв'],
    ]);
  });
});

test('a single tab in a list of names is a space, and numbers within cells are no part of names', () => {
  expect(names('Иванова\tМария\nПетров Пётр\nБелов Лев')).toEqual([
    'Иванова Мария',
    'Петров Пётр',
    'Белов Лев',
  ]);
  expect(names('1. Иванова Мария\t9А\n2. Петров Пётр\t9А')).toEqual([
    'Иванова Мария',
    'Петров Пётр',
  ]);
});

test('a name of three hundred characters is reported with its line', () => {
  const [, long] = readNames(`Аня\n${'в'.repeat(300)}`, []).names;
  expect(long).toMatchObject({ line: 2, problem: 'Имя не длиннее 100 символов' });
});

test('namesakes in the list and the class are marked, ignoring ё and case', () => {
  const { names: list } = readNames('Фёдоров Никита\nАня\nаня\nБелов Лев', ['Федоров никита']);
  expect(list.map(({ isNamesake }) => isNamesake)).toEqual([true, false, true, false]);
});

test('markup is treated as plain text', () => {
  expect(names('<img src=x onerror=alert(1)>')).toEqual(['<img src=x onerror=alert(1)>']);
});
