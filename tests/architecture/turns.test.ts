import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BROWSER_TURNS, filesOfOtherRuns, OFTEN_TURNS, SLOW_TURNS } from '#tests/turns.ts';
import { FILE_TURNS } from '#tests/whole.ts';

test.each([
  ['browser tests', BROWSER_TURNS, FILE_TURNS],
  ['slow files', SLOW_TURNS, FILE_TURNS],
  ['long files', OFTEN_TURNS, 3],
])(
  'each file of the %s that takes turns exists, and runs once in so many turns',
  (_, turns, count) => {
    const files = turns.flat();
    expect(turns).toHaveLength(count);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
    for (const [turn, own] of turns.entries()) {
      const others = files.filter((file) => !own.includes(file));
      expect(filesOfOtherRuns(turns, turn)).toEqual(others);
      expect(filesOfOtherRuns(turns, turn + count)).toEqual(others);
    }
  },
);

test('no file waits in a whole run', () => {
  expect(filesOfOtherRuns(BROWSER_TURNS, null)).toEqual([]);
});
