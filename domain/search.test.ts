import { expect, test } from 'vitest';
import { plainWords, searchWords } from './search.ts';

test.each([
  ['  Ёлка  и\tЁЖ ', 'елка и еж'],
  // As phones and macOS write й: a letter and a mark.
  ['Чай', 'чай'],
])('«%s» is looked for as «%s»', (text, plain) => {
  expect(plainWords(text)).toBe(plain);
});

test('what was typed is looked for word by word; nothing typed asks for no word', () => {
  expect(searchWords(' Законы  НЬЮТОНА ')).toEqual(['законы', 'ньютона']);
  expect(searchWords('  ')).toEqual([]);
});
