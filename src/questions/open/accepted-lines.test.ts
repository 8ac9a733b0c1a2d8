import { expect, test } from 'vitest';
import type { QuestionOf } from '#domain/kinds/rules.ts';
import { formatAccepted } from './accepted-lines.ts';

test('a key states its tolerance and partial credit', () => {
  const question: QuestionOf<'open'> = {
    questionId: 'q',
    kind: 'open',
    input: 'number',
    text: 'Сколько?',
    points: 2,
    accepted: [
      { text: '4,9', share: 1 },
      { text: '5', share: 0.5 },
      { text: 'половина g', share: 1 },
    ],
    tolerance: 0.05,
  };
  expect(formatAccepted(question)).toEqual([
    '4,9 (допуск ±0,05)',
    '5 (допуск ±0,05)\u00a0– 50\u00a0% баллов',
    'половина g',
  ]);
  expect(formatAccepted({ ...question, accepted: [] })).toEqual([]);
});

test('an answer has its own tolerance, and one worth no points is not shown as correct', () => {
  const question: QuestionOf<'open'> = {
    questionId: '00000000-0000-4000-8000-000000000001',
    kind: 'open',
    input: 'number',
    text: '',
    points: 1,
    accepted: [
      { text: '9,8', share: 1, tolerance: 0.2 },
      { text: '10', share: 1, tolerance: 0 },
      { text: '98', share: 0, feedback: 'Потеряна запятая' },
    ],
    tolerance: 0.05,
  };
  expect(formatAccepted(question)).toEqual(['9,8 (допуск ±0,2)', '10']);
});
