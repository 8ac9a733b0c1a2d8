import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWholeOrder, orderShare } from './ordering.ts';

const letters = (text: string) => text.split('');
const items = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), {
  minLength: 2,
  maxLength: 12,
});
const orders = items.chain((right) =>
  fc.tuple(
    fc.constant(right),
    fc.shuffledSubarray(right, { minLength: right.length, maxLength: right.length }),
  ),
);

describe('the order of items', () => {
  test.each([
    ['right', 'abcde', 1],
    ['reversed', 'edcba', 0],
    ['the first item last', 'bcdea', 0.75],
    ['the last item first', 'eabcd', 0.75],
    ['two neighbours swapped in the middle', 'acbde', 0.25],
    ['two halves swapped', 'deabc', 0.75],
    ['an item missing', 'abcd', 0],
    ['an item twice', 'abcdd', 0],
    ['an unknown item', 'abcdx', 0],
    ['nothing', '', 0],
  ])('%s', (_, given, share) => {
    expect(orderShare(letters(given), letters('abcde'))).toBe(share);
  });

  test('a question of one item has no order to score', () => {
    expect(orderShare(['a'], ['a'])).toBe(0);
  });

  test('only all items, each once, are an order', () => {
    fc.assert(
      fc.property(orders, ([right, given]) => {
        expect(isWholeOrder(given, right)).toBe(true);
        expect(isWholeOrder(given.slice(1), right)).toBe(false);
        expect(isWholeOrder([...given, ...given.slice(0, 1)], right)).toBe(false);
        expect(isWholeOrder([...given.slice(1, 2), ...given.slice(1)], right)).toBe(false);
        expect(isWholeOrder([`${given.join('')}?`, ...given.slice(1)], right)).toBe(false);
      }),
    );
  });

  test('the share lies between 0 and 1, and is 1 for the right order alone', () => {
    fc.assert(
      fc.property(orders, ([right, given]) => {
        const share = orderShare(given, right);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
        expect(share === 1).toBe(right.every((id, index) => given[index] === id));
      }),
    );
  });

  test('names of the items do not matter', () => {
    fc.assert(
      fc.property(orders, ([right, given]) => {
        const renamed = (ids: readonly string[]) => ids.map((id) => `${right.indexOf(id)}`);
        expect(orderShare(renamed(given), renamed(right))).toBe(orderShare(given, right));
      }),
    );
  });
});
