import { expect, test } from 'vitest';
import { neutralised, typed } from './cells.ts';

test.each([
  '=1+1',
  '+7 (495) 1',
  '-A1',
  '@SUM(A1)',
  "'=x",
  "''=x",
  '＝1',
  "'слово'",
  '-5',
  '=',
  '+3,5',
])('no spreadsheet runs %j, and it is read back as it was', (text) => {
  const cell = neutralised(text);
  expect(typed(cell)).toBe(text);
  expect(/^[=@＝]|^[+-](?![\d.,]+$)/.test(cell)).toBe(false);
});
