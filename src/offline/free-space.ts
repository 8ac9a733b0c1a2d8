import { FREEABLE_CACHES } from './messages.ts';

/** Deletes cached lists and files of older builds; answers and pictures of a test stay. */
export async function freeSpace(): Promise<void> {
  if (!('caches' in globalThis)) return;
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => FREEABLE_CACHES.test(name)).map((name) => caches.delete(name)),
  );
}
