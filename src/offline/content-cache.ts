/** Caches of the worker with lists, overviews and results. A new shape gets a new number. */
export const CONTENT_CACHE = 'content-1';

/** Lists, overviews and results of one user. */
export const contentCache = (owner: string) => `${CONTENT_CACHE}:${owner}`;
