import { expect, test } from 'vitest';
import { isContent, mayKeep } from './content.ts';

const kept = (path: string) => isContent(new URL(path, 'https://school.test'));

test.each([
  '/api/Test',
  '/api/Test?subject=physics&page=2&pageSize=20',
  '/api/Test/my',
  '/api/Test/passed?pageSize=20',
  '/api/Test/t1/short',
  '/api/Test/results/a1',
  '/api/Test/results/a1/preview',
  '/api/Test/t1/results',
  '/api/ProjectCard/p1',
  '/api/ProjectCard/myCards?sortOrder=new&searchQuery=&page=1&pageSize=12',
  '/api/ProjectCard/allShort?sortOrder=new&page=2&pageSize=12',
])('%s is kept for a time without a network', (path) => {
  expect(kept(path)).toBe(true);
});

test.each([
  '/api/Test?searchQuery=ньютон',
  '/api/Test/t1',
  '/api/Test/created',
  '/api/Test/t1/results?userId=u1',
  '/api/ProjectCard/allShort?searchQuery=орбита',
  '/api/ProjectCard/p1/rating',
  '/api/Files/p1/files',
  '/api/Test/statistics/t1',
  '/api/TestPassing/a1/answers',
  '/api/user/me',
])('%s is not', (path) => {
  expect(kept(path)).toBe(false);
});

const preview = (userId: unknown) => new Response(JSON.stringify({ userId, items: [] }));
const at = (path: string) => new URL(path, 'https://school.test');

test('a preview of one’s own answers is kept, a pupil’s with its key is not', async () => {
  const url = at('/api/Test/results/a1/preview');
  expect(await mayKeep(url, preview('anna'), 'anna')).toBe(true);
  expect(await mayKeep(url, preview('boris'), 'anna')).toBe(false);
  expect(await mayKeep(url, preview(undefined), 'anna')).toBe(false);
  expect(await mayKeep(at('/api/ProjectCard/p1'), preview('boris'), 'anna')).toBe(true);
});
