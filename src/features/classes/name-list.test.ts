import { expect, test } from 'vitest';
import { readNames } from './name-list.ts';

const names = (text: string) => readNames(text, []).map(({ name }) => name);

test('each line is a student; empty lines and invisible characters are ignored', () => {
  expect(names('Иванова Мария\r\n\n   \n\u202e\u200b\nПетров Пётр\t 9А\n')).toEqual([
    'Иванова Мария',
    'Петров Пётр 9А',
  ]);
  expect(readNames('\n\nАня', [])[0]?.line).toBe(3);
});

test('list numbers before names are removed', () => {
  expect(names('1. Иванова Мария\n 12) Петров Пётр\n3.\nX Æ A-12')).toEqual([
    'Иванова Мария',
    'Петров Пётр',
    'X Æ A-12',
  ]);
});

test('a name of three hundred characters is reported with its line', () => {
  const [, long] = readNames(`Аня\n${'в'.repeat(300)}`, []);
  expect(long).toMatchObject({ line: 2, problem: 'Имя не длиннее 100 символов' });
});

test('namesakes in the list and the class are marked, ignoring ё and case', () => {
  const list = readNames('Фёдоров Никита\nАня\nаня\nБелов Лев', ['Федоров никита']);
  expect(list.map(({ isNamesake }) => isNamesake)).toEqual([true, false, true, false]);
});

test('markup is treated as plain text', () => {
  expect(names('<img src=x onerror=alert(1)>')).toEqual(['<img src=x onerror=alert(1)>']);
});
