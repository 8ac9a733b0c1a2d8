import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { withDrawnAreas } from './paper-areas.ts';

const area = (left: number) =>
  ({ shape: 'rectangle', left, top: 0.5, width: 0.1, height: 0.1 }) as const;
const cell: Question = {
  questionId: 'q',
  kind: 'variant',
  text: 'Где? ![клетка](file:STORED) Вот.',
  points: 1,
  multiple: false,
  shuffle: false,
  scoring: 'partial',
  options: [
    { optionId: 'o1', text: 'А', isRight: true, area: area(0.8) },
    { optionId: 'o2', text: 'Митохондрия', isRight: false, area: area(0.2) },
    { optionId: 'o3', text: 'Не знаю', isRight: false },
  ],
};

test('a sheet shows a picture of its own, with the letters that the options have on the sheet', () => {
  const { questions, drawn } = withDrawnAreas([cell], () => 'NEW');
  expect(questions[0]).toMatchObject({
    text: 'Где? ![клетка](file:NEW) Вот.',
    // The letter alone is enough if the text was only a mark.
    options: [{ text: '' }, { text: 'Митохондрия' }, { text: 'Не знаю' }],
  });
  expect(drawn.get('NEW')).toEqual({
    source: 'STORED',
    areas: [
      { area: area(0.2), letter: 'А' },
      { area: area(0.8), letter: 'Б' },
    ],
  });
});

test('other questions stay as they are', () => {
  const plain = { ...cell, options: cell.options.slice(2) };
  const { questions, drawn } = withDrawnAreas([plain, { ...cell, text: 'Без неё' }], () => 'NEW');
  expect(questions).toEqual([plain, { ...cell, text: 'Без неё' }]);
  expect(drawn.size).toBe(0);
});
