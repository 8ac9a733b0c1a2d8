import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom, shuffled } from './seeded-random.ts';

const OPTIONS = ['Ньютон', 'Паскаль', 'Джоуль', 'Ватт', 'Герц', 'Кулон'];

// Orders that students have already seen must not change.
test('the order of a seed never changes', () => {
  expect(shuffled(OPTIONS, 'попытка-1')).toEqual([
    'Ньютон',
    'Паскаль',
    'Кулон',
    'Герц',
    'Ватт',
    'Джоуль',
  ]);
  const random = seededRandom('попытка-1');
  expect([random(), random(), random()]).toEqual([
    0.4879279974848032, 0.6632302012294531, 0.8439389537088573,
  ]);
});

test('the same seed gives the same order, another seed another one', () => {
  const orders = Array.from({ length: 50 }, (_, n) => shuffled(OPTIONS, `seed-${n}`).join());
  expect(Array.from({ length: 50 }, (_, n) => shuffled(OPTIONS, `seed-${n}`).join())).toEqual(
    orders,
  );
  expect(new Set(orders).size).toBeGreaterThan(40);
});

test('every place is as likely for every item', () => {
  const firsts = new Map<string, number>();
  for (let n = 0; n < 3_000; n += 1) {
    const first = shuffled(['а', 'б', 'в'], `ученик ${n}`)[0] ?? '';
    firsts.set(first, (firsts.get(first) ?? 0) + 1);
  }
  expect([...firsts.keys()].toSorted()).toEqual(['а', 'б', 'в']);
  for (const count of firsts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120);
});

test('nothing is lost or duplicated, and the given list stays as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 20 }), fc.string(), (items, seed) => {
      const before = [...items];
      expect(shuffled(items, seed).toSorted()).toEqual(items.toSorted());
      expect(items).toEqual(before);
    }),
  );
});

test('numbers are at least 0 and below 1', () => {
  fc.assert(
    fc.property(fc.string(), (seed) => {
      const number = seededRandom(seed)();
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThan(1);
    }),
  );
});
