import { readMirror } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';

/**
 * The owner of a request: the signed-in user of this device, if the request has their token.
 * Null for any other user: then nothing is cached or served from the cache.
 */
export async function ownerOf(request: Request, storage: Storage): Promise<string | null> {
  const mirror = await readMirror(storage);
  const bearer = request.headers.get('authorization');
  return mirror && bearer === `Bearer ${mirror.token}` ? mirror.owner : null;
}

/** Puts a reply into a cache of the request's owner; nothing stays there for a user who has signed out meanwhile. */
export async function putForOwner(
  request: Request,
  storage: Storage,
  cacheName: string,
  put: (cache: Cache) => Promise<void>,
): Promise<void> {
  // The user may have signed out while the reply was in flight.
  if ((await ownerOf(request, storage)) === null) return;
  await put(await caches.open(cacheName));
  // Or during the put: the sign-out did not wait for it when it deleted the cache.
  if ((await ownerOf(request, storage)) === null) await caches.delete(cacheName);
}
