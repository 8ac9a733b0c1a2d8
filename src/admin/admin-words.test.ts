import { describe, expect, test } from 'vitest';
import { AUDIT_ACTS, type AdminUser, type AuditEntry } from '#contract/admin.ts';
import { auditSearch, changedAudit } from './audit-search.ts';
import { actLabel, actorWords, detailWords, subjectWords } from './audit-words.ts';
import { reasonAgainst, userActions } from './user-actions.ts';
import { changedUsers, isNarrowed, usersSearch } from './users-search.ts';

const USER: AdminUser = {
  userId: '01900000-0000-7000-8000-000000000001',
  userName: 'Анна Кузнецова',
  email: 'anna@school.ru',
  role: 0,
  isBlocked: false,
  createdAt: '2026-05-22T15:00:00.000Z',
  lastSeenAt: null,
  isLastAdmin: false,
};
const OTHER = '01900000-0000-7000-8000-000000000002';

describe('the URL', () => {
  test('holds the search of accounts, and what cannot be is as if it were not there', () => {
    expect(
      usersSearch({ searchQuery: 9, role: '2', state: 'blocked', sortOrder: 'seen', page: '3' }),
    ).toEqual({ searchQuery: '9', role: 2, state: 'blocked', sortOrder: 'seen', page: 3 });
    expect(
      usersSearch({
        role: 7,
        state: 'all',
        sortOrder: 'name',
        page: 1,
        view: 'x',
        searchQuery: '',
      }),
    ).toEqual({});
    expect(isNarrowed({ sortOrder: 'new', page: 2 })).toBe(false);
  });

  test('a change of a filter leads to the first page', () => {
    expect(changedUsers({ page: 4, role: 1 }, { state: 'active' })).toEqual({
      role: 1,
      state: 'active',
    });
    expect(changedAudit({ page: 4, act: 'userErased' }, { page: 5 })).toEqual({
      page: 5,
      act: 'userErased',
    });
    expect(auditSearch({ act: 'nothing', page: '0' })).toEqual({});
  });
});

describe('what can be done with an account', () => {
  const reasons = (user: AdminUser, ownId: string) =>
    userActions(user, ownId, () => undefined).flatMap((entry) =>
      entry === 'line' ? [] : [[entry.label, entry.reason != null]],
    );

  test('with somebody else’s: everything', () => {
    expect(reasons(USER, OTHER)).toEqual([
      ['Изменить роль', false],
      ['Изменить имя и почту', false],
      ['Сбросить пароль', false],
      ['Заблокировать', false],
      ['Скачать данные', false],
      ['Стереть учётную запись', false],
    ]);
    expect(reasons({ ...USER, isBlocked: true }, OTHER)[3]).toEqual(['Разблокировать', false]);
  });

  test('with the own one: what cannot be taken back by oneself stays and says why', () => {
    expect(reasons(USER, USER.userId).filter(([, isImpossible]) => isImpossible)).toEqual([
      ['Изменить роль', true],
      ['Сбросить пароль', true],
      ['Заблокировать', true],
      ['Стереть учётную запись', true],
    ]);
  });

  test('the last administrator is neither demoted, nor blocked, nor erased', () => {
    const last = { ...USER, role: 1, isLastAdmin: true } as const;
    for (const action of ['role', 'block', 'erase'] as const) {
      expect(reasonAgainst(action, last, last.userId)).toContain('последний администратор');
    }
    expect(reasonAgainst('data', last, last.userId)).toBeNull();
  });
});

describe('the log', () => {
  test('every act has Russian words of its own', () => {
    const words = AUDIT_ACTS.map(actLabel);
    expect(new Set(words).size).toBe(AUDIT_ACTS.length);
    for (const word of words) expect(word).toMatch(/^[А-ЯЁ]/);
  });

  const entry = (parts: Partial<AuditEntry>): AuditEntry => ({
    id: OTHER,
    at: USER.createdAt,
    actor: null,
    act: 'userChanged',
    subject: { kind: 'user', id: USER.userId, name: USER.userName },
    details: {},
    ...parts,
  });

  test.each([
    [entry({ act: 'roleChanged', details: { from: 0, to: 2 } }), 'Студент, теперь Преподаватель'],
    [entry({ act: 'userCreated', details: { role: 1 } }), 'Администратор'],
    [entry({ act: 'userChanged', details: { fields: 'name, email' } }), 'имя, почта'],
    [
      entry({ act: 'usersImported', details: { wrong: 2, made: 23, exists: 0 } }),
      'создано 23, с ошибками 2',
    ],
    [entry({ act: 'userBlocked' }), ''],
  ])('details of $act', (given, words) => {
    expect(detailWords(given)).toBe(words);
  });

  test.each([
    [entry({}), 'Анна Кузнецова'],
    [entry({ subject: { kind: 'user', id: OTHER, name: null } }), 'Стёртая учётная запись'],
    [entry({ subject: { kind: 'project', id: OTHER, name: 'Робот' } }), '«Робот»'],
    [entry({ subject: { kind: 'project', id: OTHER, name: null } }), 'Удалённый проект'],
    [entry({ act: 'usersImported', subject: null }), 'Из файла'],
  ])('%# names whom or what it was done to', (given, words) => {
    expect(subjectWords(given)).toBe(words);
  });
});

test('an act without an actor was done by a command on the server, or by one who was erased since', () => {
  const actor = { userId: OTHER, userName: 'Анна Кузнецова' };
  expect(actorWords({ actor, details: {} })).toBe('Анна Кузнецова');
  expect(actorWords({ actor: null, details: {} })).toBe('Стёртая учётная запись');
  expect(actorWords({ actor: null, details: { by: 'operator' } })).toBe('Команда на сервере');
});
