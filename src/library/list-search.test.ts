import { expect, test } from 'vitest';
import { changed, isNarrowed, listSearch } from './list-search.ts';

const whole = {
  searchQuery: 'законы ньютона',
  subject: 'physics',
  difficulty: 'hard',
  status: 'available',
  sortOrder: 'deadline',
  page: 3,
} as const;

test('everything of a list is read from its URL', () => {
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
])('of a URL with %s nothing is kept', (_, given) => {
  expect(listSearch(given)).toEqual({});
});

test('a wrong value leaves the right ones beside it', () => {
  expect(listSearch({ subject: 'physics', page: -1 })).toEqual({ subject: 'physics' });
});

test('a search that reads as a number or a boolean is the text it was', () => {
  expect(listSearch({ searchQuery: 2027 })).toEqual({ searchQuery: '2027' });
  expect(listSearch({ searchQuery: true })).toEqual({ searchQuery: 'true' });
});

test('a change of a filter leads to the first page and keeps the rest', () => {
  const { page: _, ...rest } = whole;
  expect(changed(whole, { subject: 'math' })).toEqual({ ...rest, subject: 'math' });
  expect(changed(whole, { page: 4 })).toEqual({ ...whole, page: 4 });
  expect(changed({ page: 2 }, { page: 1 })).toEqual({});
});

test('a filter set back to its neutral choice leaves the URL', () => {
  expect(changed({ subject: 'math', status: 'passed' }, { subject: '' })).toEqual({
    status: 'passed',
  });
});

test('search and filters narrow a list, order and page do not', () => {
  expect(isNarrowed({ sortOrder: 'name', page: 2 })).toBe(false);
  expect(isNarrowed({ searchQuery: 'а' })).toBe(true);
  expect(isNarrowed({ status: 'passed' })).toBe(true);
});
