import { expect, test } from 'vitest';
import { changed, adminProjectSearch, projectSearch } from './project-search.ts';

test('the order is under `sort`, and invalid values are dropped', () => {
  for (const sort of ['new', 'high_rating', 'high_views', 'name']) {
    expect(projectSearch({ sort })).toEqual({ sort });
  }
  expect(projectSearch({ sort: 'worst', page: 0, searchQuery: ' ', state: 'hidden' })).toEqual({});
  expect(projectSearch({ searchQuery: 9, page: 2 })).toEqual({ searchQuery: '9', page: 2 });
});

test('administrators can filter by state too', () => {
  expect(adminProjectSearch({ state: 'hidden' })).toEqual({ state: 'hidden' });
  expect(adminProjectSearch({ state: 'all' })).toEqual({});
});

test('a change of search or order returns to the first page, a page change does not', () => {
  const search = { sort: 'name', searchQuery: 'орбита', page: 3 } as const;
  expect(changed(search, { searchQuery: '' })).toEqual({ sort: 'name' });
  expect(changed(search, { sort: 'new' })).toEqual({ sort: 'new', searchQuery: 'орбита' });
  expect(changed(search, { page: 2 })).toEqual({ ...search, page: 2 });
});
