import { expect, test } from 'vitest';
import { JOIN_CODE_SIGNS, readJoinCode, showJoinCode } from './join-codes.ts';

test.each([
  ['HK4M-7TX2', 'HK4M7TX2'],
  ['hk4m7tx2', 'HK4M7TX2'],
  // On a Russian keyboard: the letters that look the same.
  ['нк4м-7тх2', 'HK4M7TX2'],
  ['НК4М 7ТХ2', 'HK4M7TX2'],
  ['  HK4M — 7TX2 ', 'HK4M7TX2'],
  ['р9-с8', 'P9C8'],
  ['З', '3'],
  ['🙂\u202eHK', 'HK'],
  ['----', ''],
])('«%s» means %s', (typed, code) => {
  expect(readJoinCode(typed)).toBe(code);
});

test('a code is read back as it is shown', () => {
  expect(showJoinCode('HK4M7TX2')).toBe('HK4M-7TX2');
  expect(readJoinCode(showJoinCode('HK4M7TX2'))).toBe('HK4M7TX2');
});

test('no two characters of a code can be confused, in either alphabet, and none makes words', () => {
  const signs = JOIN_CODE_SIGNS.split('');
  expect(new Set(signs).size).toBe(signs.length);
  for (const lookalike of '01OILSZBGAEUY') expect(signs).not.toContain(lookalike);
  expect(signs.map((sign) => readJoinCode(sign))).toEqual(signs);
});
