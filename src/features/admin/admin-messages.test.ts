import { describe, expect, test } from 'vitest';
import type { AdminUser } from '#contract/admin.ts';
import {
  auditAddress,
  auditFilter,
  auditFilters,
  auditSearch,
  changedAudit,
} from './audit-search.ts';
import { reasonAgainst, userActions } from './user-actions.ts';
import { changedUsers, usersAddress, usersSearch } from './users-search.ts';

const USER: AdminUser = {
  userId: '01900000-0000-7000-8000-000000000001',
  userName: 'Анна Кузнецова',
  email: 'anna@school.ru',
  role: 0,
  isBlocked: false,
  createdAt: '2026-05-22T15:00:00.000Z',
  lastSeenAt: null,
  isLastAdmin: false,
  hasSecondFactor: false,
};
const OTHER = '01900000-0000-7000-8000-000000000002';

describe('the URL', () => {
  test('contains the search of accounts; invalid values are dropped', () => {
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
    expect(usersAddress.isNarrowed({ sortOrder: 'new', page: 2 })).toBe(false);
  });

  test('changing a filter returns to the first page', () => {
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

  test('contains the filters of the log by person and school time', () => {
    const search = { personId: OTHER, from: '2026-03-02T09:00', to: '2026-03-02T09:30' };
    expect(auditSearch(search)).toEqual(search);
    expect(auditAddress.isNarrowed(search)).toBe(true);
    expect(auditAddress.isNarrowed({ page: 2 })).toBe(false);
    for (const from of ['2026-02-31T09:00', '0202-03-02T09:00', '2026-03-02', 'вчера', 7])
      expect(auditSearch({ from, personId: '7' })).toEqual({});
    // The last minute is included.
    expect(auditFilter({ ...search, page: 3, act: 'signedIn' }, 'Europe/Moscow')).toEqual({
      personId: OTHER,
      act: 'signedIn',
      from: '2026-03-02T06:00:00.000Z',
      to: '2026-03-02T06:31:00.000Z',
    });
  });

  test('names the person that the log is filtered by, known or not', () => {
    const labels = (people: { userId: string; userName: string }[] | null, personId = OTHER) =>
      auditFilters({ personId }, people, () => undefined)[0]?.choices.map(({ label }) => label);
    expect(labels(null)).toEqual(['Все люди', 'Выбранный человек']);
    expect(labels([])).toEqual(['Все люди', 'Стёртая учётная запись']);
    expect(labels([USER], USER.userId)).toEqual(['Все люди', `${USER.userName} · ${USER.email}`]);
  });
});

describe('what can be done with an account', () => {
  const reasons = (user: AdminUser, ownId: string) =>
    userActions(user, ownId, () => undefined).flatMap((entry) =>
      entry === 'line' ? [] : [[entry.label, entry.reason != null]],
    );

  test('with another account: everything', () => {
    expect(reasons(USER, OTHER)).toEqual([
      ['Изменить роль…', false],
      ['Изменить имя и почту…', false],
      ['Сбросить пароль…', false],
      // There is no second factor to reset.
      ['Сбросить вход в два шага…', true],
      ['Заблокировать…', false],
      ['Скачать данные…', false],
      ['Стереть учётную запись…', false],
    ]);
    expect(reasons({ ...USER, isBlocked: true }, OTHER)[4]).toEqual(['Разблокировать', false]);
    expect(reasons({ ...USER, areCodesStopped: true }, OTHER)[4]).toEqual([
      'Снова разрешить коды…',
      false,
    ]);
    expect(reasons({ ...USER, hasSecondFactor: true }, OTHER)[3]).toEqual([
      'Сбросить вход в два шага…',
      false,
    ]);
  });

  test('with a teacher: what he owns passes to another; of an erased account nothing else is left to do', () => {
    const teacher = { ...USER, ownsTeaching: true };
    expect(reasons(teacher, OTHER)).toContainEqual(['Передать тесты и классы…', false]);
    expect(reasons(teacher, teacher.userId)).toContainEqual(['Передать тесты и классы…', false]);
    const erased = { ...teacher, erasedAt: '2026-05-22T15:00:00.000Z' };
    expect(reasons(erased, OTHER)).toEqual([['Передать тесты и классы…', false]]);
  });

  test('with the own account: irreversible actions are disabled with the reason', () => {
    expect(reasons(USER, USER.userId).filter(([, isImpossible]) => isImpossible)).toEqual([
      ['Изменить роль…', true],
      ['Сбросить пароль…', true],
      ['Сбросить вход в два шага…', true],
      ['Заблокировать…', true],
      ['Стереть учётную запись…', true],
    ]);
  });

  test('the last administrator cannot be demoted, blocked or erased', () => {
    const last = { ...USER, role: 1, isLastAdmin: true } as const;
    for (const action of ['role', 'block', 'erase'] as const) {
      expect(reasonAgainst(action, last, last.userId)).toContain('последний администратор');
    }
    expect(reasonAgainst('data', last, last.userId)).toBeNull();
  });
});
