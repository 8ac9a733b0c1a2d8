import * as v from 'valibot';
import type { Storage } from '#app/storage/storage.ts';
import { isOurJson } from './acceptable.ts';
import { putBounded } from './bounded-cache.ts';
import { contentCache } from '#app/offline/content-cache.ts';
import { networkFirst } from './network-first.ts';
import { ownerOf, putForOwner } from './owner.ts';

const NETWORK_TIMEOUT_MS = 4_000;

/** Lists, overviews, results and projects that are worth showing without a network. */
const CACHED_PATHS = [
  /^\/api\/Test$/,
  /^\/api\/Test\/(?:my|passed)$/,
  /^\/api\/Test\/[^/]+\/(?:short|results)$/,
  /^\/api\/Test\/results\/[^/]+$/,
  /^\/api\/ProjectCard\/[^/]+$/,
];

const PREVIEW = /^\/api\/Test\/results\/[^/]+\/preview$/;

/** Searches are not cached, because each letter would be a list; nor are attempts of other users. */
export const isContent = ({ pathname, searchParams }: URL) =>
  [...CACHED_PATHS, PREVIEW].some((pattern) => pattern.test(pathname)) &&
  !searchParams.get('searchQuery') &&
  !searchParams.has('userId');

/** A teacher's preview contains the key and a student's answers: it is never cached. */
export async function isCacheable(url: URL, response: Response, owner: string): Promise<boolean> {
  if (!PREVIEW.test(url.pathname)) return true;
  const body = v.safeParse(v.object({ userId: v.string() }), await response.clone().json());
  return body.success && body.output.userId === owner;
}

/** The server's reply, or after four seconds the last one that this user received here. */
export async function content(
  request: Request,
  storage: Storage,
  extend: (work: Promise<unknown>) => void,
): Promise<Response> {
  // A failing storage must not affect the network reply.
  const owner = await ownerOf(request, storage).catch(() => null);
  if (owner === null) return fetch(request);
  const cacheName = contentCache(owner);
  const store = (response: Response) =>
    putForOwner(request, storage, cacheName, async (cache) => {
      if (await isCacheable(new URL(request.url), response, owner))
        await putBounded(cache, request.url, response);
    });
  return networkFirst({
    fetch: () => fetch(request),
    match: async () => (await caches.open(cacheName)).match(request.url),
    store: (response) => extend(store(response)),
    isAcceptable: isOurJson,
    timeout: () => new Promise((resolve) => setTimeout(resolve, NETWORK_TIMEOUT_MS)),
  });
}
