import { expect, test } from 'vitest';
import { bankAddress, changedBank } from './bank-address.ts';
import { bankSearch } from './bank-search.ts';

test('invalid parameters are dropped', () => {
  expect(
    bankSearch({
      searchQuery: 9,
      theme: 'alchemy',
      topic: '  ',
      difficulty: 'easy',
      kind: 'poem',
      tag: 2026,
      sort: 'new',
      page: 'x',
      other: 1,
    }),
  ).toEqual({ searchQuery: '9', difficulty: 'easy', tag: '2026' });
  expect(bankSearch({ topic: 'x'.repeat(201), tag: 'x'.repeat(51), page: 1 })).toEqual({});
});

test('a change returns to the first page, another subject resets the topics', () => {
  const search = { theme: 'physics', topic: 'Оптика', tag: 'ЕГЭ', page: 3 } as const;
  expect(changedBank(search, { page: 4 })).toEqual({ ...search, page: 4 });
  expect(changedBank(search, { tag: '' })).toEqual({ theme: 'physics', topic: 'Оптика' });
  expect(changedBank(search, { theme: 'math' })).toEqual({ theme: 'math', tag: 'ЕГЭ' });
});

test('an order and the bank of a colleague do not count as narrowing', () => {
  const bankOf = '01990000-0000-7000-8000-000000000001';
  expect(bankAddress.isNarrowed({ bankOf })).toBe(false);
  expect(bankAddress.widen({ bankOf, kind: 'open', sort: 'uses' })).toEqual({
    bankOf,
    sort: 'uses',
  });
  expect(bankAddress.isNarrowed({ sort: 'uses', page: 2 })).toBe(false);
  expect(bankAddress.isNarrowed({ kind: 'open' })).toBe(true);
});
