import { expect, test } from 'vitest';
import { sharedWords } from './shared-words.ts';

const choice = (...words: string[]) => ({
  input: 'choice' as const,
  options: words.map((text) => ({ text })),
});
const typed = { input: 'line' as const };

test('gaps with the same words share a bank, in any order, beside gaps that are typed into', () => {
  expect(sharedWords([choice('лёд', 'пар'), typed, choice('пар', 'лёд')])).toEqual(['лёд', 'пар']);
});

test('one list, different lists, and a word that stands twice make no bank', () => {
  expect(sharedWords([])).toEqual([]);
  expect(sharedWords([choice('лёд', 'пар'), typed])).toEqual([]);
  expect(sharedWords([choice('лёд', 'пар'), choice('лёд', 'вода')])).toEqual([]);
  expect(sharedWords([choice('лёд', 'пар'), choice('лёд')])).toEqual([]);
  expect(sharedWords([choice('лёд', 'лёд'), choice('лёд', 'пар')])).toEqual([]);
});
