/** Every cache of the worker besides Workbox's own precache. A new shape takes a new number. */
const CONTENT = 'content-1';
const PICTURES = 'pictures-1';

/** Files of builds that are not in the precache any more. */
export const ASSETS_CACHE = 'assets-1';

const CURRENT = [CONTENT, PICTURES];
const ours = /^(?:content|pictures|assets)-\d+(?::|$)/;

/** Lists, overviews and results of one person. */
export const contentCache = (owner: string) => `${CONTENT}:${owner}`;

/** Pictures of the questions of one person. */
export const picturesCache = (owner: string) => `${PICTURES}:${owner}`;

/** The caches, out of `names`, that no rule of this version uses. */
export function outdatedCaches(names: readonly string[]): string[] {
  return names.filter((name) => {
    if (!ours.test(name) || name === ASSETS_CACHE) return false;
    return !CURRENT.some((kind) => name.startsWith(`${kind}:`));
  });
}

/** The caches, out of `names`, that belong to anybody but this owner. */
export function cachesOfOthers(names: readonly string[], owner: string): string[] {
  return names.filter((name) =>
    CURRENT.some((kind) => name.startsWith(`${kind}:`) && name !== `${kind}:${owner}`),
  );
}
