import { expect, test } from 'vitest';
import {
  ANSWERS,
  QUESTIONS,
  formatCount,
  formatNumber,
  formatPercent,
  formatPoints,
  formatSize,
  formatSizeProgress,
  letterOf,
} from './format.ts';

test.each([
  [1, '1 ответ'],
  [2, '2 ответа'],
  [5, '5 ответов'],
  [11, '11 ответов'],
  [21, '21 ответ'],
  [0, '0 ответов'],
])('%d agrees with its noun', (count, text) => {
  expect(formatCount(count, ANSWERS)).toBe(text);
});

test('twenty-one questions take the singular', () => {
  expect(formatCount(21, QUESTIONS)).toBe('21 вопрос');
});

test.each([
  [1, '1 балл'],
  [1.5, '1,5 балла'],
  [2, '2 балла'],
  [40, '40 баллов'],
  [0.25, '0,25 балла'],
])('%d points are written with a decimal comma', (points, text) => {
  expect(formatPoints(points)).toBe(text);
});

test('a negative number has a true minus, and zero none', () => {
  expect(formatNumber(-0.14)).toBe('−0,14');
  expect(formatNumber(-0.001)).toBe('0');
});

test('a share is written in percent after a no-break space', () => {
  expect(formatPercent(0.96)).toBe('96\u00a0%');
});

test.each([
  [0, '0\u00a0Б'],
  [900, '900\u00a0Б'],
  [655_360, '640\u00a0КБ'],
  [1_023, '1\u00a0023\u00a0Б'],
  [1_024, '1\u00a0КБ'],
  [1_500, '1\u00a0КБ'],
  [2_516_582, '2,4\u00a0МБ'],
  [1_024 ** 3, '1\u00a0ГБ'],
  [5_000 * 1_024 ** 3, '5\u00a0000\u00a0ГБ'],
  [10 * 1024 * 1024, '10\u00a0МБ'],
])('%d bytes are shown in a fitting unit', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

test('progress of a file is shown in the unit of the whole', () => {
  expect(formatSizeProgress(1_572_864, 2_516_582)).toBe('1,5 из 2,4\u00a0МБ');
  expect(formatSizeProgress(9_999_999, 2_516_582)).toBe('2,4 из 2,4\u00a0МБ');
});

test('right items are lettered without Ё and Й, and go on past Я', () => {
  expect([0, 1, 5, 6, 9].map(letterOf)).toEqual(['А', 'Б', 'Е', 'Ж', 'К']);
  expect(letterOf(28)).toBe('А2');
});
