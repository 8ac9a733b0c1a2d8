import { expect, test } from 'vitest';
import { hiddenMessages } from './preview-messages.ts';

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
