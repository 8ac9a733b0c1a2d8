import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { putBounded, type ReplyCache } from './bounded-cache.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = Date.parse('2026-05-22T08:00:00Z');

/** Like the browser's: a `put` replaces, and its key becomes the last one. */
function memoryCache() {
  const stored = new Map<string, Response>();
  const urlOf = (key: RequestInfo | URL) => (key instanceof Request ? key.url : String(key));
  const cache: ReplyCache = {
    put: (key, response) => {
      stored.delete(urlOf(key));
      stored.set(urlOf(key), response);
      return Promise.resolve();
    },
    keys: () => Promise.resolve([...stored.keys()].map((url) => new Request(url))),
    match: (key) => Promise.resolve(stored.get(urlOf(key))?.clone()),
    delete: (key) => Promise.resolve(stored.delete(urlOf(key))),
  };
  return { cache, urls: () => [...stored.keys()] };
}

const url = (name: string | number) => `https://school.test/api/${name}`;
const reply = (at: number, body = '{}') =>
  new Response(body, {
    headers: { [HEADER.serverTime]: new Date(at).toISOString() },
  });

test('200 replies per user are cached, the oldest are deleted first', async () => {
  const { cache, urls } = memoryCache();
  for (let index = 0; index < 200; index += 1) await putBounded(cache, url(index), reply(NOW));
  expect(urls()).toHaveLength(200);
  await putBounded(cache, url(0), reply(NOW));
  expect(urls(), 'another reply of the same address takes no place').toHaveLength(200);
  await putBounded(cache, url('new'), reply(NOW));
  expect(urls()).toHaveLength(200);
  expect(urls()).not.toContain(url(1));
  expect(urls()).toContain(url(0));
});

test('replies older than 30 days by the server’s clock are deleted with the next put', async () => {
  const { cache, urls } = memoryCache();
  await putBounded(cache, url('old'), reply(NOW));
  await putBounded(cache, url('lastDay'), reply(NOW + DAY_MS));
  await putBounded(cache, url('new'), reply(NOW + 31 * DAY_MS));
  expect(urls()).toEqual([url('lastDay'), url('new')]);
  await putBounded(cache, url('newer'), reply(NOW + 31 * DAY_MS + 1));
  expect(urls()).toEqual([url('new'), url('newer')]);
});

test('a reply of unknown age is deleted with the next put', async () => {
  const { cache, urls } = memoryCache();
  await cache.put(url('strange'), new Response('{}'));
  await putBounded(cache, url('new'), reply(NOW));
  expect(urls()).toEqual([url('new')]);
});

test('a reply over 2 MB is not cached, one of 2 MB is', async () => {
  const { cache, urls } = memoryCache();
  await putBounded(cache, url('huge'), reply(NOW, 'x'.repeat(2_000_001)));
  expect(urls()).toEqual([]);
  await putBounded(cache, url('large'), reply(NOW, 'x'.repeat(2_000_000)));
  expect(urls()).toEqual([url('large')]);
});
