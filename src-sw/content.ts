import * as v from 'valibot';
import type { Storage } from '#app/storage/storage.ts';
import { isOurJson } from './acceptable.ts';
import { putBounded } from './bounded-cache.ts';
import { contentCache } from './caches.ts';
import { networkFirst } from './network-first.ts';
import { ownerOf } from './owner.ts';

const PATIENCE_MS = 4_000;

/** Lists, overviews, results and projects that are worth showing without a network. */
const KEPT = [
  /^\/api\/Test$/,
  /^\/api\/Test\/(?:my|passed)$/,
  /^\/api\/Test\/[^/]+\/(?:short|results)$/,
  /^\/api\/Test\/results\/[^/]+$/,
  /^\/api\/ProjectCard\/[^/]+$/,
];

const PREVIEW = /^\/api\/Test\/results\/[^/]+\/preview$/;

/** A typed search is not kept: each letter would be a list of its own. Nor are attempts of somebody else. */
export const isContent = ({ pathname, searchParams }: URL) =>
  [...KEPT, PREVIEW].some((pattern) => pattern.test(pathname)) &&
  !searchParams.get('searchQuery') &&
  !searchParams.has('userId');

/** A teacher's preview holds the key, and another person's answers: it is left on no device. */
export async function mayKeep(url: URL, response: Response, owner: string): Promise<boolean> {
  if (!PREVIEW.test(url.pathname)) return true;
  const body = v.safeParse(v.object({ userId: v.string() }), await response.clone().json());
  return body.success && body.output.userId === owner;
}

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
    if (!(await mayKeep(new URL(request.url), response, owner))) return;
    await putBounded(await caches.open(contentCache(owner)), request.url, response);
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
