import { HEADER } from '#contract/headers.ts';

/** Limit of cached replies per user. */
const MAX_REPLIES = 200;
const MAX_REPLY_BYTES = 2_000_000;
const MAX_AGE_MS = 30 * 24 * 60 * 60_000;

/** The used subset of the browser's `Cache`. Its keys are in the order of their last `put`. */
export type ReplyCache = Pick<Cache, 'put' | 'keys' | 'match' | 'delete'>;

const serverTime = ({ headers }: Response) => Date.parse(headers.get(HEADER.serverTime) ?? '');

/**
 * Puts a reply and deletes those over the limits, the oldest first. Ages are measured by the
 * server's clock only. A reply that is too large is not cached.
 */
export async function putBounded(
  cache: ReplyCache,
  url: string,
  response: Response,
): Promise<void> {
  if ((await response.clone().arrayBuffer()).byteLength > MAX_REPLY_BYTES) return;
  const oldestAllowed = serverTime(response) - MAX_AGE_MS;
  await cache.put(url, response);
  const keys = await cache.keys();
  for (const [index, key] of keys.entries()) {
    const cached = await cache.match(key);
    const isTooMany = keys.length - index > MAX_REPLIES;
    // Without a server time its age is unknown.
    const isTooOld = cached !== undefined && !(serverTime(cached) >= oldestAllowed);
    if (!isTooMany && !isTooOld) return;
    await cache.delete(key);
  }
}
