import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

test('the oldest entry is evicted only for a new key', () => {
  const map = new BoundedMap<number>(2);
  map.set('a', 1).set('b', 2).set('a', 3);
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  map.set('c', 4);
  expect([...map.keys()]).toEqual(['b', 'c']);
});
