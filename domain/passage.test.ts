import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { copiedQuestion } from './bank.ts';
import { changeKind } from './change-kind.ts';
import { differsInKeyAlone } from './key-correction.ts';
import { publishingProblems, questionProblems } from './publishing.ts';
import { shownQuestion } from './shown-question.ts';
import { studentQuestion } from './student-question.ts';

const passage = { passageId: '10000000-0000-4000-8000-000000000001', text: 'В лесу было тихо.' };
const makeQuestion = (number: number, shared?: Question['passage']): Question => ({
  questionId: `00000000-0000-4000-8000-00000000000${number}`,
  kind: 'open',
  input: 'line',
  text: 'Где было тихо?',
  points: 1,
  accepted: [{ text: 'в лесу', share: 1 }],
  tolerance: 0,
  ...(shared && { passage: shared }),
});
const rank = () => '';

test('a student gets the shared text with each of its questions, and a reader afterwards', () => {
  expect(studentQuestion(makeQuestion(1, passage), rank)).toMatchObject({ passage });
  expect(studentQuestion(makeQuestion(1), rank)).not.toHaveProperty('passage');
  for (const withKey of [true, false])
    expect(shownQuestion(makeQuestion(1, passage), rank, withKey)).toMatchObject({ passage });
});

test('it stays when the kind changes, and with a copy', () => {
  const ids = ['n1', 'n2', 'n3', 'n4'][Symbol.iterator]();
  const newId = () => ids.next().value ?? 'n';
  const changed = changeKind(makeQuestion(1, passage), 'single', {}, newId);
  expect(changed.question).toMatchObject({ kind: 'variant', passage });
  const without = { ...changed.question };
  delete without.passage;
  const back = changeKind(without, 'line', changed.others, newId);
  expect(back.question, 'a former kind brings no former text back').not.toHaveProperty('passage');
  expect(copiedQuestion(makeQuestion(1, passage), newId)).toMatchObject({ passage });
});

test('another shared text is no correction of a key', () => {
  const other = makeQuestion(1, { ...passage, text: 'В лесу было шумно.' });
  expect(differsInKeyAlone(makeQuestion(1, passage), other)).toBe(false);
  const corrected = {
    ...makeQuestion(1, passage),
    accepted: [{ text: 'лес', share: 1 }],
  } as Question;
  expect(differsInKeyAlone(makeQuestion(1, passage), corrected)).toBe(true);
});

test('an empty one, and one that differs between its questions, prevent publishing', () => {
  expect(questionProblems(makeQuestion(1, { ...passage, text: ' ' }))).toEqual([
    'общий текст пуст',
  ]);
  expect(
    publishingProblems([makeQuestion(1, passage), makeQuestion(2, passage), makeQuestion(3)]),
  ).toEqual([]);
  const differing = [makeQuestion(1, passage), makeQuestion(2, { ...passage, text: 'Другой.' })];
  expect(publishingProblems(differing)).toEqual([
    {
      questionId: makeQuestion(2).questionId,
      message:
        'Вопрос 2: общий текст не такой, как у других вопросов с ним: измените его в любом из них',
    },
  ]);
});
