import { expect, test } from 'vitest';
import {
  addPair,
  extraItems,
  movePair,
  pairRows,
  pairUp,
  removePair,
  removeRight,
  shareRight,
  withReuse,
  withRight,
} from './pairs.ts';
import type { Of } from '#app/questions/form/parts.ts';

const question: Of<'compliance'> = {
  questionId: 'q',
  kind: 'compliance',
  text: 'Единицы',
  points: 1,
  shuffle: true,
  left: ['1', '2', '3'].map((leftId) => ({ leftId, text: `слева ${leftId}` })),
  right: ['a', 'b', 'x'].map((rightId) => ({ rightId, text: rightId })),
  pairs: [
    { leftId: '1', rightId: 'a' },
    { leftId: '2', rightId: 'b' },
  ],
};
const sides = (of: Of<'compliance'>) =>
  pairRows(of).map(({ left, right }) => [left.id, right?.id ?? null]);

test('each left item is paired with its right one, the rest are extra', () => {
  expect(sides(question)).toEqual([
    ['1', 'a'],
    ['2', 'b'],
    ['3', null],
  ]);
  expect(extraItems(question).map(({ id }) => id)).toEqual(['x']);
});

test('text typed beside an unpaired left item becomes its pair', () => {
  const paired = pairUp(question, '3', 'c', 'паскаль');
  expect(sides(paired).at(2)).toEqual(['3', 'c']);
  expect(withRight(paired, 'c', 'ватт').right.at(-1)).toEqual({ rightId: 'c', text: 'ватт' });
});

test('a new pair is inserted before the extra items', () => {
  const more = addPair(question, '4', 'd');
  expect(more.right.map(({ rightId }) => rightId)).toEqual(['a', 'b', 'd', 'x']);
  expect(sides(more).at(3)).toEqual(['4', 'd']);
});

test('removing a pair removes its right item unless another left item needs it', () => {
  const gone = removePair(question, '1');
  expect(gone.right.map(({ rightId }) => rightId)).toEqual(['b', 'x']);
  const shared = { ...question, pairs: [...question.pairs, { leftId: '3', rightId: 'a' }] };
  expect(removePair(shared, '1').right).toEqual(question.right);
  expect(removeRight(question, 'x').right).toHaveLength(2);
});

test('a left item reuses the right one of another pair; its own stays as an extra unless empty', () => {
  const shared = shareRight(question, '2', 'a');
  expect(sides(shared).slice(0, 2)).toEqual([
    ['1', 'a'],
    ['2', 'a'],
  ]);
  expect(pairRows(shared).map(({ sharedWith }) => sharedWith)).toEqual([[2], [1], []]);
  expect(extraItems(shared).map(({ id }) => id)).toEqual(['b', 'x']);
  expect(shared.reuse).toBe(true);
  const empty = shareRight(withRight(question, 'b', ' '), '2', 'x');
  expect(empty.right.map(({ rightId }) => rightId)).toEqual(['a', 'x']);
});

test('a left item that shares its right one gets one of its own back', () => {
  const own = pairUp(shareRight(question, '2', 'a'), '2', 'c', '');
  expect(sides(own).slice(0, 2)).toEqual([
    ['1', 'a'],
    ['2', 'c'],
  ]);
  expect(withReuse(own, false)).not.toHaveProperty('reuse');
});

test('moved pairs stay pairs', () => {
  const moved = movePair(question, 1, 0);
  expect(sides(moved).slice(0, 2)).toEqual([
    ['2', 'b'],
    ['1', 'a'],
  ]);
});
