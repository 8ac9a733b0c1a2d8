import { expect, test } from 'vitest';
import type { Gap } from '#contract/questions.ts';
import { sharedWords } from './shared-words.ts';

const choice = (gapId: string, ...words: string[]) => ({
  gapId,
  weight: 1,
  input: 'choice' as const,
  options: words.map((text, index) => ({
    optionId: `${gapId}-${index}`,
    text,
    isRight: index === 0,
  })),
});
const typed: Gap = { gapId: '9', weight: 1, input: 'line', accepted: [], tolerance: 0 };

test('gaps with the same words share a bank, in any order, beside gaps that are typed into', () => {
  expect(sharedWords([choice('1', 'лёд', 'пар'), typed, choice('2', 'пар', 'лёд')])).toEqual([
    'лёд',
    'пар',
  ]);
});

test('one list, different lists, and a word that stands twice make no bank', () => {
  expect(sharedWords([])).toEqual([]);
  expect(sharedWords([choice('1', 'лёд', 'пар'), typed])).toEqual([]);
  expect(sharedWords([choice('1', 'лёд', 'пар'), choice('2', 'лёд', 'вода')])).toEqual([]);
  expect(sharedWords([choice('1', 'лёд', 'пар'), choice('2', 'лёд')])).toEqual([]);
  expect(sharedWords([choice('1', 'лёд', 'лёд'), choice('2', 'лёд', 'пар')])).toEqual([]);
});
