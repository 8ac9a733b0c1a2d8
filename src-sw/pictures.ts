import { getFile } from '#contract/files.ts';
import type { Storage } from '#app/storage/storage.ts';
import { isOurJson, isRecording } from './acceptable.ts';
import { picturesCache } from '#app/offline/pictures-cache.ts';
import { fromCache } from './network-first.ts';
import { ownerOf, putForOwner } from './owner.ts';

const CONTENT = /^\/api\/Files\/[0-9a-f-]{36}\/content$/;

export const isPicture = (path: string) => path === getFile.path || CONTENT.test(path);

/** Pictures and recordings of questions never change under their key, so the cached one is returned at once. */
export async function picture(
  request: Request,
  storage: Storage,
  extend: (work: Promise<unknown>) => void,
): Promise<Response> {
  // A failing storage must not affect the network reply.
  const owner = await ownerOf(request, storage).catch(() => null);
  if (owner === null) return fetch(request);
  const cacheName = picturesCache(owner);
  const cached = await caches
    .open(cacheName)
    .then((cache) => cache.match(request.url))
    .catch(() => undefined);
  if (cached) return fromCache(cached);
  const response = await fetch(request);
  if (isOurJson(response) || isRecording(response)) {
    const copy = response.clone();
    extend(putForOwner(request, storage, cacheName, (cache) => cache.put(request.url, copy)));
  }
  return response;
}
