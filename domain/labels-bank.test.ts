import { expect, test } from 'vitest';
import { facilityWords, usesWords } from './labels-bank.ts';

test('uses agree with their number', () => {
  expect([0, 1, 2, 5, 21].map(usesWords)).toEqual([
    'не в тестах',
    'в 1 тесте',
    'в 2 тестах',
    'в 5 тестах',
    'в 21 тесте',
  ]);
});

test('how hard a question is, is told as a share of the points', () => {
  expect(facilityWords(0.7249)).toBe('решают 72\u00a0%');
  expect(facilityWords(0)).toBe('решают 0\u00a0%');
  expect(facilityWords(null)).toBe('ещё не решали');
});
