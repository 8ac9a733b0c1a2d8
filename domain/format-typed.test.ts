import { expect, test } from 'vitest';
import { toggleSign, withoutInvisible } from './format-typed.ts';

test.each([
  ['лес\u200B', 'лес'],
  ['\uFEFFлес', 'лес'],
  ['ле\u00ADс', 'лес'],
  ['\u202Aлес\u202C', 'лес'],
  ['ле\u034Fс\uFE0F', 'лес'],
  ['л\u200Dес', 'лес'],
  ['\u3164лес\u115F\u17B4\u180B\u{E0061}', 'лес'],
])('of %j the visible part is stored', (typed, stored) => {
  expect(withoutInvisible(typed)).toBe(stored);
});

test.each([
  '👨\u200D👩\u200D👧',
  '❤\uFE0F',
  '👁\uFE0F\u200D🗨',
  'می\u200Cخواهم',
  'क्\u200Dष',
  'лес и поле',
  '👩🏽\u200D🚀',
])('joiners in the emoji or the word %j remain', (typed) => {
  expect(withoutInvisible(typed)).toBe(typed);
});

test.each([
  ['', '−'],
  ['5', '−5'],
  ['−', ''],
  ['−5', '5'],
  ['-5', '5'],
  ['–5', '5'],
  ['—5', '5'],
  ['+5', '−5'],
  [' -5', ' 5'],
  ['−5-3', '5-3'],
  ['1/2', '−1/2'],
])('the other sign of %j is %j', (typed, toggled) => {
  expect(toggleSign(typed)).toBe(toggled);
});
