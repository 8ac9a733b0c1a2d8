import { expect, test } from 'vitest';
import { searchableText, searchTerms } from './search.ts';

test.each([
  ['  Ёлка  и\tЁЖ ', 'елка и еж'],
  // й as phones and macOS write it: a letter and a combining mark.
  ['Чай', 'чай'],
])('«%s» is looked for as «%s»', (text, plain) => {
  expect(searchableText(text)).toBe(plain);
});

test('a text is searched word by word; an empty one matches everything', () => {
  expect(searchTerms(' Законы  НЬЮТОНА ')).toEqual(['законы', 'ньютона']);
  expect(searchTerms('  ')).toEqual([]);
});
