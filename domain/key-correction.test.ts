import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { smallTest } from '#tests/school.ts';
import { differsInKeyAlone, keyProblems } from './key-correction.ts';

type Kind<K extends Question['kind']> = Extract<Question, { kind: K }>;
const [open, single, several, matching, file] = smallTest as [
  Kind<'open'>,
  Kind<'variant'>,
  Kind<'variant'>,
  Kind<'compliance'>,
  Kind<'file'>,
];

test.each<[string, Question, Question]>([
  ['accepted texts', open, { ...open, accepted: [{ text: '5', share: 1 }] }],
  ['the tolerance', open, { ...open, tolerance: 0.5 }],
  [
    'which options are right',
    single,
    { ...single, options: single.options.map((o) => ({ ...o, isRight: !o.isRight })) },
  ],
  ['how several are scored', several, { ...several, scoring: 'allOrNothing' }],
  ['pairs', matching, { ...matching, pairs: matching.pairs.toReversed() }],
])('%s belong to the key', (_, old, corrected) => {
  expect(differsInKeyAlone(old, corrected)).toBe(true);
});

test('a right column has no order of its own, shuffled or not', () => {
  const fixed = { ...matching, shuffle: false };
  expect(differsInKeyAlone(fixed, { ...fixed, right: fixed.right.toReversed() })).toBe(true);
  expect(differsInKeyAlone(fixed, { ...fixed, left: fixed.left.toReversed() })).toBe(false);
});

test('the explanation may change', () => {
  const corrected: Question = { ...open, explanation: 'Потому что' };
  expect(differsInKeyAlone(open, corrected)).toBe(true);
});

test.each<[string, Question, Question]>([
  ['the text', open, { ...open, text: 'Иначе' }],
  ['the points', open, { ...open, points: 3 }],
  ['how it is typed', open, { ...open, input: 'text' }],
  [
    'the kind',
    open,
    { ...file, questionId: open.questionId, text: open.text, points: open.points },
  ],
  ['one or several', single, { ...single, multiple: true }],
  [
    'an option’s text',
    single,
    { ...single, options: single.options.map((o) => ({ ...o, text: `${o.text}?` })) },
  ],
  ['the order of options', single, { ...single, options: single.options.toReversed() }],
  ['whether options are shuffled', single, { ...single, shuffle: true }],
  ['a right item', matching, { ...matching, right: matching.right.slice(1) }],
  ['what a file may be', file, { ...file, accept: [] }],
])('%s is what the student saw', (_, old, corrected) => {
  expect(differsInKeyAlone(old, corrected)).toBe(false);
});

test('a key without anything right is reported at its field', () => {
  const none = { ...single, options: single.options.map((o) => ({ ...o, isRight: false })) };
  const both = { ...single, options: single.options.map((o) => ({ ...o, isRight: true })) };
  expect(keyProblems(both), 'any of them counts').toEqual([]);
  expect(keyProblems(none)).toEqual([
    { field: 'question.options', message: 'Отметьте хотя бы один верный вариант' },
  ]);
  expect(keyProblems({ ...several, options: both.options })).toEqual([]);
  expect(keyProblems({ ...matching, pairs: [] })).toHaveLength(1);
  expect(keyProblems({ ...matching, pairs: [{ leftId: '1', rightId: 'z' }] })).toHaveLength(1);
  expect(keyProblems({ ...open, accepted: [{ text: ' ', share: 1 }] })).toEqual([
    { field: 'question.accepted.0.text', message: 'Впишите принимаемый ответ' },
  ]);
  expect([open, single, several, matching, file].flatMap(keyProblems)).toEqual([]);
  expect(keyProblems({ ...open, accepted: [] })).toEqual([]);
});

test('how a question is credited belongs to the key; one of several alternatives is not left out', () => {
  for (const question of [open, single, several, matching, file])
    for (const credit of ['everybody', 'nobody'] as const) {
      expect(differsInKeyAlone(question, { ...question, credit })).toBe(true);
      expect(keyProblems({ ...question, credit })).toEqual([]);
    }
  const alternative = { ...single, variantOf: open.questionId };
  expect(keyProblems({ ...alternative, credit: 'everybody' })).toEqual([]);
  expect(keyProblems({ ...alternative, credit: 'nobody' })).toMatchObject([
    { field: 'question.credit' },
  ]);
});

test('a key with which the test could not be published is reported at its field', () => {
  expect(keyProblems({ ...matching, pairs: matching.pairs.slice(1) })).toEqual([
    { field: 'question.pairs', message: 'Подберите верные пары' },
  ]);
  const [first, second, ...others] = matching.pairs;
  if (first === undefined || second === undefined) throw new Error('too few pairs');
  const wholeButFor = (pairs: typeof matching.pairs) => keyProblems({ ...matching, pairs });
  const moved = { ...first, rightId: second.rightId };
  expect(wholeButFor([first, moved, ...others]), 'one left item twice').toHaveLength(1);
  expect(wholeButFor([...matching.pairs, moved]), 'one pair too many').toHaveLength(1);
  const nowhere = { ...second, rightId: 'z' };
  expect(wholeButFor([first, nowhere, ...others]), 'one unknown right item').toHaveLength(1);
  const foreign = { ...second, leftId: 'z' };
  expect(wholeButFor([first, foreign, ...others]), 'one unknown left item').toHaveLength(1);
  const half = [
    { text: '5', share: 0 },
    { text: '6', share: 1 },
  ];
  expect(keyProblems({ ...open, accepted: half })).toEqual([]);
  expect(keyProblems({ ...open, accepted: [{ text: '5', share: 0 }] })).toEqual([
    { field: 'question.accepted.0.share', message: 'Ни один ответ не приносит баллов' },
  ]);
  const nested = [
    { text: '1822', share: 1 },
    { text: '1822', share: 0.5, tolerance: 2 },
  ];
  expect(keyProblems({ ...open, accepted: nested })).toEqual([]);
  const twice = ['Ёж', ' еж'].map((text) => ({ text, share: 1 }));
  expect(keyProblems({ ...open, accepted: twice })).toEqual([
    { field: 'question.accepted.1.text', message: 'Такой ответ уже есть' },
  ]);
});
