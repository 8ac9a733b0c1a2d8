import { expect, test } from 'vitest';
import { formatFacility, formatUses } from './labels-bank.ts';

test('uses agree with their number', () => {
  expect([0, 1, 2, 5, 21].map(formatUses)).toEqual([
    'не в тестах',
    'в 1 тесте',
    'в 2 тестах',
    'в 5 тестах',
    'в 21 тесте',
  ]);
});

test('the facility is shown as a share of the points', () => {
  expect(formatFacility(0.7249)).toBe('решают 72\u00a0%');
  expect(formatFacility(0)).toBe('решают 0\u00a0%');
  expect(formatFacility(null)).toBe('ещё не решали');
});
