import { expect, test } from 'vitest';
import { attemptRank } from './part-rank.ts';

const sealKey = Buffer.alloc(32, 7);
const rank = attemptRank({ sealKey }, 'attempt');

test('the rank of a part is the same at every reading, and its own in each attempt, question and database', () => {
  const first = rank('question', 'a');
  expect(attemptRank({ sealKey }, 'attempt')('question', 'a')).toBe(first);
  const others = [
    rank('question', 'b'),
    rank('another', 'a'),
    attemptRank({ sealKey }, 'another')('question', 'a'),
    attemptRank({ sealKey: Buffer.alloc(32, 8) }, 'attempt')('question', 'a'),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
});
