import { expect, test } from 'vitest';
import { describeMissing } from './missing-messages.ts';

const when = { now: Date.parse('2026-05-22T09:00:00Z'), timeZone: 'Europe/Moscow' };
const row = {
  attemptId: 'a',
  userId: 'u',
  userName: 'Анна',
  attemptNumber: 1,
  trial: false,
  end: 'closed' as const,
  endedAt: '2026-05-22T08:45:00Z',
  answered: 3,
  totalQuestions: 6,
  lastSeenAt: '2026-05-22T07:43:00Z',
  missing: 2,
  missingAt: '2026-05-22T07:43:00Z',
  stray: 0,
  recoveredAt: null,
};

test('a closed attempt states what its device reported, when, and what is on the server', () => {
  expect(describeMissing(row, when)).toEqual([
    'Не завершено учеником, сервер закрыл попытку в 11:45.',
    'На сервере 3 ответа из 6.',
    'Устройство сообщило в 10:43, что у него 2 ответа; они не пришли.',
    'Последний раз устройство было на связи в 10:43.',
  ]);
});

test('nothing is claimed that no device reported', () => {
  const silent = { ...row, missing: 0, missingAt: null, lastSeenAt: null };
  expect(describeMissing(silent, when).slice(2)).toEqual([
    'Устройство не сообщало о других ответах.',
  ]);
  expect(describeMissing({ ...row, end: null, endedAt: null, missing: 1 }, when)).toContain(
    'Устройство сообщило в 10:43, что у него 1 ответ; он не пришёл.',
  );
});

test('another day is named', () => {
  const before = { ...row, end: 'finished' as const, attemptNumber: 2 };
  expect(describeMissing(before, { ...when, now: Date.parse('2026-05-24T09:00:00Z') })).toContain(
    'Попытка 2. Сдано 22 мая, 11:45.',
  );
});

test('answers of an attempt missing on the server are retained, with the reason', () => {
  const stray = { ...row, attemptId: null, stray: 2 };
  expect(describeMissing(stray, when)[0]).toMatch(
    /^Дошли 2 ответа попытки, которой на сервере нет/,
  );
});

test('an attempt recreated after a restore says so first, whether it ended or not', () => {
  const recovered = { ...row, recoveredAt: '2026-05-22T08:50:00Z' };
  expect(describeMissing(recovered, when).slice(0, 2)).toEqual([
    'Этой попытки не было в копии базы, из которой сервер восстановлен: она собрана заново в 11:50 из того, что прислало устройство.',
    'Не завершено учеником, сервер закрыл попытку в 11:45.',
  ]);
  expect(describeMissing({ ...recovered, end: null, endedAt: null }, when)[1]).toBe(
    'Ещё не сдано.',
  );
});
