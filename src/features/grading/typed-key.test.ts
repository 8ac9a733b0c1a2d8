import { expect, test } from 'vitest';
import { smallTest } from '#tests/school.ts';
import { readKey, typedKey } from './typed-key.ts';

test.each(smallTest)('the key of «$text» survives a round trip', (question) => {
  expect(readKey(question, typedKey(question))).toEqual({ question, problems: null });
});

const [open, single, , matching] = smallTest;
if (!open || !single || !matching) throw new Error('the small test has four kinds');

test('a changed option, pairs or accepted text make the corrected key', () => {
  expect(readKey(single, { ...typedKey(single), right: ['a'] }).question).toMatchObject({
    options: [{ isRight: true }, { isRight: false }],
  });
  const pairs = { '1': 'd', '2': 'c', '3': 'a' };
  expect(readKey(matching, { ...typedKey(matching), pairs }).question).toMatchObject({
    pairs: [
      { leftId: '1', rightId: 'd' },
      { leftId: '2', rightId: 'c' },
      { leftId: '3', rightId: 'a' },
    ],
  });
  const accepted = [{ id: 1, text: ' пять ', share: '12,5' }];
  expect(readKey(open, { ...typedKey(open), accepted, tolerance: '0,1' }).question).toMatchObject({
    accepted: [{ text: 'пять', share: 0.125 }],
    tolerance: 0.1,
  });
});

test('another order of the items is the corrected key', () => {
  const items = ['а', 'б', 'в'].map((text) => ({ itemId: text, text }));
  const base = { questionId: open.questionId, text: 'Что раньше?', points: 1 };
  const ordering = { ...base, kind: 'ordering' as const, items };
  expect(readKey(ordering, typedKey(ordering))).toEqual({ question: ordering, problems: null });
  const order = ['в', 'а', 'б'];
  expect(readKey(ordering, { ...typedKey(ordering), order }).question).toMatchObject({
    items: order.map((itemId) => ({ itemId })),
  });
});

test('an invalid key is reported at its field', () => {
  const pairs = { '1': 'd', '2': '', '3': 'a' };
  expect(readKey(matching, { ...typedKey(matching), pairs }).problems?.get('question.pairs')).toBe(
    'Подберите верные пары',
  );
  expect(
    readKey(single, { ...typedKey(single), right: [] }).problems?.get('question.options'),
  ).toBe('Отметьте хотя бы один верный вариант');
  const typed = {
    ...typedKey(open),
    accepted: [{ id: 1, text: '', share: '120' }],
    tolerance: 'много',
  };
  expect(readKey(open, typed).problems).toEqual(
    new Map([
      ['question.tolerance', 'Напишите число, например 0,05'],
      ['question.accepted.0.share', 'От 0 до 100'],
      ['question.accepted.0.text', 'Впишите принимаемый ответ'],
    ]),
  );
});
