import { expect, test } from 'vitest';
import { changed, listAddress, listSearch } from './list-search.ts';

const whole = {
  searchQuery: 'законы ньютона',
  subject: 'physics',
  difficulty: 'hard',
  status: 'available',
  sortOrder: 'deadline',
  page: 3,
} as const;

test('all parameters of a list are parsed from its URL', () => {
  expect(listSearch(whole)).toEqual(whole);
});

test.each([
  ['nothing', {}],
  ['what is so by default', { searchQuery: ' ', sortOrder: 'new', page: 1 }],
  ['what cannot be', { subject: 'магия', difficulty: 7, status: 'draft', sortOrder: 'rating' }],
  ['pages that are none', { page: 0 }],
  ['a part of a page', { page: 2.5 }],
  ['a page that is a word', { page: 'вторая' }],
  ['too large a page', { page: 1e300 }],
  ['lists and objects', { searchQuery: ['а', 'б'], subject: { physics: true }, page: [2] }],
  ['null', { searchQuery: null, page: null }],
  ['too long a search', { searchQuery: 'ы'.repeat(201) }],
  ['what belongs to others', { redirect_path: '/tests' }],
])('a URL with %s yields no parameters', (_, given) => {
  expect(listSearch(given)).toEqual({});
});

test('an invalid value does not discard the valid ones', () => {
  expect(listSearch({ subject: 'physics', page: -1 })).toEqual({ subject: 'physics' });
});

test('a search text that looks like a number or a boolean stays text', () => {
  expect(listSearch({ searchQuery: 2027 })).toEqual({ searchQuery: '2027' });
  expect(listSearch({ searchQuery: true })).toEqual({ searchQuery: 'true' });
});

test('changing a filter returns to the first page and retains other parameters', () => {
  const { page: _, ...rest } = whole;
  expect(changed(whole, { subject: 'math' })).toEqual({ ...rest, subject: 'math' });
  expect(changed(whole, { page: 4 })).toEqual({ ...whole, page: 4 });
  expect(changed({ page: 2 }, { page: 1 })).toEqual({});
});

test('a filter reset to its default is removed from the URL', () => {
  expect(changed({ subject: 'math', status: 'passed' }, { subject: '' })).toEqual({
    status: 'passed',
  });
});

test('search and filters count as narrowing, order and page do not', () => {
  expect(listAddress.isNarrowed({ sortOrder: 'name', page: 2 })).toBe(false);
  expect(listAddress.isNarrowed({ searchQuery: 'а' })).toBe(true);
  expect(listAddress.isNarrowed({ status: 'passed' })).toBe(true);
});
