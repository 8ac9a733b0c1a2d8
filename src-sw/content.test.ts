import { beforeEach, expect, test, vi } from 'vitest';
import { SAVED_AT_HEADER } from '#app/offline/messages.ts';
import { contentCache } from '#app/offline/content-cache.ts';
import { content, isContent, isCacheable } from './content.ts';
import { ANNA, asking, served } from './fake-sign-in.ts';
import { fakeWorker } from './fake-worker.ts';

const isContentUrl = (path: string) => isContent(new URL(path, 'https://school.test'));

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
])('%s is cached for offline use', (path) => {
  expect(isContentUrl(path)).toBe(true);
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
  // A path that merely contains such an address is another one.
  '/old/api/Test',
  '/old/api/Test/my',
  '/api/Test/my/extra',
  '/old/api/Test/t1/short',
  '/api/Test/t1/short/extra',
  '/old/api/Test/results/a1',
  '/old/api/Test/results/a1/preview',
  '/api/Test/results/a1/preview/extra',
  '/api/Test/results/a1/other',
  '/old/api/ProjectCard/p1',
])('%s is not', (path) => {
  expect(isContentUrl(path)).toBe(false);
});

const preview = (userId: unknown) => new Response(JSON.stringify({ userId, items: [] }));
const at = (path: string) => new URL(path, 'https://school.test');

test('a preview of own answers is cached, a student’s with its key is not', async () => {
  const url = at('/api/Test/results/a1/preview');
  expect(await isCacheable(url, preview('anna'), 'anna')).toBe(true);
  expect(await isCacheable(url, preview('boris'), 'anna')).toBe(false);
  expect(await isCacheable(url, preview(undefined), 'anna')).toBe(false);
  expect(await isCacheable(at('/api/ProjectCard/p1'), preview('boris'), 'anna')).toBe(true);
});

const PATH = '/api/Test/my';
const { device, network, ask } = fakeWorker(content);

beforeEach(() => {
  network.mockImplementation(async () => served({ from: 'server' }));
});

const cached = () => device().paths(contentCache(ANNA));

test('a user’s replies are available offline, marked with their age', async () => {
  await ask(asking(PATH));
  network.mockRejectedValue(new TypeError('Failed to fetch'));
  const reply = await ask(asking(PATH));
  expect(await reply.json()).toEqual({ from: 'server' });
  expect(reply.headers.get(SAVED_AT_HEADER)).toBe('2026-05-22T07:42:00.000Z');
});

test.each([null, 'token-of-boris'])(
  'a request with the token %s gets the network’s reply only, and it is not cached',
  async (token) => {
    await ask(asking(PATH));
    network.mockImplementation(async () => served({ from: 'other' }));
    expect(await (await ask(asking(PATH, token))).json()).toEqual({ from: 'other' });
    network.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(ask(asking(PATH, token))).rejects.toThrow('Failed to fetch');
    expect(await (await ask(asking(PATH))).json()).toEqual({ from: 'server' });
  },
);

test('a student’s preview is shown to the teacher and never cached', async () => {
  network.mockImplementation(async () => served({ userId: 'boris' }));
  await ask(asking('/api/Test/results/a1/preview'));
  expect(await cached()).toEqual([]);
  network.mockImplementation(async () => served({ userId: ANNA }));
  await ask(asking('/api/Test/results/a1/preview'));
  expect(await cached()).toEqual(['/api/Test/results/a1/preview']);
});

test('a silent server is awaited for four seconds when a reply is cached', async () => {
  await ask(asking(PATH));
  network.mockImplementation(() => new Promise(() => undefined));
  vi.useFakeTimers();
  let reply: Response | null = null;
  const replying = ask(asking(PATH)).then((response) => (reply = response));
  await vi.advanceTimersByTimeAsync(3_999);
  expect(reply).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(await (await replying).json()).toEqual({ from: 'server' });
});
