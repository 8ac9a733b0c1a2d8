import { expect, test } from 'vitest';
import * as v from 'valibot';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { gapsOfText, newGap } from './kinds/gaps/gap-form.ts';
import { STARTERS } from './template/starters.ts';
import {
  fieldName,
  freeName,
  NO_TEMPLATE,
  readTemplate,
  TemplateForm,
  templateForm,
} from './template-form.ts';

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

test('words and wrong options of gaps are read line by line, and errors are reported at their fields', () => {
  const form: TemplateForm = {
    ...NO_TEMPLATE,
    kind: 'gaps',
    title: 'Сила',
    text: '[[1]] [[2]] [[3]]',
    gaps: [
      { ...newGap('1', ' Ньютон \n\n Исаак Ньютон '), answer: 'не число' },
      { ...newGap('2', '{{ a * b }}'), tolerance: '0,5' },
      { ...newGap('3', ''), input: 'choice', right: ' да ', wrong: 'нет\nнет, {{a}}' },
    ],
  };
  expect(readTemplate(form).body?.key).toEqual({
    kind: 'gaps',
    gaps: [
      { gapId: '1', input: 'line', accepted: ['Ньютон', 'Исаак Ньютон'] },
      { gapId: '2', input: 'number', answer: 'a * b', tolerance: 0.5 },
      { gapId: '3', input: 'choice', right: 'да', wrong: ['нет', 'нет, {{a}}'] },
    ],
  });
  const wrong = {
    ...form,
    gaps: form.gaps.map((gap) => ({
      ...gap,
      accepted: 'а'.repeat(501),
      tolerance: '-1',
      wrong: '{{x}}',
    })),
  };
  const { body, problems } = readTemplate(wrong);
  expect(body).toBeNull();
  expect(
    [...problems].map(([field, message]) => [fieldName(field, wrong), field, message]),
  ).toEqual([
    ['Пропуск 2', 'gaps.1.tolerance', 'Не меньше нуля'],
    ['Пропуск 3', 'gaps.2.wrong', 'Переменная x не задана'],
    ['Пропуск 1', 'gaps.0.accepted.0', 'Не длиннее 500 символов'],
  ]);
  const [first] = form.gaps;
  const words = Array.from({ length: 101 }, (_, index) => `слово ${index}`).join('\n');
  const many = first ? [{ ...first, accepted: words }] : [];
  expect(readTemplate({ ...form, text: '[[1]]', gaps: many }).problems).toEqual(
    new Map([['gaps.0.accepted', 'Не больше 100']]),
  );
});

test('a place written into the text gets a gap, and an empty gap that lost its place is gone', () => {
  const filled = newGap('1', 'слово');
  const empty = newGap('2', '');
  expect(gapsOfText([filled, empty], 'было [[2]] [[2]] и [[30]]')).toEqual([
    filled,
    empty,
    newGap('30', ''),
  ]);
  expect(gapsOfText([filled, empty], 'без мест')).toEqual([filled]);
  const many = Array.from({ length: 999 }, (_, index) => `[[${index + 1}]]`).join(' ');
  expect(gapsOfText([filled], many)).toHaveLength(PARTS_PER_QUESTION);
});

test('a stored form without the fields of gaps and orderings is restored', () => {
  const { gaps: _, items: __, order: ___, ...before } = NO_TEMPLATE;
  expect(v.parse(TemplateForm, before)).toEqual({ ...NO_TEMPLATE, items: [] });
});
