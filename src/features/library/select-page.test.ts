import { expect, test } from 'vitest';
import type { TestListItem } from '#contract/tests.ts';
import type { ListSearch } from './list-search.ts';
import { selectPage } from './select-page.ts';

const NOW = Date.parse('2026-05-22T07:00:00Z');
const base: TestListItem = {
  id: 'a',
  owner: 'О. В. Лаптёва',
  title: 'Законы Ньютона',
  theme: 'physics',
  subject: 'Физика',
  difficulty: 'Средняя',
  startDate: null,
  endDate: null,
  totalPoints: 10,
  currentPoints: null,
  status: 'available',
  running: null,
};
const ITEMS: TestListItem[] = [
  { ...base, id: 'c', title: 'Тест 10', endDate: '2026-05-25T07:00:00Z', totalPoints: 5 },
  { ...base, id: 'b', title: 'Тест 2', theme: 'math', subject: 'Математика', difficulty: 'Легкая' },
  { ...base, id: 'a', status: 'passed', endDate: '2026-05-23T07:00:00Z', totalPoints: 20 },
];
const found = (search: ListSearch) => selectPage(ITEMS, search, NOW).items.map(({ id }) => id);

test.each<[string, ListSearch, string[]]>([
  ['nothing asked: as the server gave them', {}, ['c', 'b', 'a']],
  ['words of title and author in any order, ё as е', { searchQuery: 'лаптева ЗАКОНЫ' }, ['a']],
  ['a subject by its name', { searchQuery: 'математ' }, ['b']],
  ['a subject', { subject: 'math' }, ['b']],
  ['a difficulty', { difficulty: 'medium' }, ['c', 'a']],
  ['a status', { status: 'passed' }, ['a']],
  ['filters together', { difficulty: 'medium', status: 'available' }, ['c']],
  ['by name, numbers as numbers', { sortOrder: 'name' }, ['a', 'b', 'c']],
  ['by deadline, what never closes last', { sortOrder: 'deadline' }, ['a', 'c', 'b']],
  ['by points', { sortOrder: 'points' }, ['a', 'b', 'c']],
  ['what is not there', { searchQuery: 'химия' }, []],
])('%s', (_, search, ids) => {
  expect(found(search)).toEqual(ids);
});

test('a running test comes first in every order', () => {
  const running = { userTestId: 'x', deadline: '2026-05-22T07:20:00Z', leftTestTime: '00:20:00' };
  const items = [
    ...ITEMS,
    { ...base, id: 'z', title: 'Я', status: 'inProgress' as const, running },
  ];
  for (const sortOrder of ['new', 'name', 'deadline', 'points'] as const) {
    expect(selectPage(items, { sortOrder }, NOW).items[0]?.id).toBe('z');
  }
});

test('pages of twenty, with the total count', () => {
  const many = Array.from({ length: 45 }, (_, index) => ({ ...base, id: String(index) }));
  const last = selectPage(many, { page: 3 }, NOW);
  expect([last.items.length, last.total]).toEqual([5, 45]);
  expect(selectPage(many, { page: 4 }, NOW)).toEqual({ items: [], total: 45 });
});
