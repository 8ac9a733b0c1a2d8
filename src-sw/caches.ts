import { CONTENT_CACHE } from '#app/offline/content-cache.ts';
import { PAINTED_CACHE } from '#app/offline/painted-page.ts';
import { PICTURES_CACHE } from '#app/offline/pictures-cache.ts';

/** Files of builds that are no longer in the precache. A new shape gets a new number. */
export const ASSETS_CACHE = 'assets-1';

/** With `ASSETS_CACHE` all caches of the worker besides Workbox's precache. */
const CURRENT = [CONTENT_CACHE, PICTURES_CACHE, PAINTED_CACHE];
const ours = /^(?:content|pictures|painted|assets)-\d+(?::|$)/;

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
