import { expect, test } from 'vitest';
import { PROJECT_ORDER_CHOICES } from './labels-projects.ts';

test('orders of projects are named, the default first', () => {
  expect(PROJECT_ORDER_CHOICES).toEqual([
    { value: 'new', label: 'Сначала новые' },
    { value: 'high_rating', label: 'По оценке' },
    { value: 'high_views', label: 'Популярные' },
    { value: 'name', label: 'По названию' },
  ]);
});
