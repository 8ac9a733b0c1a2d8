import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ASSETS_CACHE } from './caches.ts';
import { fakeCaches } from './fake-caches.ts';
import { asking, portal } from './fake-sign-in.ts';
import { oldAsset } from './old-assets.ts';

const network = vi.fn<(request: Request) => Promise<Response>>();
let device: ReturnType<typeof fakeCaches>;

const script = () => new Response('1', { headers: { 'content-type': 'text/javascript' } });
const ask = (name: string | number) => oldAsset(asking(`/assets/${name}.js`));
const cached = () => device.paths(ASSETS_CACHE);

beforeEach(() => {
  device = fakeCaches();
  vi.stubGlobal('caches', device.caches);
  vi.stubGlobal('fetch', network);
  network.mockImplementation(async () => script());
});

afterEach(() => {
  vi.unstubAllGlobals();
  network.mockReset();
});

test('a file of another build is fetched once and then available offline', async () => {
  expect(await (await ask('old')).text()).toBe('1');
  network.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await (await ask('old')).text()).toBe('1');
  expect(network).toHaveBeenCalledOnce();
});

test('a captive portal’s page in place of a file is passed on and not cached', async () => {
  network.mockImplementation(async () => portal());
  expect(await (await ask('old')).text()).toContain('Войдите');
  expect(await cached()).toEqual([]);
});

test('150 files of other builds are cached, the oldest are deleted first', async () => {
  for (let index = 0; index < 150; index += 1) await ask(index);
  expect(await cached()).toHaveLength(150);
  await ask('newest');
  expect(await cached()).toHaveLength(150);
  expect(await cached()).not.toContain('/assets/0.js');
  expect(await cached()).toContain('/assets/1.js');
  expect(await cached()).toContain('/assets/newest.js');
});
