import { HEADER } from '#contract/headers.ts';

/** Replies of one person. */
const MAX_REPLIES = 200;
const MAX_REPLY_BYTES = 2_000_000;
const MAX_AGE_MS = 30 * 24 * 60 * 60_000;

/** What is needed of the browser's `Cache`, whose keys come in the order of their last `put`. */
export type ReplyCache = Pick<Cache, 'put' | 'keys' | 'match' | 'delete'>;

const serverTime = ({ headers }: Response) => Date.parse(headers.get(HEADER.serverTime) ?? '');

/**
 * Puts a reply; those that are too many or too old go, the oldest first. Ages are counted by the
 * server's clock alone. A reply that is too large is not kept.
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
    const kept = await cache.match(key);
    const isTooMany = keys.length - index > MAX_REPLIES;
    // Without a time nobody knows how old it is.
    const isTooOld = kept !== undefined && !(serverTime(kept) >= oldestAllowed);
    if (!isTooMany && !isTooOld) return;
    await cache.delete(key);
  }
}
