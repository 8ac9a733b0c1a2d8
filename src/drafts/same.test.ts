import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { sameList, sameQuestion } from './same.ts';
import { list, question } from './testing.ts';

/** Incomplete, as an editor may hold it: the schema does not sort its keys. */
const incomplete = (entries: readonly [string, unknown][]): Question =>
  Object.fromEntries(entries) as unknown as Question;

const compliance = (rightIds: readonly string[]): Question => ({
  questionId: '00000000-0000-4000-8000-000000000001',
  kind: 'compliance',
  text: 'Соотнесите',
  points: 1,
  shuffle: false,
  left: [
    { leftId: 'l1', text: 'Ом' },
    { leftId: 'l2', text: 'Вольт' },
    { leftId: 'l3', text: 'Ампер' },
  ],
  right: rightIds.map((rightId) => ({ rightId, text: `Величина ${rightId}` })),
  pairs: [
    { leftId: 'l1', rightId: 'r1' },
    { leftId: 'l2', rightId: 'r2' },
    { leftId: 'l3', rightId: 'r3' },
  ],
});

test('an incomplete question is the same whatever the order of its fields', () => {
  const fields: [string, unknown][] = [
    ['questionId', 'one'],
    ['kind', 'open'],
    ['text', ''],
    ['points', Number.NaN],
    ['parts', [{ b: 1, a: 2 }, null]],
  ];
  const typed = incomplete(fields);
  expect(sameQuestion(typed, incomplete(fields.toReversed()))).toBe(true);
  expect(sameQuestion(typed, incomplete([...fields.slice(2), ...fields.slice(0, 2)]))).toBe(true);
  expect(sameQuestion(typed, incomplete(fields.slice(1)))).toBe(false);
  const swapped = incomplete([...fields.slice(0, 4), ['parts', [null, { a: 2, b: 1 }]]]);
  expect(sameQuestion(typed, swapped), 'the order of a list matters').toBe(false);
  const keys = incomplete([...fields.slice(0, 4), ['parts', [{ a: 2, b: 1 }, null]]]);
  expect(sameQuestion(typed, keys)).toBe(true);
});

test('a right column in any order is the same', () => {
  const typed = compliance(['r1', 'r2', 'r3']);
  for (const order of [
    ['r3', 'r2', 'r1'],
    ['r2', 'r3', 'r1'],
    ['r3', 'r1', 'r2'],
  ])
    expect(sameQuestion(typed, compliance(order))).toBe(true);
  expect(sameQuestion(typed, compliance(['r1', 'r2', 'r4']))).toBe(false);
});

test('an absent question is the same as an absent one alone', () => {
  expect(sameQuestion(undefined, undefined)).toBe(true);
  expect(sameQuestion(question(1), undefined)).toBe(false);
  expect(sameQuestion(undefined, question(1))).toBe(false);
});

test('lists are the same with the same questions in the same order', () => {
  expect(sameList(list(1, 2), list(1, 2))).toBe(true);
  expect(sameList(list(1, 2), list(2, 1))).toBe(false);
  expect(sameList(list(1), list(1, 2))).toBe(false);
  expect(sameList(list(1, 2), list(1))).toBe(false);
});
