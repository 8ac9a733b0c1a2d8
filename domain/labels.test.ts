import { expect, test } from 'vitest';
import { answerStateLabel, keepOpenMessage, sendingLabel, syncLabels } from './labels-answer.ts';
import { lateAnswersMessage } from './labels-statistics.ts';
import { testStatusLabel } from './labels-status.ts';
import { SUBJECT_KEYS, difficultyLabel, roleLabel, subjectLabel } from './labels.ts';

test('difficulties have the labels of the specification, others are unknown', () => {
  expect(['easy', 'medium', 'hard', '', 'constructor'].map(difficultyLabel)).toEqual([
    'Легкая',
    'Средняя',
    'Сложная',
    'Неизвестная',
    'Неизвестная',
  ]);
});

test('all eighteen subjects have a name, others are unknown', () => {
  expect(SUBJECT_KEYS).toHaveLength(18);
  expect(SUBJECT_KEYS.map(subjectLabel)).not.toContain('Неизвестная');
  expect(subjectLabel('social_studies')).toBe('Обществознание');
  expect(subjectLabel('')).toBe('Неизвестная');
});

test('roles are numbered student, admin, teacher', () => {
  expect([roleLabel(0), roleLabel(1), roleLabel(2)]).toEqual([
    'Студент',
    'Администратор',
    'Преподаватель',
  ]);
});

test('a scheduled test names its opening where it is known', () => {
  const now = new Date('2026-05-22T07:00:00Z');
  const opensAt = new Date('2026-05-24T06:00:00Z');
  expect(testStatusLabel('scheduled', { opensAt, now, timeZone: 'Europe/Moscow' })).toBe(
    'Откроется 24 мая, 09:00',
  );
  expect(testStatusLabel('scheduled')).toBe('Ещё не открыт');
  expect(testStatusLabel('available', { opensAt, now, timeZone: 'Europe/Moscow' })).toBe(
    'Доступен',
  );
});

test('a running attempt names the time it has left', () => {
  expect(testStatusLabel('inProgress', { leftMs: 24 * 60_000 + 51_000 })).toBe('Идёт, 24\u00a0мин');
  expect(testStatusLabel('inProgress')).toBe('Идёт');
  expect(testStatusLabel('inProgress', { leftMs: 0 })).toBe('Идёт');
  expect(testStatusLabel('passed', { leftMs: 60_000 })).toBe('Пройден');
});

test('while a finish waits the unsent answers are named', () => {
  expect(keepOpenMessage(0)).toBe('Не закрывайте: завершение ещё на устройстве');
  expect(keepOpenMessage(2)).toBe('Не закрывайте: 2 ответа ещё на устройстве');
});

test.each(['offline', 'silent'] as const)('where nothing waits, %s counts nothing', (state) => {
  const { short, long } = syncLabels(state, 0);
  expect(short).not.toMatch(/\d/);
  expect(long).toBe(short);
});

test('an unanswered question shows no state at the answer', () => {
  expect(answerStateLabel('none')).toBe('');
});

test('a file being sent shows how much has been sent', () => {
  expect(sendingLabel({ sentBytes: 1_572_864, totalBytes: 2_516_582 })).toBe(
    'Отправляется, 1,5 из 2,4\u00a0МБ',
  );
  expect(sendingLabel()).toBe('Отправляется');
});

test.each([
  ['delivered', 0, 'на сервере', 'все ответы на сервере'],
  ['sending', 3, 'отправляем 3', 'отправляем 3 ответа'],
  ['offline', 3, '3 на устройстве', 'нет сети, 3 ответа на устройстве'],
  ['offline', 0, 'нет сети', 'нет сети'],
  ['silent', 3, '3 на устройстве', 'сервер не отвечает, 3 ответа на устройстве'],
  ['signedOut', 3, 'войдите снова', 'войдите снова, 3 ответа ждут'],
  ['setAside', 1, '1 не принят', '1 ответ не принят'],
  ['unstorable', 0, 'только по сети', 'ответы хранит только сервер'],
  ['secondTab', 0, 'открыт в другой вкладке', 'открыт в другой вкладке'],
  ['takenOver', 0, 'открыт на другом устройстве', 'открыт на другом устройстве'],
] as const)('the indicator in state %s with %d answers', (state, count, short, long) => {
  expect(syncLabels(state, count)).toEqual({ short, long });
});

test('the panel after a finish names what still waits', () => {
  expect(keepOpenMessage(2)).toBe('Не закрывайте: 2 ответа ещё на устройстве');
  expect(keepOpenMessage(0)).toBe('Не закрывайте: завершение ещё на устройстве');
});

test('late answers are counted in Russian, with the points without them', () => {
  expect([1, 2, 5, 21].map((count) => lateAnswersMessage(count, 1))).toEqual([
    '1 поздний ответ, без него 1 балл',
    '2 поздних ответа, без них 1 балл',
    '5 поздних ответов, без них 1 балл',
    '21 поздний ответ, без них 1 балл',
  ]);
});
