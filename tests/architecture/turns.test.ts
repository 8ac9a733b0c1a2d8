import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BROWSER_TURNS, filesOfOtherRuns, SLOW_TURNS } from '#tests/turns.ts';
import { FILE_TURNS } from '#tests/whole.ts';

test.each([
  ['browser tests', BROWSER_TURNS],
  ['slow files', SLOW_TURNS],
])('each file of the %s that takes turns exists, and runs once in so many turns', (_, turns) => {
  const files = turns.flat();
  expect(turns).toHaveLength(FILE_TURNS);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
  for (const [turn, own] of turns.entries()) {
    const others = files.filter((file) => !own.includes(file));
    expect(filesOfOtherRuns(turns, turn)).toEqual(others);
    expect(filesOfOtherRuns(turns, turn + FILE_TURNS)).toEqual(others);
  }
});

test('no file waits in a whole run', () => {
  expect(filesOfOtherRuns(BROWSER_TURNS, null)).toEqual([]);
});
