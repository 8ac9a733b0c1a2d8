import { expect, test } from 'vitest';
import { lastPage, offeredPages, formatRange } from './pages.ts';

test.each([
  [1, 1, [1]],
  [1, 2, [1, 2]],
  [1, 7, [1, 2, -7, 7]],
  [3, 7, [1, 2, 3, 4, -7, 7]],
  [4, 7, [1, 2, 3, 4, 5, 6, 7]],
  [5, 9, [1, -4, 4, 5, 6, -9, 9]],
  [9, 9, [1, -8, 8, 9]],
])('on page %i of %i the ends and the neighbours are offered', (page, last, offered) => {
  expect(offeredPages(page, last)).toEqual(offered);
});

test('a gap never hides a single page', () => {
  for (let last = 1; last <= 12; last += 1) {
    for (let page = 1; page <= last; page += 1) {
      const offered = offeredPages(page, last);
      offered.forEach((one, index) => {
        if (one > 0) return;
        const hidden = (offered[index + 1] ?? 0) - (offered[index - 1] ?? 0) - 1;
        expect(hidden).toBeGreaterThan(1);
      });
    }
  }
});

test('formats the shown part as a range', () => {
  const of = (page: number, total: number) => formatRange({ page, pageSize: 20, total });
  expect(of(2, 130)).toBe('21–40 из 130');
  expect(of(7, 130)).toBe('121–130 из 130');
  expect(of(2, 21)).toBe('21 из 21');
});

test('an empty list has one page', () => {
  expect([0, 20, 21].map((total) => lastPage({ total, pageSize: 20 }))).toEqual([1, 1, 2]);
});
