import { describe, expect, test } from 'vitest';
import { StorageFailure } from '#app/storage/storage.ts';
import { content } from './content.ts';
import { asking, served, signOut } from './fake-sign-in.ts';
import { fakeWorker } from './fake-worker.ts';
import { picture } from './pictures.ts';

describe.each([
  ['a list', '/api/Test/my', content],
  ['a picture', '/api/Files/file?path=p1', picture],
])('%s', (_, path, handle) => {
  const { network, device, storage, ask } = fakeWorker(handle);

  test('comes from the network where the device’s storage does not answer', async () => {
    network.mockImplementation(async () => served({ from: 'server' }));
    const silent = { ...storage(), read: () => Promise.reject(new StorageFailure('silent')) };
    expect(await (await ask(asking(path), silent)).json()).toEqual({ from: 'server' });
    expect(await device().caches.keys()).toEqual([]);
  });

  test('that arrives after the sign-out is not cached', async () => {
    network.mockImplementation(async () => {
      await signOut(storage());
      return served({});
    });
    await ask(asking(path));
    expect(device().everPut).toEqual([]);
  });

  test('that is put during the sign-out is deleted with the erased ones', async () => {
    network.mockImplementation(async () => served({}));
    const { caches } = device();
    const { open } = caches;
    caches.open = async (name) => {
      const cache = await open(name);
      const { put } = cache;
      cache.put = async (...args) => {
        await signOut(storage());
        await put(...args);
      };
      return cache;
    };
    await ask(asking(path));
    expect(await caches.keys()).toEqual([]);
  });
});
