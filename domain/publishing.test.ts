import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { publishingProblems, questionProblems } from './publishing.ts';

const base = { questionId: 'q1', text: 'Вопрос?', points: 1 };
const option = (optionId: string, text: string, isRight = false) => ({ optionId, text, isRight });

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;
const variant = (facts: Partial<Of<'variant'>> = {}): Question => ({
  ...base,
  kind: 'variant',
  multiple: false,
  shuffle: false,
  scoring: 'partial',
  options: [option('a', 'Паскаль'), option('b', 'Ньютон', true)],
  ...facts,
});
const open = (facts: Partial<Of<'open'>> = {}): Question => ({
  ...base,
  kind: 'open',
  input: 'line',
  accepted: [{ text: 'Ньютон', share: 1 }],
  tolerance: 0,
  ...facts,
});
const compliance = (facts: Partial<Of<'compliance'>> = {}): Question => ({
  ...base,
  kind: 'compliance',
  shuffle: true,
  left: [
    { leftId: '1', text: 'Сила' },
    { leftId: '2', text: 'Давление' },
  ],
  right: [
    { rightId: 'a', text: 'Н' },
    { rightId: 'b', text: 'Па' },
    { rightId: 'c', text: 'Вт' },
  ],
  pairs: [
    { leftId: '1', rightId: 'a' },
    { leftId: '2', rightId: 'b' },
  ],
  ...facts,
});
const file: Question = { ...base, questionId: 'q0', kind: 'file', maxBytes: 1_000, accept: [] };

test('questions of all kinds with keys are ready, those graded by hand without one', () => {
  expect(
    publishingProblems([variant(), open(), open({ accepted: [] }), compliance(), file]),
  ).toEqual([]);
});

test('a number accepted exactly and, for less, within a tolerance is no repetition; the same twice is', () => {
  const year = (tolerance: number) => ({ text: '1822', share: 0.5, tolerance });
  const key = (...accepted: Of<'open'>['accepted']) =>
    publishingProblems([open({ input: 'number', accepted })]).map(({ message }) => message);
  expect(key({ text: '1822', share: 1 }, year(2))).toEqual([]);
  expect(key({ text: '1822', share: 1 }, year(0))).toEqual(['Вопрос 1: верные ответы повторяются']);
});

test('a test without questions is not ready', () => {
  expect(publishingProblems([])).toEqual([
    { questionId: null, message: 'В тесте нет вопросов: добавьте хотя бы один' },
  ]);
});

test.each<[string, Question, string]>([
  ['without a text', variant({ text: '  ' }), 'нет текста'],
  ['of no points', open({ points: 0 }), 'баллы должны быть больше нуля'],
  [
    'with one option',
    variant({ options: [option('a', 'Да', true)] }),
    'нужно хотя бы два варианта',
  ],
  [
    'with an empty option',
    variant({ options: [option('a', 'Да', true), option('b', ' ')] }),
    'есть вариант без текста',
  ],
  [
    'with options alike but for blanks',
    variant({ options: [option('a', 'Красная  площадь', true), option('b', 'Красная площадь ')] }),
    'варианты повторяются',
  ],
  [
    'with no right option',
    variant({ options: [option('a', 'Да'), option('b', 'Нет')] }),
    'не отмечен верный вариант',
  ],
  [
    'with an empty accepted answer',
    open({ accepted: [{ text: '', share: 1 }] }),
    'среди верных ответов есть пустой',
  ],
  [
    'whose accepted answers repeat',
    open({
      accepted: [
        { text: 'Ньютон', share: 1 },
        { text: 'ньютон', share: 0.5 },
      ],
    }),
    'верные ответы повторяются',
  ],
  [
    'whose accepted answers bring nothing',
    open({ accepted: [{ text: 'Ньютон', share: 0 }] }),
    'ни один ответ не приносит баллов',
  ],
  [
    'with one pair',
    compliance({ left: [{ leftId: '1', text: 'Сила' }], pairs: [{ leftId: '1', rightId: 'a' }] }),
    'нужны хотя бы две пары',
  ],
  [
    'with an empty side',
    compliance({
      left: [
        { leftId: '1', text: 'Сила' },
        { leftId: '2', text: '' },
      ],
    }),
    'в парах есть пустая сторона',
  ],
  [
    'with right sides alike',
    compliance({
      right: [
        { rightId: 'a', text: 'Н' },
        { rightId: 'b', text: ' Н' },
      ],
    }),
    'элементы пар повторяются',
  ],
  [
    'with an item left alone',
    compliance({ pairs: [{ leftId: '1', rightId: 'a' }] }),
    'не для всех элементов есть пара',
  ],
  [
    'with one right item for two',
    compliance({
      pairs: [
        { leftId: '1', rightId: 'a' },
        { leftId: '2', rightId: 'a' },
      ],
    }),
    'элемент справа входит в две пары: разрешите правым повторяться',
  ],
])('a question %s is named by its number', (_, question, words) => {
  expect(publishingProblems([file, question])).toEqual([
    { questionId: 'q1', message: `Вопрос 2: ${words}` },
  ]);
});

