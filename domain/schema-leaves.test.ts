import * as v from 'valibot';
import { expect, test } from 'vitest';
import { leavesOf, mapLeaves, pickNamed } from './schema-leaves.ts';

const Word = v.pipe(v.string(), v.maxLength(10));
const Other = v.pipe(v.string(), v.maxLength(10));
const Shape = v.object({
  word: Word,
  more: v.optional(Word),
  other: Other,
  list: v.array(v.object({ word: Word })),
  one: v.variant('kind', [
    v.object({ kind: v.picklist(['a', 'b']), word: Word }),
    v.object({ kind: v.literal('c'), list: v.array(Word) }),
  ]),
});
const value = {
  word: 'one',
  other: 'two',
  list: [{ word: 'three' }],
  one: { kind: 'b' as const, word: 'four' },
};
const upper = new Map([[Word, (word: string) => word.toUpperCase()]]);

test('leaves are found by the identity of their schema, at every depth', () => {
  expect(leavesOf(Shape, value, Word)).toEqual(['one', 'three', 'four']);
  expect(leavesOf(Shape, value, Other)).toEqual(['two']);
  const other = { ...value, more: 'five', one: { kind: 'c' as const, list: ['six', 'seven'] } };
  expect(leavesOf(Shape, other, Word)).toEqual(['one', 'five', 'three', 'six', 'seven']);
});

test('a copy is changed; all else stays, also what the schema does not name', () => {
  const given = { ...value, unnamed: 'eight' };
  expect(mapLeaves(Shape, given, upper)).toEqual({
    ...given,
    word: 'ONE',
    list: [{ word: 'THREE' }],
    one: { kind: 'b', word: 'FOUR' },
  });
  expect(given.word).toBe('one');
});

test('only what is named is picked, and nothing of an option that is not known', () => {
  const given = {
    ...value,
    unnamed: 'eight',
    list: [{ word: 'three', isRight: true }],
    one: { kind: 'b' as const, word: 'four', key: 'nine' },
  };
  expect(pickNamed(Shape, given)).toEqual(value);
  const unknown = { ...value, one: { kind: 'd', word: 'four', key: 'nine' } };
  expect(pickNamed(Shape, unknown as unknown as typeof value)).toEqual({ ...value, one: {} });
});
