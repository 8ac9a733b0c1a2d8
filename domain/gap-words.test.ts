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

test('lists are merged; each gap retains its right options and option ids', () => {
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

test('a word that stands twice in a gap stays right; more words than a gap may have are refused', () => {
  const twice = choice('1', 'лёд', 'вода');
  const [first] =
    withSharedWords(
      [
        { ...twice, options: [{ optionId: 'w', text: 'лёд ', isRight: false }, ...twice.options] },
        choice('2', 'пар'),
      ],
      () => 'новый',
    ) ?? [];
  expect(first?.input === 'choice' && first.options).toEqual([
    { optionId: '1-0', text: 'лёд', isRight: true },
    { optionId: '1-1', text: 'вода', isRight: false },
    { optionId: 'новый', text: 'пар', isRight: false },
  ]);
  const many = (gapId: string, from: number) =>
    choice(gapId, ...Array.from({ length: 51 }, (_, index) => `слово ${from + index}`));
  expect(withSharedWords([many('1', 0), many('2', 40)], () => 'новый')).not.toBeNull();
  expect(withSharedWords([many('1', 0), many('2', 50)], () => 'новый')).toBeNull();
});
