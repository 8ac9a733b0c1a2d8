import { expect, test } from 'vitest';
import type { Area, Question } from '#contract/questions.ts';
import { areasPicture, hasAreas, inReadingOrder, nextAreaText } from './areas.ts';
import { formatAreaMark } from './format-areas.ts';
import { questionProblems } from './publishing.ts';
import { studentQuestion } from './student-question.ts';

const area = (left: number, top: number): Area => ({
  shape: 'rectangle',
  left,
  top,
  width: 0.1,
  height: 0.1,
});
type Variant = Extract<Question, { kind: 'variant' }>;
const cell: Variant = {
  questionId: 'q',
  kind: 'variant',
  text: 'Где ядро? ![клетка](file:KEY) На рисунке',
  points: 1,
  multiple: false,
  shuffle: true,
  scoring: 'partial',
  options: [
    { optionId: 'right', text: 'А', isRight: true, area: area(0.6, 0.62) },
    { optionId: 'none', text: 'Его здесь нет', isRight: false },
    { optionId: 'upper', text: 'Б', isRight: false, area: area(0.7, 0.1) },
    { optionId: 'left', text: 'В', isRight: false, area: area(0.1, 0.6) },
  ],
};

test('options on a picture are shown as one reads it, whatever their rank: row by row, the list’s own last', () => {
  for (const rank of [(_: string, id: string) => id, (_: string, id: string) => `${id.length}`]) {
    const shown = studentQuestion(cell, rank);
    expect(shown.kind === 'variant' && shown.options.map(({ optionId }) => optionId)).toEqual([
      'upper',
      'left',
      'right',
      'none',
    ]);
  }
  // A few pixels of height are the same row.
  expect(inReadingOrder([{ area: area(0.5, 0.3) }, { area: area(0.2, 0.31) }])[0]?.area?.left).toBe(
    0.2,
  );
});

test('a student gets the areas, and nothing of the key', () => {
  const shown = studentQuestion(cell, (_, id) => id);
  expect(shown).toMatchObject({ options: [{ area: area(0.7, 0.1) }, {}, {}, { text: /нет/ }] });
  expect(JSON.stringify(shown)).not.toContain('isRight');
  expect(hasAreas([])).toBe(false);
});

test('an area shows a short text as it is, else its number', () => {
  expect(formatAreaMark(' 12б ', 4)).toBe('12б');
  for (const text of ['Ядро', '', '$x$', 'а б']) expect(formatAreaMark(text, 4)).toBe('5');
});

test('a new area is named by the next letter that no option has', () => {
  expect(nextAreaText([])).toBe('А');
  expect(nextAreaText(['а', 'Ядро', 'Б '])).toBe('В');
  expect(nextAreaText('АБВГДЕЖИКЛМНПРСТУФХЦШЩЭЮЯ'.split(''))).toBe('26');
});

test('areas lie on the first picture of the text', () => {
  expect(areasPicture(cell.text)).toEqual({
    key: 'KEY',
    alt: 'клетка',
    before: 'Где ядро? ',
    after: ' На рисунке',
  });
  expect(areasPicture('![a \\] b](file:K) ![](file:L)')).toMatchObject({
    key: 'K',
    alt: 'a \\] b',
  });
  expect(areasPicture('![чужая](https://example.org/a.png)')).toBeNull();
  expect(areasPicture('!['.repeat(20_000))).toBeNull();
});

test('areas without a picture in the text prevent publishing', () => {
  expect(questionProblems(cell)).toEqual([]);
  expect(questionProblems({ ...cell, text: 'Где ядро?' })).toEqual([
    'у вариантов есть области, а картинки в тексте нет',
  ]);
});

test('the row of an area is that of its middle, and within a row and column the upper one comes first', () => {
  const tall: Area = { shape: 'rectangle', left: 0.1, top: 0, width: 0.1, height: 1 };
  const order = (...areas: Area[]) =>
    inReadingOrder(areas.map((one) => ({ area: one }))).map((one) => one.area);
  expect(order(tall, area(0.5, 0.2))).toEqual([area(0.5, 0.2), tall]);
  expect(order(area(0.5, 0.8), tall)).toEqual([tall, area(0.5, 0.8)]);
  expect(order(area(0.5, 0.31), area(0.5, 0.3))).toEqual([area(0.5, 0.3), area(0.5, 0.31)]);
});
