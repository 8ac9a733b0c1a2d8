import { expect, test } from 'vitest';
import { NBSP } from './format.ts';
import {
  formatAlpha,
  formatBin,
  formatMean,
  formatMedian,
  formatStandardError,
  formatMedianTime,
} from './labels-statistics.ts';
import { FEWEST_ATTEMPTS } from './statistics.ts';

test('too few attempts give no verdict, whatever alpha is', () => {
  for (const alpha of [null, 0.9])
    expect(formatAlpha(alpha, FEWEST_ATTEMPTS - 1)).toMatch(/^Мало данных: нужно не меньше \d+ /);
});

test('from enough attempts alpha has a verdict, and so has its absence', () => {
  expect(formatAlpha(0.95, FEWEST_ATTEMPTS)).toMatch(/^Очень высокая\./);
  expect(formatAlpha(-0.2, FEWEST_ATTEMPTS)).toMatch(/^Вопросы противоречат друг другу\./);
  expect(formatAlpha(null, FEWEST_ATTEMPTS)).toMatch(/^Не считается:/);
});

test('the standard error and the spread are shown in tenths of a point', () => {
  expect(formatStandardError(1.26)).toBe(
    'Случайность может изменить результат примерно на 1,3 балла.',
  );
  expect(formatMean(13.2, 20, 6.14)).toBe(
    `Это 66${NBSP}% от максимума. Обычный разброс вокруг среднего: 6,1 балла.`,
  );
});

test('a test without points has no share, one attempt no spread', () => {
  expect(formatMean(0, 0, 2)).toBe('Обычный разброс вокруг среднего: 2 балла.');
  expect(formatMean(0, 0, null)).toBe('');
  expect(formatMean(5, 20, null)).toBe(`Это 25${NBSP}% от максимума.`);
});

test('medians and bounds as text', () => {
  expect(formatMedian(7.5)).toBe('Половина работ не ниже 7,5, половина не выше.');
  expect(formatBin(4, 8)).toBe('4–8');
  expect(formatMedianTime(1_500)).toBe('Половина учеников справилась за 25 минут или быстрее.');
});
