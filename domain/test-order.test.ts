import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder, type Ordered } from './test-order.ts';

const NOW = 1_000;
const ORDERS = ['new', 'name', 'deadline', 'points'] as const;

const one = (id: string, more: Partial<Ordered> = {}): Ordered => ({
  id,
  name: 'Тест',
  newness: 0,
  closes: null,
  points: 0,
  runsUntil: null,
  ...more,
});

const ids = (tests: readonly Ordered[], order: (typeof ORDERS)[number]) =>
  inOrder(tests, order, NOW).map(({ id }) => id);

/** The result is the same for any input order. */
function expectOrder(order: (typeof ORDERS)[number], expected: readonly Ordered[]) {
  const wanted = expected.map(({ id }) => id);
  expect(ids(expected, order)).toEqual(wanted);
  expect(ids(expected.toReversed(), order)).toEqual(wanted);
}

test('by name as people read: «Тест 2» before «Тест 10», «Ёж» between «Еда» and «Ель»', () => {
  const named = ['Еда', 'Ёж', 'Ель', 'Тест 2', 'Тест 10'];
  // Points, age and deadlines are in the opposite order.
  expectOrder(
    'name',
    named.map((name, n) => one(`n${9 - n}`, { name, newness: n, points: n, closes: 9_000 - n })),
  );
});

test('the newest first', () => {
  expectOrder('new', [
    one('c', { newness: 30, name: 'В' }),
    one('b', { newness: 20, name: 'Б' }),
    one('a', { newness: 10, name: 'А' }),
  ]);
});

test('the most points first', () => {
  expectOrder('points', [
    one('c', { points: 30, name: 'В' }),
    one('b', { points: 20.5, name: 'Б' }),
    one('a', { points: 20, name: 'А' }),
  ]);
});

test('what closes sooner, then what never closes, then what is closed, the latest first', () => {
  expectOrder('deadline', [
    one('f', { closes: NOW + 1, name: 'Е' }),
    one('e', { closes: NOW + 2, name: 'Д' }),
    one('d', { closes: null, name: 'Г' }),
    // At this very moment it is closed already.
    one('c', { closes: NOW, name: 'В' }),
    one('b', { closes: NOW - 1, name: 'Б' }),
    one('a', { closes: NOW - 2, name: 'А' }),
  ]);
});

test.each(ORDERS)(
  'by %s running attempts come first, the most urgent before the others',
  (order) => {
    const last = { name: 'Яма', newness: 0, points: 0, closes: NOW - 9 };
    expectOrder(order, [
      one('d', { ...last, runsUntil: NOW + 1 }),
      one('c', { ...last, runsUntil: NOW + 2 }),
      one('b', { name: 'Азы', newness: 9, points: 9, closes: NOW + 9 }),
    ]);
  },
);

test.each(['new', 'deadline', 'points'] as const)('by %s ties are sorted by name', (order) => {
  expectOrder(order, [one('b', { name: 'Азы' }), one('a', { name: 'Буки' })]);
});

test.each(ORDERS)('by %s namesakes always have the same order', (order) => {
  expectOrder(order, [one('a'), one('b'), one('c'), one('d')]);
});

test('nothing is lost, and the given list stays as it was', () => {
  const some = fc.record({
    id: fc.uuid(),
    name: fc.constantFrom('Ёж', 'Еда', 'Тест 2', 'Тест 10'),
    newness: fc.nat(5),
    closes: fc.option(fc.integer({ min: NOW - 2, max: NOW + 2 })),
    points: fc.nat(3),
    runsUntil: fc.option(fc.nat(2)),
  });
  const list = fc.uniqueArray(some, { selector: ({ id }) => id, maxLength: 12 });
  fc.assert(
    fc.property(list, fc.constantFrom(...ORDERS), (tests, order) => {
      const before = [...tests];
      const sorted = inOrder(tests, order, NOW);
      expect(tests).toEqual(before);
      expect(new Set(sorted)).toEqual(new Set(tests));
      expect(inOrder(tests.toReversed(), order, NOW)).toEqual(sorted);
    }),
  );
});
