import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { smallTest } from '#tests/school.ts';
import * as v from 'valibot';
import { keySchema, typedKey, type TypedKey } from './typed-key.ts';

/** The corrected question, or the messages by field; a reason is given. */
function read(question: Question, typed: TypedKey) {
  const { success, output, issues } = v.safeParse(keySchema(question), {
    ...typed,
    reason: 'Опечатка',
  });
  return success
    ? { question: output.question, problems: null }
    : {
        question: null,
        problems: new Map(issues.map((issue) => [v.getDotPath(issue), issue.message])),
      };
}

test.each(smallTest)('the key of «$text» survives a round trip', (question) => {
  expect(read(question, typedKey(question))).toEqual({ question, problems: null });
});

const [open, single, , matching] = smallTest;
if (!open || !single || !matching) throw new Error('the small test has four kinds');

test('a changed option, pairs or accepted text make the corrected key', () => {
  expect(read(single, { ...typedKey(single), right: ['a'] }).question).toMatchObject({
    options: [{ isRight: true }, { isRight: false }],
  });
  const pairs = { left0: 'd', left1: 'c', left2: 'a' };
  expect(read(matching, { ...typedKey(matching), pairs }).question).toMatchObject({
    pairs: [
      { leftId: '1', rightId: 'd' },
      { leftId: '2', rightId: 'c' },
      { leftId: '3', rightId: 'a' },
    ],
  });
  const accepted = [{ origin: '', text: ' пять ', share: '12,5' }];
  expect(read(open, { ...typedKey(open), accepted, tolerance: '0,1' }).question).toMatchObject({
    accepted: [{ text: 'пять', share: 0.125 }],
    tolerance: 0.1,
  });
});

test('another order of the items is the corrected key', () => {
  const items = ['а', 'б', 'в'].map((text) => ({ itemId: text, text }));
  const base = { questionId: open.questionId, text: 'Что раньше?', points: 1 };
  const ordering = { ...base, kind: 'ordering' as const, items };
  expect(read(ordering, typedKey(ordering))).toEqual({ question: ordering, problems: null });
  const order = ['в', 'а', 'б'];
  expect(read(ordering, { ...typedKey(ordering), order }).question).toMatchObject({
    items: order.map((itemId) => ({ itemId })),
  });
});

test('an invalid key is reported at its field', () => {
  const pairs = { left0: 'd', left1: '', left2: 'a' };
  expect(read(matching, { ...typedKey(matching), pairs }).problems?.get('pairs.left0')).toBe(
    'Подберите верные пары',
  );
  expect(read(single, { ...typedKey(single), right: [] }).problems?.get('right')).toBe(
    'Отметьте хотя бы один верный вариант',
  );
  const typed = {
    ...typedKey(open),
    accepted: [{ origin: '', text: '', share: '120' }],
    tolerance: 'много',
  };
  expect(read(open, typed).problems).toEqual(
    new Map([
      ['tolerance', 'Напишите число, например 0,05'],
      ['accepted.0.share', 'От 0 до 100'],
      ['accepted.0.text', 'Впишите принимаемый ответ'],
    ]),
  );
});

test('a correction needs a reason; an edited answer retains its tolerance and feedback', () => {
  const typed = typedKey(open);
  expect(v.safeParse(keySchema(open), typed).issues?.[0].message).toBe('Напишите, что исправлено');
  const explained = {
    ...open,
    accepted: [{ text: '9,8', share: 1, feedback: 'Да', tolerance: 0.1 }],
  } as Question;
  const accepted = [{ origin: '0', text: '9,81', share: '100' }];
  expect(read(explained, { ...typedKey(explained), accepted }).question).toMatchObject({
    accepted: [{ text: '9,81', feedback: 'Да', tolerance: 0.1 }],
  });
});
