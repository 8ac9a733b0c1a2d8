import { beforeEach, expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { SAVED_AT_HEADER } from '#app/offline/messages.ts';
import { picturesCache } from '#app/offline/pictures-cache.ts';
import { ANNA, asking, portal, served } from './fake-sign-in.ts';
import { fakeWorker } from './fake-worker.ts';
import { isPicture, picture } from './pictures.ts';

const PATH = '/api/Files/file?path=p1';
const RECORDING = '/api/Files/10000000-0000-4000-8000-000000000001/content';
const { device, network, ask } = fakeWorker(picture);

beforeEach(() => {
  network.mockImplementation(async () => served({ item1: 'AAAA', item2: 'image/png' }));
});

test('files by their key are pictures, and nothing else is', () => {
  expect(isPicture('/api/Files/file')).toBe(true);
  expect(isPicture('/api/Files/pictures')).toBe(false);
  expect(isPicture(RECORDING)).toBe(true);
  expect(isPicture('/api/Files/recordings')).toBe(false);
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

const bytes = (type: string, ours = true) =>
  new Response(new Uint8Array([1, 2, 3]), {
    headers: { 'content-type': type, ...(ours && { [HEADER.requestId]: 'r1' }) },
  });

test('a recording is fetched from the network once, then from the cache', async () => {
  network.mockImplementation(async () => bytes('audio/mpeg'));
  await ask(asking(RECORDING));
  network.mockRejectedValue(new TypeError('Failed to fetch'));
  const repeated = await ask(asking(RECORDING));
  expect(repeated.headers.get('content-type')).toBe('audio/mpeg');
  expect(new Uint8Array(await repeated.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]));
});

test.each([
  ['a file that is saved to the disk', bytes('application/octet-stream')],
  ['sound that is not of our server', bytes('audio/mpeg', false)],
])('%s is not cached', async (_, reply) => {
  network.mockImplementation(async () => reply);
  await ask(asking(RECORDING));
  expect(await device().paths(picturesCache(ANNA))).toEqual([]);
});
