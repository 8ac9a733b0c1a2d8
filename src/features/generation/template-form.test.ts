import { expect, test } from 'vitest';
import { STARTERS } from './template/starters.ts';
import { freeName, NO_TEMPLATE, readTemplate, templateForm } from './template-form.ts';

test.each(STARTERS.map((starter) => [starter.title, starter] as const))(
  '«%s» comes out of the form as it went in',
  (_, starter) => {
    expect(readTemplate(templateForm(starter))).toEqual({ body: starter, problems: new Map() });
  },
);

test('an empty form reports what is missing', () => {
  const { body, problems } = readTemplate({ ...NO_TEMPLATE, kind: 'variant' });
  expect(body).toBeNull();
  expect([...problems]).toEqual([
    ['title', 'Введите название шаблона'],
    ['text', 'Введите текст вопроса'],
    ['answer', 'Введите выражение'],
    ['distractors.0.expression', 'Введите выражение'],
  ]);
});

test('numbers are parsed with a decimal comma, and invalid ones are reported at their fields', () => {
  const [a, b] = NO_TEMPLATE.variables;
  if (!a || !b) throw new Error('two variables');
  const whole = { ...NO_TEMPLATE, title: 'Сумма', text: '{{a}} + {{b}}', answer: 'a + b' };
  const read = readTemplate({
    ...whole,
    points: '1,5',
    tolerance: '0,05',
    variables: [
      { ...a, from: '−0,5', to: '2', step: '0.5' },
      { ...b, kind: 'list', values: '1,5; 2\n-3' },
    ],
  });
  expect(read.body).toMatchObject({
    points: 1.5,
    key: { tolerance: 0.05 },
    variables: [
      { kind: 'range', name: 'a', from: -0.5, to: 2, step: 0.5 },
      { kind: 'list', name: 'b', values: [1.5, 2, -3] },
    ],
  });
  const wrong = readTemplate({
    ...whole,
    points: 'два',
    decimals: '1,5',
    tolerance: '-1',
    variables: [
      { ...a, from: '', to: '5' },
      { ...b, kind: 'list', values: '1,2,3' },
    ],
  });
  expect(wrong.body).toBeNull();
  expect(Object.fromEntries(wrong.problems)).toEqual({
    decimals: 'От 0 до 10 знаков',
    tolerance: 'Не меньше нуля',
    points: 'Это не число',
    'variables.0.from': 'Введите число',
    'variables.1.values': 'Только числа, между ними точка с запятой: 1,5; 2; 4',
  });
});

test('a new variable gets an unused letter', () => {
  expect(freeName(NO_TEMPLATE.variables)).toBe('c');
});
