import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { studentQuestion } from './student-question.ts';

const base = { questionId: 'q', text: 'Вопрос', points: 1, explanation: 'ключ' };
const questions: Question[] = [
  { ...base, kind: 'open', input: 'line', accepted: [{ text: 'ключ', share: 1 }], tolerance: 0 },
  {
    ...base,
    kind: 'variant',
    multiple: false,
    shuffle: true,
    scoring: 'partial',
    options: Array.from({ length: 8 }, (_, i) => ({
      optionId: `o${i}`,
      text: `${i}`,
      isRight: i === 0,
    })),
  },
  {
    ...base,
    kind: 'compliance',
    shuffle: true,
    left: [{ leftId: 'l', text: 'слева' }],
    right: Array.from({ length: 6 }, (_, i) => ({ rightId: `r${i}`, text: `${i}` })),
    pairs: [{ leftId: 'l', rightId: 'r0' }],
  },
  { ...base, kind: 'file', maxBytes: 5, accept: ['.pdf'] },
];

test.each(questions)('a student’s $kind question has no key in it', (question) => {
  const text = JSON.stringify(studentQuestion(question, 'attempt'));
  expect(text).not.toMatch(/ключ|isRight|accepted|pairs|explanation|share|tolerance|scoring/);
});

test('parts are shuffled once per attempt: the same order at every reading, another in another attempt', () => {
  const [, choice] = questions as [Question, Question];
  const orderOf = (attemptId: string) => JSON.stringify(studentQuestion(choice, attemptId));
  expect(orderOf('one')).toBe(orderOf('one'));
  const orders = new Set(Array.from({ length: 20 }, (_, i) => orderOf(`attempt-${i}`)));
  expect(orders.size).toBeGreaterThan(15);
});
