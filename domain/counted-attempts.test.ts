import { expect, test } from 'vitest';
import { countedAttempts } from './counted-attempts.ts';

const attempts = [
  { attemptId: 'first', points: 3 },
  { attemptId: 'second', points: 7.5 },
  { attemptId: 'third', points: 7.5 },
];

test.each([
  ['best', ['second']],
  ['last', ['third']],
  ['average', ['first', 'second', 'third']],
] as const)('with the rule %s the mark is made by %j', (rule, expected) => {
  expect(countedAttempts(attempts, rule)).toEqual(expected);
  expect(countedAttempts([], rule)).toEqual([]);
});
