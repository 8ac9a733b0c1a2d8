import { expect, test } from 'vitest';
import { isContent } from './content.ts';

const kept = (path: string) => isContent(new URL(path, 'https://school.test'));

test.each([
  '/api/Test',
  '/api/Test?subject=physics&page=2&pageSize=20',
  '/api/Test/my',
  '/api/Test/passed?pageSize=20',
  '/api/Test/t1/short',
  '/api/Test/results/a1',
])('%s is kept for a time without a network', (path) => {
  expect(kept(path)).toBe(true);
});

test.each([
  '/api/Test?searchQuery=ньютон',
  '/api/Test/t1',
  '/api/Test/created',
  '/api/Test/results/a1/preview',
  '/api/user/me',
])('%s is not', (path) => {
  expect(kept(path)).toBe(false);
});
