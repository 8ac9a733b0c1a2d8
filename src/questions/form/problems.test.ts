import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { newQuestion } from '#domain/new-question.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { placeProblems } from './problems.ts';

let last = 0;
const newId = () => {
  last += 1;
  return `id-${last}`;
};
const placesOf = (question: Question) => {
  const messages = publishingProblems([question]).map(({ message }) => message);
  return placeProblems(messages);
};

test.each(['variant', 'open', 'compliance', 'file'] as const)(
  'every problem of an empty question has its place in the form: %s',
  (kind) => {
    const placed = placesOf({ ...newQuestion(kind, newId), points: 0 });
    expect(placed.text).toEqual(['Нет текста']);
    expect(placed.points).toEqual(['Баллы должны быть больше нуля']);
    expect(placed.parts.length > 0).toBe(kind !== 'file');
    expect(placed.rest).toEqual([]);
  },
);

test('problems of no field are shown above the fields', () => {
  expect(placeProblems(['Вопрос 3: что-то новое']).rest).toEqual(['Что-то новое']);
});
