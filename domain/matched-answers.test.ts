import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { cpuMs } from '#tests/cpu.ts';
import { HOSTILE_BODIES } from '#tests/hostile-bodies.ts';
import { answerFeedback, matchedAnswers } from './matched-answers.ts';
import { scoreItem } from './scoring.ts';

const question: Extract<Question, { kind: 'open' }> = {
  questionId: 'q',
  text: '',
  points: 2,
  kind: 'open',
  input: 'number',
  accepted: [
    { text: '9,8', share: 1 },
    { text: '10', share: 0.5, tolerance: 0.3, feedback: 'Слишком грубо' },
    { text: '98', share: 0, tolerance: 1, feedback: 'Потеряна запятая' },
  ],
  tolerance: 0.05,
};
const points = (text: string) =>
  scoreItem(question, { questionId: 'q', kind: 'open', text }, undefined);

test.each([
  ['9,84', 2, 'Слишком грубо'],
  ['9.7', 1, 'Слишком грубо'],
  ['10,3', 1, 'Слишком грубо'],
  ['10,31', 0, ''],
  ['97,5', 0, 'Потеряна запятая'],
  ['5', 0, ''],
])('%s gives %s points and «%s»', (text, wanted, feedback) => {
  expect(points(text)).toEqual({ kind: 'graded', points: wanted });
  expect(answerFeedback(question, text)).toBe(feedback);
});

test('an own tolerance of 0 is exact, whatever the question allows', () => {
  const exact = { ...question, accepted: [{ text: '9,8', share: 1, tolerance: 0 }] };
  expect(matchedAnswers(exact, '9,81')).toEqual([]);
  expect(matchedAnswers(exact, '9.80')).toHaveLength(1);
});

test('of several matching answers the one with the highest share comes first, however the key lists them', () => {
  const accepted = [0, 1, 0.5].map((share) => ({ text: '9,8', share }));
  expect(matchedAnswers({ ...question, accepted }, '9.8').map(({ share }) => share)).toEqual([
    1, 0.5, 0,
  ]);
  expect(matchedAnswers({ ...question, accepted }, '9.9')).toEqual([]);
});

test('the feedback to an answer is that of its own question', () => {
  const other = { ...question, accepted: [{ text: '5', share: 1, feedback: 'Верно' }] };
  expect(answerFeedback(question, '5')).toBe('');
  expect(answerFeedback(other, '5')).toBe('Верно');
});

test('a text is judged once: reading its points again costs next to nothing', () => {
  const typed = HOSTILE_BODIES['signs that grow when normalised']?.(20_000) ?? '';
  const cost = (of: typeof question, times: number) => {
    const begin = cpuMs();
    for (let time = 0; time < times; time += 1)
      scoreItem(of, { questionId: 'q', kind: 'open', text: typed }, undefined);
    return cpuMs() - begin;
  };
  const first = cost({ ...question }, 1);
  const again = { ...question };
  scoreItem(again, { questionId: 'q', kind: 'open', text: typed }, undefined);
  expect(cost(again, 10) / 10).toBeLessThan(first / 5);
});
