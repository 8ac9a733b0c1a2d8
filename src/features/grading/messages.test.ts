import { expect, test } from 'vitest';
import type { HeldOfAttempt } from '#contract/grading.ts';
import {
  formatChange,
  classChange,
  formatClassChange,
  formatHeldTime,
  markReasonLabel,
  rescoredMessage,
} from './messages.ts';

const when = { now: Date.parse('2026-05-22T09:00:00Z'), timeZone: 'Europe/Moscow' };

const answer: HeldOfAttempt['answers'][number] = {
  operationId: 'o',
  questionId: 'q',
  number: 1,
  questionText: '',
  answer: { questionId: 'q', kind: 'open', text: '1' },
  answerText: '1',
  writtenAt: '2026-05-22T07:58:00Z',
  seenServerAt: null,
  receivedAt: '2026-05-22T08:40:00Z',
  afterResult: false,
  decision: null,
};

const attempt = (part: Partial<HeldOfAttempt>): HeldOfAttempt => ({
  attemptId: 'a',
  attemptNumber: 1,
  trial: false,
  userId: 'u',
  userName: 'Анна',
  groups: [],
  deadline: '2026-05-22T08:30:00Z',
  countsUntil: '2026-05-22T08:31:00Z',
  score: 1,
  scoreIfAccepted: 3,
  scoreIfRefused: 1,
  maxScore: 5,
  answers: [answer],
  ...part,
});

test('a held answer says when it was written and received, and when the deadline was', () => {
  expect(formatHeldTime(answer, '2026-05-22T08:30:00Z', when)).toBe(
    'Написано по часам устройства в 10:58, получено 11:40, срок был 11:30.',
  );
  const unknown = { ...answer, writtenAt: null, seenServerAt: '2026-05-22T07:20:00Z' };
  expect(formatHeldTime(unknown, '2026-05-22T08:30:00Z', when)).toBe(
    'Когда написано, неизвестно, получено 11:40, срок был 11:30. До этого устройство слышало сервер в 10:20.',
  );
  expect(formatHeldTime({ ...answer, afterResult: true }, '2026-05-22T08:30:00Z', when)).toBe(
    'Написано по часам устройства в 10:58, получено 11:40, срок был 11:30. Результат к этому времени уже можно было увидеть.',
  );
});

test('a decision for the class states how many marks change', () => {
  const all = [attempt({}), attempt({ scoreIfAccepted: 1 }), attempt({ score: null })];
  expect(formatClassChange(classChange(all, 'accepted'))).toBe('Изменится 1 из 3 оценок.');
  expect(formatClassChange(classChange(all, 'refused'))).toBe('Ни одна оценка не изменится.');
  const mixed = attempt({ answers: [answer, { ...answer, decision: 'refused' }] });
  expect(formatClassChange(classChange([mixed], 'accepted'))).toBe(
    'Изменится не больше 1 из 1 оценки.',
  );
});

test('a corrected key states how many marks change', () => {
  expect(rescoredMessage(12, 28, false)).toBe('Изменятся 12 из 28 работ.');
  expect(rescoredMessage(2, 28, true)).toBe('Изменились 2 из 28 работ.');
  expect(rescoredMessage(0, 28, false)).toBe('Проверено работ: 28. Ни один балл не изменится.');
  expect(rescoredMessage(0, 0, false)).toBe('Законченных работ с этим вопросом пока нет.');
});

test('changes of marks are formatted', () => {
  expect(markReasonLabel('keyCorrected')).toBe('Исправлен ключ');
  expect(formatChange(null, 3)).toBe('нет → 3 балла');
});
