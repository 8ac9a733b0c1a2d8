import { ASSETS_CACHE } from './caches.ts';
import { isFileOf } from './acceptable.ts';

const MAX_FILES = 150;

async function trim(cache: Cache): Promise<void> {
  const requests = await cache.keys();
  const surplus = requests.slice(0, -MAX_FILES);
  await Promise.all(surplus.map((request) => cache.delete(request)));
}

/** Hashed files that are not in the precache (other builds, rare fonts): cached once fetched. */
export async function oldAsset(request: Request): Promise<Response> {
  const cache = await caches.open(ASSETS_CACHE);
  const cached = await cache.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (isFileOf(new URL(request.url).pathname, response)) {
    await cache.put(request, response.clone());
    await trim(cache);
  }
  return response;
}