test('alternatives of one question share its number, are adjacent and have the same points', () => {
  const alternative = (questionId: string, facts: Partial<Of<'variant'>> = {}) =>
    variant({ questionId, variantOf: 'place', ...facts });
  expect(publishingProblems([file, alternative('a'), alternative('b')])).toEqual([]);
  expect(
    publishingProblems([file, alternative('a'), alternative('b', { points: 2, text: '' })]),
  ).toEqual([
    { questionId: 'a', message: 'Вопрос 2: у вариантов разные баллы' },
    { questionId: 'b', message: 'Вопрос 2, вариант 2: нет текста' },
  ]);
  expect(
    publishingProblems([alternative('a'), file, alternative('b'), open({ text: '' })]),
  ).toEqual([
    { questionId: 'a', message: 'Вопрос 1: варианты стоят не рядом' },
    { questionId: 'q1', message: 'Вопрос 3: нет текста' },
  ]);
});

const wordsOf = (question: Question) =>
  publishingProblems([question]).map(({ message }) => message.replace('Вопрос 1: ', ''));

test('one empty answer among others is enough, and two empty ones are no duplicates', () => {
  const answer = (text: string) => ({ text, share: 1 });
  const empty = ['среди верных ответов есть пустой'];
  expect(wordsOf(open({ accepted: [answer('5'), answer(' ')] }))).toEqual(empty);
  expect(wordsOf(open({ accepted: [answer(''), answer(' ')] }))).toEqual(empty);
});

test('a key may have wrong answers beside right ones', () => {
  const accepted = [
    { text: '5', share: 1 },
    { text: '50', share: 0 },
  ];
  expect(wordsOf(open({ accepted }))).toEqual([]);
});

test.each([[{ leftId: '2', rightId: 'чужой' }], [{ leftId: 'чужой', rightId: 'b' }]])(
  'a pair with a missing item is none: %j',
  (pair) => {
    expect(wordsOf(compliance({ pairs: [{ leftId: '1', rightId: 'a' }, pair] }))).toContain(
      'не для всех элементов есть пара',
    );
  },
);

test('one right item for two is lawful where the question lets it be used again', () => {
  const pairs = ['1', '2'].map((leftId) => ({ leftId, rightId: 'a' }));
  expect(publishingProblems([compliance({ pairs, reuse: true })])).toEqual([]);
});

test('one element on the left in two pairs is reported', () => {
  const pairs = [
    { leftId: '1', rightId: 'a' },
    { leftId: '1', rightId: 'c' },
    { leftId: '2', rightId: 'b' },
  ];
  expect(wordsOf(compliance({ pairs }))).toEqual(['один элемент входит в две пары']);
});

test('alternatives at the end of a test may be adjacent as anywhere', () => {
  const of = (questionId: string, place: string) => variant({ questionId, variantOf: place });
  expect(publishingProblems([open(), of('a', 'a'), of('b', 'a'), of('c', 'a')])).toEqual([]);
  expect(
    publishingProblems([of('a', 'a'), of('b', 'a'), open(), of('c', 'a'), file]).map(
      ({ message }) => message,
    ),
  ).toEqual(['Вопрос 1: варианты стоят не рядом']);
});

test('two items are an order, one is none', () => {
  const items = ['Рим', 'Вена'].map((text) => ({ itemId: text, text }));
  const problems = (count: number) =>
    wordsOf({ ...base, kind: 'ordering', items: items.slice(0, count) });
  expect(problems(2)).toEqual([]);
  expect(problems(1)).toEqual(['нужны хотя бы два пункта']);
});

test.each([
  ['Красная площадь', 'Красная Площадь'],
  ['МПа', 'мПа'],
  ['$Aa$ и $Aa$', '$AA$ и $aa$'],
  ['все', 'всё'],
  ['10²', '102'],
  ['тире –', 'тире -'],
])('«%s» and «%s» are chosen between, not typed, and so are no repetition', (one, other) => {
  const options = [option('a', one, true), option('b', other)];
  expect(questionProblems(variant({ options }))).toEqual([]);
});
