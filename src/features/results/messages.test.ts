import { expect, test } from 'vitest';
import type { AttemptResult } from '#contract/results.ts';
import {
  correctAnswersMessage,
  headlineOf,
  itemPoints,
  latenessMessage,
  pendingMessage,
} from './messages.ts';
import { finishedResult } from './test-result.ts';

const when = { now: Date.parse('2026-05-22T08:05:00Z'), timeZone: 'Europe/Moscow' };
const result: AttemptResult = {
  ...finishedResult,
  gradedMaxScore: 36,
  answeredQuestions: 18,
  unansweredNumbers: [14, 20],
  pendingNumbers: [17],
  correctAnswersFrom: '2026-05-22T15:00:00Z',
};

test('an idle attempt has no points and is not shown as running', () => {
  const idle: AttemptResult = { ...result, state: 0, end: null, score: null };
  expect(headlineOf(idle, when)).toEqual({ kind: 'none', message: 'Попытка не начата.' });
});

test('while a grade is missing the result is preliminary and states what may be added', () => {
  expect(headlineOf(result, when)).toEqual({
    kind: 'score',
    label: 'Предварительный результат',
    score: '29',
    of: 'из 36 проверенных баллов',
    rest: 'Преподаватель может добавить ещё до 4 баллов. Всего за тест 40.',
  });
  expect(pendingMessage(result)).toBe('На проверке: вопрос 17');
});

test('a complete mark has a decimal comma and is not preliminary', () => {
  const whole = { ...result, score: 29.5, gradedMaxScore: 40, pendingNumbers: [] };
  expect(headlineOf(whole, when)).toMatchObject({
    label: 'Результат',
    score: '29,5',
    of: 'из 40 баллов',
    rest: null,
  });
  expect(pendingMessage(whole)).toBeNull();
});

test('between deadline and close points are withheld until everything may have arrived', () => {
  expect(headlineOf({ ...result, end: null, score: null }, when)).toEqual({
    kind: 'none',
    message: 'Баллы появятся, когда всё дойдёт до сервера. Ждём до 11:22.',
  });
});

test('hidden points are not reported as a network problem', () => {
  expect(headlineOf({ ...result, score: null }, when)).toMatchObject({
    message: 'Баллы за этот тест сейчас не показываются. Когда их показать, решает преподаватель.',
  });
});

test('correct answers state the moment from which they are shown', () => {
  expect(correctAnswersMessage('2026-05-22T15:00:00Z', when)).toBe('сегодня с 18:00');
  expect(correctAnswersMessage('2026-05-23T15:00:00Z', when)).toBe('с 23 мая, 18:00');
  expect(correctAnswersMessage('2026-05-22T08:00:00Z', when)).toBe('уже доступны');
  expect(correctAnswersMessage(null, when)).toBe('не показываются');
});

test('points of a question agree grammatically with their number', () => {
  expect(itemPoints(1.5, 2)).toBe('1,5 из 2');
  expect(itemPoints(null, 4)).toBe('до 4 баллов');
  expect(itemPoints(null, 1)).toBe('до 1 балла');
  expect(itemPoints(2, 2, 'everybody')).toBe('2 из 2, засчитано всем');
  expect(itemPoints(0, 2, 'nobody')).toBe('не учитывается');
});

test('lateness is reported with the mark without late answers', () => {
  expect(latenessMessage(result)).toEqual([]);
  expect(latenessMessage({ receivedLate: 3, held: 2, scoreWithoutLate: 25 })).toEqual([
    '3 ответа дошли после срока и засчитаны.',
    'Без поздних ответов: 25 баллов.',
    '2 ответа ждут решения преподавателя и пока не засчитаны.',
  ]);
});
