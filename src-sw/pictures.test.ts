import { beforeEach, expect, test } from 'vitest';
import { SAVED_AT_HEADER } from '#app/offline/messages.ts';
import { picturesCache } from './caches.ts';
import { ANNA, asking, portal, served } from './fake-sign-in.ts';
import { fakeWorker } from './fake-worker.ts';
import { isPicture, picture } from './pictures.ts';

const PATH = '/api/Files/file?path=p1';
const { device, network, ask } = fakeWorker(picture);

beforeEach(() => {
  network.mockImplementation(async () => served({ item1: 'AAAA', item2: 'image/png' }));
});

test('files by their key are pictures, and nothing else is', () => {
  expect(isPicture('/api/Files/file')).toBe(true);
  expect(isPicture('/api/Files/pictures')).toBe(false);
});

test('a picture is fetched from the network once, then from the cache', async () => {
  expect(await (await ask(asking(PATH))).json()).toMatchObject({ item1: 'AAAA' });
  network.mockRejectedValue(new TypeError('Failed to fetch'));
  const repeated = await ask(asking(PATH));
  expect(await repeated.json()).toMatchObject({ item1: 'AAAA' });
  expect(repeated.headers.get(SAVED_AT_HEADER)).toBe('2026-05-22T07:42:00.000Z');
  expect(network).toHaveBeenCalledOnce();
});

test.each([null, 'token-of-boris'])(
  'a request with the token %s gets nothing cached, and its reply is not cached',
  async (token) => {
    await ask(asking(PATH));
    network.mockImplementation(async () => served({ item1: 'BBBB', item2: 'image/png' }));
    expect(await (await ask(asking(PATH, token))).json()).toMatchObject({ item1: 'BBBB' });
    expect(await (await ask(asking(PATH))).json()).toMatchObject({ item1: 'AAAA' });
  },
);

test.each([
  ['a captive portal’s page', portal],
  ['a refusal', () => served({}, 404)],
])('%s is passed on and not cached', async (_, reply) => {
  network.mockImplementation(async () => reply());
  expect((await ask(asking(PATH))).status).toBe(reply().status);
  expect(await device().paths(picturesCache(ANNA))).toEqual([]);
});
