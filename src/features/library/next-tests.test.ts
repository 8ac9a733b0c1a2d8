import { expect, test } from 'vitest';
import type { ListedTest } from './local-attempts.ts';
import { nextTests } from './next-tests.ts';

const base: ListedTest = {
  id: 'a',
  owner: 'О. В. Лаптева',
  title: 'Законы Ньютона',
  theme: 'physics',
  subject: 'Физика',
  difficulty: 'Средняя',
  startDate: null,
  endDate: null,
  totalPoints: 10,
  currentPoints: null,
  status: 'available',
  running: null,
  isHere: false,
  isQueued: false,
};
const ids = (items: ListedTest[]) => nextTests(items).map(({ id }) => id);

test('running tests come first, then by closing date; those that never close are last', () => {
  const running = { userTestId: 'x', deadline: '2026-05-22T07:20:00Z', leftTestTime: '00:20:00' };
  expect(
    ids([
      { ...base, id: 'never' },
      { ...base, id: 'later', endDate: '2026-05-25T07:00:00Z' },
      { ...base, id: 'sooner', endDate: '2026-05-24T07:00:00Z' },
      { ...base, id: 'runs', status: 'inProgress', running },
    ]),
  ).toEqual(['runs', 'sooner', 'later', 'never']);
});

test.each(['scheduled', 'passed', 'pendingReview', 'overdue', 'closed'] as const)(
  'a test that is %s is not next',
  (status) => {
    expect(ids([{ ...base, status }])).toEqual([]);
  },
);

test('a test with an unsent finish is left out, and at most five are listed', () => {
  expect(ids([{ ...base, status: 'inProgress', isQueued: true }])).toEqual([]);
  expect(ids(Array.from({ length: 7 }, (_, n) => ({ ...base, id: String(n) })))).toHaveLength(5);
});
