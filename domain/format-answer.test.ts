import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { formatAnswer, formatKey } from './format-answer.ts';

const questionId = '00000000-0000-4000-8000-000000000001';
const base = { questionId, text: '', points: 1 };
const choice: Question = {
  ...base,
  kind: 'variant',
  multiple: true,
  shuffle: false,
  scoring: 'partial',
  options: [
    { optionId: 'a', text: 'Сила', isRight: true },
    { optionId: 'b', text: 'Масса', isRight: false },
    { optionId: 'c', text: 'Скорость', isRight: true },
  ],
};
const matching: Question = {
  ...base,
  kind: 'compliance',
  shuffle: false,
  left: [
    { leftId: '0', text: 'Работа' },
    { leftId: '1', text: 'Сила' },
  ],
  right: [
    { rightId: 'y', text: 'Дж' },
    { rightId: 'x', text: 'Н' },
  ],
  pairs: [{ leftId: '1', rightId: 'x' }],
};
const number: Question = {
  ...base,
  kind: 'open',
  input: 'number',
  accepted: [
    { text: '4,9', share: 1 },
    { text: '5', share: 0.5 },
    { text: '49', share: 0 },
  ],
  tolerance: 0,
};

test('chosen options and pairs are shown by their texts', () => {
  expect(formatAnswer({ questionId, kind: 'variant', optionIds: ['a', 'b'] }, choice)).toBe(
    'Сила; Масса',
  );
  const pairs = [{ leftId: '1', rightId: 'x' }];
  expect(formatAnswer({ questionId, kind: 'compliance', pairs }, matching)).toBe('Сила – Н');
});

test('a text is itself, a file its name', () => {
  expect(formatAnswer({ questionId, kind: 'open', text: ' 4,9 ' }, number)).toBe('4,9');
  const file = { fileId: questionId, name: 'решение.jpg', size: 1, mimeType: '', sha256: '' };
  expect(formatAnswer({ questionId, kind: 'file', ...file }, undefined)).toBe('решение.jpg');
});

test.each([
  [null],
  [{ questionId, kind: 'open', text: ' ' } as const],
  [{ questionId, kind: 'variant', optionIds: [] as string[] } as const],
])('nothing and what was cleared are «Без ответа»', (answer) => {
  expect(formatAnswer(answer, choice)).toBe('Без ответа');
});

test('an unknown option is a question mark, without a question its id', () => {
  const answer = { questionId, kind: 'variant', optionIds: ['z'] } as const;
  expect(formatAnswer({ ...answer, optionIds: ['z'] }, choice)).toBe('?');
  expect(formatAnswer({ ...answer, optionIds: ['z'] }, undefined)).toBe('z');
});

test('the key as text; by hand there is none', () => {
  expect([choice, matching, number].map(formatKey)).toEqual([
    'Сила; Скорость',
    'Сила – Н',
    '4,9; 5',
  ]);
  expect(formatKey({ ...number, accepted: [] })).toBeNull();
});
