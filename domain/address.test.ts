import { describe, expect, test } from 'vitest';
import { AddressText, createListAddress, orNothing } from './address.ts';

const { read } = createListAddress({ tag: orNothing(AddressText) });

describe('a URL', () => {
  test('retains valid parameters and converts numbers and booleans of the router back to text', () => {
    expect(read({ searchQuery: 9, tag: true, page: 3 })).toEqual({
      searchQuery: '9',
      tag: 'true',
      page: 3,
    });
  });

  test.each([
    [{ searchQuery: '   ' }],
    [{ searchQuery: 'я'.repeat(201) }],
    [{ searchQuery: ['а'] }],
    [{ page: 1 }],
    [{ page: -2 }],
    [{ page: 'два' }],
    [{ unknown: 1 }],
  ])('with a value that cannot be is as if it were not there: %j', (given) => {
    expect(read(given)).toStrictEqual({});
  });
});

describe('a list', () => {
  const address = createListAddress(
    { tag: orNothing(AddressText), bankOf: orNothing(AddressText), sort: orNothing(AddressText) },
    ['bankOf'],
  );

  test('is narrowed by its search and its filters, not by page, order and what chooses the list', () => {
    expect(address.isNarrowed({ bankOf: 'а', sort: 'name', page: 2 })).toBe(false);
    expect(address.isNarrowed({ searchQuery: 'а' })).toBe(true);
    expect(address.isNarrowed({ tag: 'а' })).toBe(true);
  });

  test('is widened to all that the chosen list has, in its order, from the first page', () => {
    const search = { searchQuery: 'а', tag: 'б', bankOf: 'в', sort: 'name', page: 2 };
    expect(address.widen(search)).toStrictEqual({ bankOf: 'в', sort: 'name' });
  });
});
