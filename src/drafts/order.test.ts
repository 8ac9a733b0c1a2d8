import { expect, test } from 'vitest';
import { mergeOrder, withVariantsTogether } from './order.ts';
import { idsOf } from './same.ts';
import { idOf, list, question } from './testing.ts';

const variant = (number: number, of: string) => ({ ...question(number), variantOf: of });
const merged = (base: string, mine: string, theirs: string, without = '') =>
  mergeOrder(
    base.split(''),
    mine.split(''),
    theirs.split(''),
    new Set(`${mine}${theirs}`.split('').filter((id) => !without.includes(id))),
  ).join('');

test.each([
  ['abcd', 'abcd', 'dcba', '', 'dcba'],
  ['abcd', 'dabc', 'abcd', '', 'dabc'],
  ['abcd', 'abxcd', 'abcd', '', 'abxcd'],
  ['abcd', 'xabcd', 'abcd', '', 'xabcd'],
  ['abcd', 'abcdx', 'abcdy', '', 'abcdxy'],
  ['abcd', 'abcd', 'abcd', 'b', 'acd'],
  ['abcd', 'abxcd', 'abcd', 'b', 'axcd'],
  ['abcd', 'axcd', 'abcd', 'x', 'abcd'],
  ['abcdef', 'fbacde', 'abcdef', '', 'fbacde'],
  ['abcdef', 'cdefab', 'abcdef', '', 'cdefab'],
  ['', 'xy', 'ab', '', 'xyab'],
  ['', '', 'ab', '', 'ab'],
  ['abcd', '', 'abcd', '', 'abcd'],
  ['ab', 'ab', '', '', 'ab'],
])(
  'from %s, with %s here and %s there and without «%s», the order is %s',
  (base, mine, theirs, without, order) => {
    expect(merged(base, mine, theirs, without)).toBe(order);
  },
);

test('alternatives stand together, each group at its first question', () => {
  const mixed = [variant(1, 'g'), question(2), variant(3, 'g'), variant(4, 'h'), variant(5, 'h')];
  expect(idsOf(withVariantsTogether(mixed))).toEqual([1, 3, 2, 4, 5].map(idOf));
});

test('a list in which alternatives stand together stays the same object', () => {
  const alone = list(1, 2, 3);
  expect(withVariantsTogether(alone)).toBe(alone);
  const grouped = [variant(1, 'g'), variant(2, 'g'), question(3)];
  expect(withVariantsTogether(grouped)).toBe(grouped);
});
