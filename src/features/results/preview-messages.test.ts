import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { formatAccepted, hiddenMessages } from './preview-messages.ts';

const when = { now: Date.parse('2026-05-22T06:00:00Z'), timeZone: 'Europe/Moscow' };
const LATER = '2026-05-24T06:00:00.000Z';
const PAST = '2026-05-21T06:00:00.000Z';
const facts = {
  state: 2 as const,
  shows: { ownAnswers: true, points: true, correctAnswers: false },
  ownAnswersFrom: PAST,
  pointsFrom: PAST,
  correctAnswersFrom: LATER,
};
const nothing = { ownAnswers: false, points: false, correctAnswers: false };

test('hidden parts are listed with their moment, permanently hidden ones as the teacher’s choice', () => {
  expect(hiddenMessages(facts, false, when)).toEqual(['Верные ответы откроются 24 мая, 09:00.']);
  expect(hiddenMessages({ ...facts, correctAnswersFrom: null }, false, when)).toEqual([
    'Преподаватель не показывает верные ответы.',
  ]);
  const hidden = { ...facts, shows: nothing, ownAnswersFrom: null, pointsFrom: LATER };
  expect(hiddenMessages(hidden, false, when)).toEqual([
    'Преподаватель не показывает ваши ответы.',
    'Баллы откроются 24 мая, 09:00.',
    'Верные ответы откроются 24 мая, 09:00.',
  ]);
});

test('a running attempt states no moment to its student', () => {
  const running = { ...facts, state: 1 as const, shows: { ...nothing, ownAnswers: true } };
  expect(hiddenMessages(running, false, when).join()).toContain('Попытка ещё идёт');
  expect(hiddenMessages(running, true, when).join()).toContain('баллы появятся после неё');
});

test('an idle attempt is reported as such to student and teacher', () => {
  const idle = { ...facts, state: 0 as const, shows: nothing };
  expect(hiddenMessages(idle, false, when)).toEqual(['Попытка не начата.']);
  expect(hiddenMessages(idle, true, when)).toEqual(['Попытка не начата.']);
});

test('the teacher sees what is hidden from the student', () => {
  const all = { ownAnswers: true, points: true, correctAnswers: true };
  expect(hiddenMessages({ ...facts, shows: all, pointsFrom: null }, true, when)).toEqual([
    'Баллы ученику не показываются.',
    'Верные ответы ученик увидит 24 мая, 09:00.',
  ]);
  const waiting = { ...facts, shows: { ...all, points: false } };
  expect(hiddenMessages(waiting, true, when).join()).toContain('ответы ещё могут дойти');
});

test('a key states its tolerance and partial credit', () => {
  const question: Question = {
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
  const question: Question = {
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
