import { expect, test } from 'vitest';
import { sortOffered } from './offered-files.ts';

const file = (name: string, size = 1) => new File(['x'.repeat(size)], name);
const SEVERAL = { accept: ['.pdf'], maxFiles: 4 };
const sort = (files: File[], count = 0, limits = SEVERAL) => {
  const { accepted, problem } = sortOffered(files, limits, count);
  return [accepted.map(({ name }) => name), problem];
};

test('of several picked files each refused one is named, and a single one says only why', () => {
  expect(sort([file('б.pdf', 0)])).toEqual([[], 'Файл пустой. Выберите другой']);
  expect(sort([file('а.pdf', 0), file('б.pdf')])).toEqual([
    ['б.pdf'],
    '«а.pdf»: Файл пустой. Выберите другой.',
  ]);
  expect(sort([file('а.pdf'), file('б.pdf')])).toEqual([['а.pdf', 'б.pdf'], null]);
});

test('files above the limit of their number are refused with both numbers', () => {
  expect(sort([file('а.pdf')], 4)).toEqual([
    [],
    'Взято файлов: 0, не взято: 1. К этому вопросу можно приложить не больше 4.',
  ]);
  expect(sort([file('а.pdf'), file('б.pdf')], 3)[0]).toEqual(['а.pdf']);
});

test('where one file is accepted, the first one replaces the file that is there', () => {
  const one = { accept: ['.pdf'], maxFiles: 1 };
  expect(sort([file('а.pdf'), file('б.pdf')], 1, one)).toEqual([['а.pdf'], null]);
  expect(sort([file('а.exe'), file('б.pdf')], 1, one)[1]).toMatch(/^Такой файл не подойдёт/);
});
