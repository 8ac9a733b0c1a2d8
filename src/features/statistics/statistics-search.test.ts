import { expect, test } from 'vitest';
import { changed, statisticsSearch } from './statistics-search.ts';

const GROUP = '01976d3e-0000-7000-8000-000000000001';

test.each([
  [{}, {}],
  [
    { groupId: GROUP, attempts: 'counted', page: 3 },
    { groupId: GROUP, attempts: 'counted', page: 3 },
  ],
  [{ trials: 1 }, { trials: '1' }],
  [{ trials: 'yes' }, {}],
  [
    { searchQuery: 7, descending: 1 },
    { searchQuery: '7', descending: '1' },
  ],
  [{ groupId: 'x', attempts: 'all', sortOrder: 'height', page: -1, other: 'y' }, {}],
  [{ sortOrder: 'name', page: 1, searchQuery: ' ' }, {}],
])('of the URL %j what makes sense is %j', (given, read) => {
  expect(statisticsSearch(given)).toEqual(read);
});

test('a change returns to the first page, and «all» is removed from the URL', () => {
  const search = { groupId: GROUP, page: 4, sortOrder: 'points' } as const;
  expect(changed(search, { groupId: undefined })).toEqual({ sortOrder: 'points' });
  expect(changed(search, { page: 5 })).toEqual({ groupId: GROUP, sortOrder: 'points', page: 5 });
});
