import { describe, expect, test } from 'vitest';
import { AddressText, createListAddress, orNothing } from './address.ts';

const { read } = createListAddress({ tag: orNothing(AddressText) });

describe('a URL', () => {
  test('keeps its valid parameters, and what the router read as a number or a boolean is text again', () => {
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
