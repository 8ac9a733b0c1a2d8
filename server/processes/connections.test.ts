import { expect, test } from 'vitest';
import { connectionsEach } from './connections.ts';

test.each([
  [2, 20],
  [3, 20],
  [7, 8],
  [15, 4],
  [64, 4],
])('%i processes open up to %i connections each', (processes, each) => {
  expect(connectionsEach(processes)).toBe(each);
});
