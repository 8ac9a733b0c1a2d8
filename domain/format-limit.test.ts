import { expect, test } from 'vitest';
import { cutMessage, fitText } from './format-limit.ts';

/** The text after `inserted` has replaced the part between the bars of `before`: «a|b|c» or «ab|c». */
function insert(before: string, inserted: string, limit: number) {
  const [head = '', second = '', third] = before.split('|');
  const [selected, tail] = third === undefined ? ['', second] : [second, third];
  const typed = head + inserted + tail;
  return fitText(head + selected + tail, typed, head.length + inserted.length, limit);
}

test.each([
  ['abc|', 'd', 4, 'abcd'],
  ['abcd|', 'e', 4, 'abcd'],
  ['ab|cd', 'XY', 5, 'abXcd'],
  ['a|bc|d', 'bXYZ', 5, 'abXYd'],
  ['|abcd', 'abcd', 6, 'ababcd'],
  ['ab|', 'одна\nдве', 6, 'abодна'],
])('%j with %j in %i characters: %j', (before, inserted, limit, expected) => {
  expect(insert(before, inserted, limit).text).toBe(expected);
});

test.each([
  ['a pair of surrogates', 'abc|', '😀', 4, 'abc'],
  ['a letter with its accent', 'a|', 'и\u0306', 2, 'a'],
  ['a family', 'a|', '👨\u200D👩\u200D👧', 6, 'a'],
  ['a flag', 'a|', '🇷🇺', 3, 'a'],
  ['a thumb with its colour', '|', 'да👍🏽', 5, 'да'],
  ['an emoji beside one with the same first half', '|😀|', '😁😁😁', 2, '😁'],
  ['an emoji put over one with the same first half', 'a|😀|b', '😁😂', 3, 'ab'],
])('%s is inserted as a whole or not at all', (_, before, inserted, limit, expected) => {
  const fitted = insert(before, inserted, limit);
  expect(fitted.text).toBe(expected);
  expect(fitted.caret).toBeLessThanOrEqual(fitted.text.length);
  expect(cutMessage(fitted, limit)).not.toBe('');
});

test('what stood before is never cut, however long it is already', () => {
  expect(insert('abcdef|', 'g', 4).text).toBe('abcdef');
  expect(insert('ab|cdef', 'XYZ', 4).text).toBe('abcdef');
  // Deleting in it is possible.
  expect(fitText('abcdef', 'abcef', 3, 4).text).toBe('abcef');
});
