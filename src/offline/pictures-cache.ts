/** Caches of the pictures and recordings of questions. A new shape gets a new number. */
export const PICTURES_CACHE = 'pictures-1';

/** Question pictures of one user. */
export const picturesCache = (owner: string) => `${PICTURES_CACHE}:${owner}`;
