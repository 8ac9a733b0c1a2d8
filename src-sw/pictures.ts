import { getFile } from '#contract/files.ts';
import type { Storage } from '#app/storage/storage.ts';
import { isOurJson } from './acceptable.ts';
import { picturesCache } from './caches.ts';
import { fromCache } from './network-first.ts';
import { ownerOf } from './owner.ts';

export const isPicture = (path: string) => path === getFile.path;

/** Pictures of questions never change under their key: what is kept is given at once. */
export async function picture(
  request: Request,
  storage: Storage,
  extend: (work: Promise<unknown>) => void,
): Promise<Response> {
  const owner = await ownerOf(request, storage);
  if (owner === null) return fetch(request);
  const kept = await (await caches.open(picturesCache(owner))).match(request.url);
  if (kept) return fromCache(kept);
  const response = await fetch(request);
  const keep = async (copy: Response) => {
    if ((await ownerOf(request, storage)) !== owner) return;
    await (await caches.open(picturesCache(owner))).put(request.url, copy);
    // Or while it was being put: whoever erased the cache did not wait for this one.
    if ((await ownerOf(request, storage)) !== owner) await caches.delete(picturesCache(owner));
  };
  if (isOurJson(response)) extend(keep(response.clone()));
  return response;
}
