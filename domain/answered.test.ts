import { expect, test } from 'vitest';
import { isAnswered } from './answered.ts';

test('without an answer nothing is answered', () => {
  expect(isAnswered(null)).toBe(false);
  expect(isAnswered(undefined)).toBe(false);
});
