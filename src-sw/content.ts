import type { Storage } from '#app/storage/storage.ts';
import { isOurJson } from './acceptable.ts';
import { contentCache } from './caches.ts';
import { networkFirst } from './network-first.ts';
import { ownerOf } from './owner.ts';

const PATIENCE_MS = 4_000;

/** Lists, overviews and results that are worth showing without a network. */
const KEPT = [
  /^\/api\/Test$/,
  /^\/api\/Test\/(?:my|passed)$/,
  /^\/api\/Test\/[^/]+\/short$/,
  /^\/api\/Test\/results\/[^/]+$/,
];

/** A typed search is not kept: each letter would be a list of its own. */
export const isContent = ({ pathname, searchParams }: URL) =>
  KEPT.some((pattern) => pattern.test(pathname)) && !searchParams.has('searchQuery');

/** The server's reply, or within four seconds what this person got here last. */
export async function content(
  request: Request,
  storage: Storage,
  extend: (work: Promise<unknown>) => void,
): Promise<Response> {
  const owner = await ownerOf(request, storage);
  if (owner === null) return fetch(request);
  const keep = async (response: Response) => {
    // The sign-in may have ended while the reply was on its way.
    if ((await ownerOf(request, storage)) !== owner) return;
    await (await caches.open(contentCache(owner))).put(request.url, response);
    // Or while it was being put: whoever erased the cache did not wait for this one.
    if ((await ownerOf(request, storage)) !== owner) await caches.delete(contentCache(owner));
  };
  return networkFirst({
    fetch: () => fetch(request),
    match: async () => (await caches.open(contentCache(owner))).match(request.url),
    keep: (response) => extend(keep(response)),
    isAcceptable: isOurJson,
    patience: () => new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  });
}
