import { expect, test } from 'vitest';
import type { Gap } from '#contract/questions.ts';
import { withSharedWords } from './gap-words.ts';

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

test('lists become one: each gap keeps what is right in it, and the ids of its options', () => {
  const ids = ['а', 'б', 'в'];
  const shared = withSharedWords(
    [choice('1', 'лёд', ''), typed, choice('2', 'пар', 'вода')],
    () => ids.shift() ?? 'нет',
  );
  expect(shared).toEqual([
    {
      ...choice('1'),
      options: [
        { optionId: '1-0', text: 'лёд', isRight: true },
        { optionId: 'а', text: 'пар', isRight: false },
        { optionId: 'б', text: 'вода', isRight: false },
      ],
    },
    typed,
    {
      ...choice('2'),
      options: [
        { optionId: 'в', text: 'лёд', isRight: false },
        { optionId: '2-0', text: 'пар', isRight: true },
        { optionId: '2-1', text: 'вода', isRight: false },
      ],
    },
  ]);
});
