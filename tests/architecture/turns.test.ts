import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BROWSER_TURNS, filesOfOtherRuns, PROGRAM_TURNS } from '#tests/turns.ts';
import { FILE_TURNS } from '#tests/whole.ts';

test.each([
  ['browser tests', BROWSER_TURNS],
  ['programs', PROGRAM_TURNS],
])('each file of the %s that takes turns exists, and has its turn', (_, turns) => {
  const files = turns.flat(2);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
  for (const lists of turns)
    for (const [turn, own] of lists.entries()) {
      const others = filesOfOtherRuns([lists], turn);
      expect(others.toSorted()).toEqual(
        lists
          .flat()
          .filter((file) => !own.includes(file))
          .toSorted(),
      );
    }
});

test('numbers in sequence run every file, whole runs too', () => {
  const files = BROWSER_TURNS.flat(2);
  const turns = Array.from({ length: FILE_TURNS }, (_, turn) => turn);
  const waiting = turns.map((turn) => filesOfOtherRuns(BROWSER_TURNS, turn));
  expect(files.filter((file) => waiting.every((each) => each.includes(file)))).toEqual([]);
  expect(filesOfOtherRuns(BROWSER_TURNS, null)).toEqual([]);
});
