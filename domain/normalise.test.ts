import { expect, test } from 'vitest';
import {
  acceptedIdentity,
  comparableAnswer,
  matchesAccepted,
  normaliseText,
  parseNumber,
} from './normalise.ts';

const fits = (typed: string, accepted: string, tolerance = 0) =>
  matchesAccepted(comparableAnswer(typed), comparableAnswer(accepted), tolerance);

test.each([
  ['  Сила   тяжести ', 'сила тяжести'],
  ['ЁЖ', 'еж'],
  ['северо\u2013запад', 'северо-запад'],
  ['«Война и мир»', '"война и мир"'],
  ['д’Артаньян', "д'артаньян"],
])('%j is compared as %j', (written, compared) => {
  expect(normaliseText(written)).toBe(compared);
});

test.each([
  ['5', 5],
  ['+5', 5],
  ['−5', -5],
  ['5.', 5],
  ['4,9', 4.9],
  [',25', 0.25],
  ['.5', 0.5],
  ['12 500', 12_500],
  ['1e3', 1_000],
  ['1E+3', 1_000],
  ['1,6e-19', 1.6e-19],
  ['6,02e23', 6.02e23],
  ['1e100', 1e100],
])('%j is the number %d', (written, value) => {
  expect(parseNumber(written)).toBe(value);
});

test.each([
  '',
  '.',
  '.а',
  '5 м',
  'x5',
  '5+5',
  '--5',
  '+-+5',
  '1.2.3',
  '1,000,000',
  '1e',
  '1ea',
  '1e1000',
  '1e999',
  'пять',
  'Infinity',
  '0x10',
])('%j is no plain number', (written) => {
  expect(parseNumber(written)).toBeNull();
});

test('numbers are compared by their value, however they are written', () => {
  expect(fits('4,90', '4.9')).toBe(true);
  expect(fits('+4.9', '4,9')).toBe(true);
  expect(fits('4.91', '4.9')).toBe(false);
  expect(fits('5 м', '5')).toBe(false);
});

test('without a tolerance every difference counts, however small', () => {
  expect(fits('1,0000000000001', '1')).toBe(false);
  expect(fits('0', '0,0000000000001')).toBe(false);
});

test('the edge of a tolerance belongs to it, whatever the numbers are', () => {
  expect(fits('4.95', '4.9', 0.05)).toBe(true);
  expect(fits('4.8500', '4.9', 0.05)).toBe(true);
  expect(fits('4.951', '4.9', 0.05)).toBe(false);
  // The rounding error of doubles grows with the numbers.
  expect(fits('123456.7', '123456.4', 0.3)).toBe(true);
  expect(fits('0.0003', '0.0001', 0.0002)).toBe(true);
  expect(fits('0.00030001', '0.0001', 0.0002)).toBe(false);
});

test('numbers too long for a double are compared digit by digit', () => {
  expect(fits('1000000000000001', '1000000000000002')).toBe(false);
  expect(fits('1000000000000001', '1000000000000001')).toBe(true);
  expect(fits('10000000000000001', '10000000000000000')).toBe(false);
  expect(fits('1', '1000000000000000', 1e16)).toBe(false);
  expect(fits('1000000000000000', '1000000000000000,0')).toBe(false);
});

test('two accepted answers are one when they match the same: numbers by value and tolerance, long ones as written', () => {
  const isSame = (a: string, b: string, tolerances: readonly [number, number] = [0, 0]) =>
    acceptedIdentity(a, tolerances[0]) === acceptedIdentity(b, tolerances[1]);
  expect(isSame('5', '5,0')).toBe(true);
  expect(isSame('5', '5,0', [0.1, 0.2])).toBe(false);
  expect(isSame('5', '6')).toBe(false);
  expect(isSame(' Ёлка', 'елка', [0, 1])).toBe(true);
  const long = '90071992547409930000';
  expect(isSame(long, long, [0, 1])).toBe(true);
  expect(isSame(long, `${long},0`)).toBe(false);
});
