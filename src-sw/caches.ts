import { PAINTED_CACHE } from '#app/offline/painted-page.ts';
import { PICTURES_CACHE } from '#app/offline/pictures-cache.ts';

/** All caches of the worker besides Workbox's precache. A new shape gets a new number. */
const CONTENT = 'content-1';

/** Files of builds that are no longer in the precache. */
export const ASSETS_CACHE = 'assets-1';

const CURRENT = [CONTENT, PICTURES_CACHE, PAINTED_CACHE];
const ours = /^(?:content|pictures|painted|assets)-\d+(?::|$)/;

/** Lists, overviews and results of one user. */
export const contentCache = (owner: string) => `${CONTENT}:${owner}`;

/** Those of `names` that no rule of this version uses. */
export function outdatedCaches(names: readonly string[]): string[] {
  return names.filter((name) => {
    if (!ours.test(name) || name === ASSETS_CACHE) return false;
    return !CURRENT.some((kind) => name.startsWith(`${kind}:`));
  });
}

/** Those of `names` that belong to other owners. */
export function cachesOfOthers(names: readonly string[], owner: string): string[] {
  return names.filter((name) =>
    CURRENT.some((kind) => name.startsWith(`${kind}:`) && name !== `${kind}:${owner}`),
  );
}
