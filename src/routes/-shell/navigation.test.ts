import { expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { navigationOf } from './navigation.ts';

const student = { role: ROLE.student, isAdmin: false };
const teacher = { role: ROLE.teacher, isAdmin: false };
const admin = { role: ROLE.admin, isAdmin: true };

const labels = (all: readonly { label: string }[]) => all.map(({ label }) => label);
const active = (all: readonly { label: string; active: boolean }[]) =>
  labels(all.filter((one) => one.active));

test('the header has five sections, for administrators a sixth', () => {
  const five = ['Тесты', 'Проекты', 'Учебные материалы', 'События', 'Лаборатории'];
  for (const user of [student, teacher])
    expect(labels(navigationOf('/', user).sections)).toEqual(five);
  expect(labels(navigationOf('/', admin).sections)).toEqual([...five, 'Управление']);
});

test('a visitor gets the public entries and no sidebar', () => {
  const { sections, entries, bottomEntries } = navigationOf('/labs', null);
  expect(labels(sections)).toEqual(['Учебные материалы', 'События', 'Лаборатории']);
  expect(active(sections)).toEqual(['Лаборатории']);
  expect(entries).toEqual([]);
  expect(labels(bottomEntries)).toEqual(['Учебные материалы', 'События', 'Лаборатории']);
});

test.each([
  ['/tests', student, 'Тесты', ['База тестов', 'Мои тесты'], 'База тестов'],
  ['/tests/my/passed', student, 'Тесты', ['База тестов', 'Мои тесты'], 'Мои тесты'],
  ['/tests/manage/1/edit', teacher, 'Тесты', ['База тестов', 'Мои тесты', 'Классы'], 'Мои тесты'],
  ['/groups/1', teacher, 'Тесты', ['База тестов', 'Мои тесты', 'Классы'], 'Классы'],
  ['/projects', student, 'Проекты', ['Все проекты', 'Мои проекты'], 'Все проекты'],
  ['/projects/1', student, 'Проекты', ['Все проекты', 'Мои проекты'], 'Все проекты'],
  ['/projects/my', student, 'Проекты', ['Все проекты', 'Мои проекты'], 'Мои проекты'],
] as const)('%s has the pages of its section beside it', (path, user, section, pages, on) => {
  const { sections, entries } = navigationOf(path, user);
  expect(active(sections)).toEqual([section]);
  expect(labels(entries)).toEqual(pages);
  expect(active(entries)).toEqual([on]);
});

test.each([
  ['/admin', 'Пользователи'],
  ['/admin/users', 'Пользователи'],
  ['/admin/projects', 'Витрина проектов'],
  ['/admin/tests', 'Тесты'],
  ['/admin/news', 'Новости'],
  ['/admin/education-materials', 'Учебные материалы'],
  ['/admin/audit', 'Журнал'],
])('%s is «%s» in the sidebar of the administration', (path, on) => {
  const { sections, entries } = navigationOf(path, admin);
  expect(active(sections)).toEqual(['Управление']);
  expect(active(entries)).toEqual([on]);
});

test('no page of the administration has two menu entries of one name', () => {
  for (const path of ['/admin', '/admin/users', '/admin/education-materials']) {
    const { sections, entries } = navigationOf(path, admin);
    const materials = [...labels(sections), ...labels(entries)].filter(
      (label) => label === 'Учебные материалы',
    );
    expect(materials, path).toHaveLength(1);
  }
});

test('the bottom bar has at most five entries, with a link to the other half of the site', () => {
  for (const path of ['/', '/tests', '/projects', '/admin/users', '/labs', '/help'])
    for (const user of [null, student, teacher, admin])
      expect(navigationOf(path, user).bottomEntries.length, path).toBeLessThanOrEqual(5);
  expect(labels(navigationOf('/tests', student).bottomEntries)).toContain('Проекты');
  expect(labels(navigationOf('/projects', student).bottomEntries)).toContain('Тесты');
});
