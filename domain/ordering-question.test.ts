import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { answerMisfit } from './answer-fit.ts';
import { isAnswered } from './answered.ts';
import { changeKind } from './change-kind.ts';
import { formatAnswer, formatKey } from './format-answer.ts';
import { differsInKeyAlone, keyProblems } from './key-correction.ts';
import { questionProblems } from './publishing.ts';
import { scoreItem } from './scoring.ts';
import { shownQuestion } from './shown-question.ts';
import { studentQuestion } from './student-question.ts';

type Ordering = Extract<Question, { kind: 'ordering' }>;

const rulers: Ordering = {
  questionId: '00000000-0000-4000-8000-000000000001',
  kind: 'ordering',
  text: 'Кто правил раньше?',
  points: 3,
  items: ['Рюрик', 'Ольга', 'Владимир', 'Ярослав'].map((text, index) => ({
    itemId: `i${index + 1}`,
    text,
  })),
};
const answer = (...itemIds: string[]) => ({
  questionId: rulers.questionId,
  kind: 'ordering' as const,
  itemIds,
});
const RIGHT = answer('i1', 'i2', 'i3', 'i4');

test.each([
  ['all items', RIGHT, null],
  ['no items, which clears the answer', answer(), null],
  ['a part of them', answer('i1', 'i2'), 'INVALID_ANSWER'],
  ['one twice', answer('i1', 'i1', 'i2', 'i3'), 'INVALID_ANSWER'],
  ['a foreign one', answer('i1', 'i2', 'i3', 'x'), 'INVALID_ANSWER'],
])('an order of %s fits: %o', (_, given, misfit) => {
  expect(answerMisfit(given, rulers)).toBe(misfit);
});

test('an order fits no other kind of question', () => {
  const file: Question = { ...rulers, kind: 'file', maxBytes: 1, accept: [] };
  expect(answerMisfit(RIGHT, file)).toBe('INVALID_ANSWER');
  const text = { questionId: rulers.questionId, kind: 'open' as const, text: 'i1' };
  expect(answerMisfit(text, rulers)).toBe('INVALID_ANSWER');
});

test.each([
  [RIGHT, 3],
  [answer('i2', 'i3', 'i4', 'i1'), 2],
  [answer('i2', 'i1', 'i3', 'i4'), 1],
  [answer('i4', 'i3', 'i2', 'i1'), 0],
  [answer(), 0],
])('of %o each item before its follower earns its part: %d', (given, points) => {
  expect(scoreItem(rulers, given, undefined)).toEqual({ kind: 'graded', points });
});

test('an empty order is no answer', () => {
  expect([isAnswered(RIGHT), isAnswered(answer())]).toEqual([true, false]);
});

test('a student gets the items by the secret rank alone, however the teacher ordered them', () => {
  const rank = (_: string, partId: string) => `${9 - Number(partId.slice(1))}`;
  const reversed = { ...rulers, items: rulers.items.toReversed() };
  for (const question of [rulers, reversed]) {
    const shown = studentQuestion(question, rank);
    expect(shown).toMatchObject({ items: rulers.items.toReversed() });
    // Without the key a reader sees the same; with it, the right order.
    expect(shownQuestion(question, rank, false)).toEqual(shown);
    expect(shownQuestion(question, rank, true)).toMatchObject({ items: question.items });
  }
});

test.each<[Partial<Ordering>, string[]]>([
  [{}, []],
  [{ items: rulers.items.slice(0, 1) }, ['нужны хотя бы два пункта']],
  [{ items: [...rulers.items, { itemId: 'x', text: ' ' }] }, ['есть пункт без текста']],
  [{ items: [...rulers.items, { itemId: 'x', text: ' Ольга' }] }, ['пункты повторяются']],
  [{ items: [...rulers.items, { itemId: 'i1', text: 'Игорь' }] }, ['пункты повторяются']],
])('with %o publishing says %o', (change, problems) => {
  expect(questionProblems({ ...rulers, ...change })).toEqual(problems);
});

test('an order and its key are read as numbered items', () => {
  expect(formatAnswer(answer('i2', 'i1', 'i3', 'i4'), rulers)).toBe(
    '1. Ольга; 2. Рюрик; 3. Владимир; 4. Ярослав',
  );
  expect(formatAnswer(answer('i2', 'x'), undefined)).toBe('1. i2; 2. x');
  expect(formatKey(rulers)).toBe('1. Рюрик; 2. Ольга; 3. Владимир; 4. Ярослав');
});

test('another order is another key of the same question, another text is not', () => {
  const corrected = { ...rulers, items: rulers.items.toReversed() };
  expect(differsInKeyAlone(rulers, corrected)).toBe(true);
  expect(keyProblems(corrected)).toEqual([]);
  const renamed = rulers.items.map((item) => ({ ...item, text: `${item.text}!` }));
  expect(differsInKeyAlone(rulers, { ...rulers, items: renamed })).toBe(false);
});

test('the items are set aside when the kind changes, and come back', () => {
  let ids = 0;
  const newId = () => `n${(ids += 1)}`;
  const changed = changeKind(rulers, 'single', {}, newId);
  expect(changed).toMatchObject({ setAside: 'Пункты', question: { kind: 'variant', points: 3 } });
  const back = changeKind(changed.question, 'ordering', changed.others, newId);
  expect(back.question).toEqual(rulers);
  const fresh = changeKind({ ...rulers, items: [] }, 'file', {}, newId);
  expect(fresh.setAside).toBeNull();
});
