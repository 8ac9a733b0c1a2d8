import { expect, test } from 'vitest';
import { readPoints, stepPoints, usualPoints, writePoints } from './points.ts';

test.each([
  ['2,5', 2.5],
  ['2.5', 2.5],
  [' 0 ', 0],
  ['5', 5],
  ['4,35', 4.35],
])('«%s» are %s points', (text, points) => {
  expect(readPoints(text, 5)).toEqual({ points, error: null });
});

test.each([
  ['', 'Поставьте баллы'],
  ['много', 'Напишите число, например 2,5'],
  ['1e0', 'Напишите число, например 2,5'],
  ['-1', 'Баллы не бывают отрицательными'],
  ['5,01', 'За этот вопрос не больше 5'],
  ['2,345', 'Не больше двух знаков после запятой'],
])('«%s» are none: %s', (text, error) => {
  expect(readPoints(text, 5)).toEqual({ points: null, error });
});

test('steps stay within 0 … max, chips are zero, half and full points', () => {
  expect([stepPoints('', 5, 1), stepPoints('5', 5, 1), stepPoints('0', 5, -1)]).toEqual([
    0.5, 5, 0,
  ]);
  expect([stepPoints('2,25', 5, 1), stepPoints('0', 1, 1), stepPoints('3', 20, 1)]).toEqual([
    2.75, 0.25, 4,
  ]);
  expect([usualPoints(5), usualPoints(0)]).toEqual([[0, 2.5, 5], [0]]);
  expect(writePoints(1234.5)).toBe('1234,5');
});
