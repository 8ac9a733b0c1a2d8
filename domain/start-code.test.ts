import { expect, test } from 'vitest';
import { isWholeStartCode, showStartCode } from './start-code.ts';

test('a start code is shown in three groups of four', () => {
  expect(showStartCode('HK4M7TX2P9C3')).toBe('HK4M 7TX2 P9C3');
});

test('a code typed in Russian letters, in small ones and with dashes is complete', () => {
  expect(isWholeStartCode('нк4м-7тх2 p9с3')).toBe(true);
});

test.each([
  ['too short', 'HK4M 7TX2 P9C'],
  ['too long', 'HK4M 7TX2 P9C3 H'],
  ['with a sign that no code has', 'HK4M 7TX2 P9CA'],
  ['empty', ''],
])('a code %s is not complete', (_, typed) => {
  expect(isWholeStartCode(typed)).toBe(false);
});
