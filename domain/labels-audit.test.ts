import { describe, expect, test } from 'vitest';
import { AUDIT_ACTS, type AuditEntry } from '#contract/admin.ts';
import { actLabel, actorLabel, describeDetails, subjectLabel } from './labels-audit.ts';

const ANNA = { userId: '01900000-0000-7000-8000-000000000001', userName: 'Анна Кузнецова' };
const OTHER = '01900000-0000-7000-8000-000000000002';
const AT = '2026-05-22T15:00:00.000Z';

const entry = (parts: Partial<AuditEntry>): AuditEntry => ({
  id: OTHER,
  at: AT,
  times: 1,
  lastAt: AT,
  actor: null,
  act: 'userChanged',
  subject: { kind: 'user', id: ANNA.userId, name: ANNA.userName },
  person: ANNA,
  address: null,
  details: {},
  ...parts,
});

test('every act has a Russian text of its own', () => {
  const labels = AUDIT_ACTS.map(actLabel);
  expect(new Set(labels).size).toBe(AUDIT_ACTS.length);
  for (const label of labels) expect(label).toMatch(/^[А-ЯЁ]/);
});

describe('details', () => {
  test.each([
    [entry({ act: 'roleChanged', details: { from: 0, to: 2 } }), 'Студент, теперь Преподаватель'],
    [entry({ act: 'roleChanged', details: { from: 0, to: 9 } }), ''],
    [entry({ act: 'roleChanged', details: { from: 9, to: 0 } }), ''],
    [entry({ act: 'roleChanged', details: { to: 0 } }), ''],
    [entry({ act: 'userCreated', details: { role: 1 } }), 'Администратор'],
    [entry({ act: 'userCreated', details: { role: 7 } }), ''],
    [entry({ act: 'userCreated' }), ''],
    [entry({ act: 'userChanged', details: { fields: 'avatar, name' } }), 'имя'],
    [entry({ act: 'userChanged', details: { fields: 'name, email' } }), 'имя, почта'],
    [
      entry({ act: 'usersImported', details: { wrong: 2, made: 23, exists: 0 } }),
      'создано 23, с ошибками 2',
    ],
    [entry({ act: 'userBlocked' }), ''],
    [entry({ act: 'signedIn', address: '203.0.113.7' }), 'с адреса 203.0.113.7'],
    [entry({ act: 'signedIn', details: { factor: 'totp' } }), 'пароль и код из приложения'],
    [entry({ act: 'signedIn', details: { factor: 'recovery' } }), 'пароль и код восстановления'],
    [entry({ act: 'signedIn', details: { factor: 'passkey' } }), 'пароль и ключ входа'],
    [entry({ act: 'signedIn', details: { factor: 'sms' } }), ''],
    [
      entry({ act: 'signInFailed', times: 3, address: '203.0.113.7', details: { others: 1 } }),
      '3 раза, с адреса 203.0.113.7 и других',
    ],
    [
      entry({ act: 'signInFailed', details: { reason: 'blocked' } }),
      'учётная запись заблокирована',
    ],
    [entry({ act: 'gradeChanged', details: { to: 2.5 } }), 'без оценки, теперь 2,5'],
    [entry({ act: 'gradeChanged', details: { from: 3 } }), '3, теперь без оценки'],
    [
      entry({ act: 'heldDecided', details: { decision: 'refused', answers: 2 } }),
      'отклонены: 2 ответа',
    ],
    [
      entry({ act: 'heldDecided', details: { decision: 'accepted', answers: 1 } }),
      'приняты: 1 ответ',
    ],
    [entry({ act: 'timeAdded', details: { minutes: 5 } }), '5 минут'],
    [
      entry({ act: 'timeAdded', details: { minutes: 7, reasons: 'outage,silence' } }),
      '7 минут, не работал сервер, не было связи',
    ],
    [entry({ act: 'keyChanged', details: { questions: 1 } }), '1 вопрос'],
    [entry({ act: 'keyCorrected', details: { rescored: 21 } }), 'пересчитано: 21 попытка'],
    [entry({ act: 'statisticsExported', details: { format: 'xlsx' } }), 'XLSX'],
  ])('of $act: %#', (given, words) => {
    expect(describeDetails(given)).toBe(words);
  });
});

describe('the subject of an act', () => {
  test.each([
    [entry({}), 'Анна Кузнецова'],
    [entry({ actor: ANNA }), 'Своя учётная запись'],
    [entry({ subject: { kind: 'user', id: OTHER, name: null } }), 'Стёртая учётная запись'],
    [entry({ subject: { kind: 'project', id: OTHER, name: 'Робот' }, person: null }), '«Робот»'],
    [
      entry({ subject: { kind: 'project', id: OTHER, name: null }, person: null }),
      'Удалённый проект',
    ],
    [entry({ subject: { kind: 'test', id: OTHER, name: null }, person: null }), 'Удалённый тест'],
    [
      entry({ subject: { kind: 'attempt', id: OTHER, name: 'Законы Ньютона' } }),
      'Анна Кузнецова, «Законы Ньютона»',
    ],
    [
      entry({
        subject: { kind: 'attempt', id: OTHER, name: 'Законы Ньютона' },
        person: { userId: OTHER, userName: null },
      }),
      '«Законы Ньютона»',
    ],
    [entry({ act: 'usersImported', subject: null, person: null }), 'Из файла'],
    [
      entry({ act: 'signInFailed', subject: null, person: null }),
      'Почты нет среди учётных записей',
    ],
    [entry({ act: 'auditExported', subject: null, person: null }), '–'],
  ])('%# is named', (given, words) => {
    expect(subjectLabel(given)).toBe(words);
  });
});

test('an act without an actor was done by a command, by an erased person, or by an unknown one', () => {
  expect(actorLabel(entry({ actor: ANNA }))).toBe('Анна Кузнецова');
  expect(actorLabel(entry({}))).toBe('Стёртая учётная запись');
  expect(actorLabel(entry({ details: { by: 'operator' } }))).toBe('Команда на сервере');
  expect(actorLabel(entry({ act: 'signInFailed' }))).toBe('Неизвестно кто');
  expect(actorLabel(entry({ act: 'signInLocked' }))).toBe('Неизвестно кто');
});
