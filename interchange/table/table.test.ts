import { expect, test } from 'vitest';
import { escapeText, unescapeFormula } from '#domain/csv.ts';

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
  const cell = escapeText(text);
  expect(unescapeFormula(cell)).toBe(text);
  expect(/^[=@＝]|^[+-](?![\d.,]+$)/.test(cell)).toBe(false);
});
