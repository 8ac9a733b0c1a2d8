import { HEADER } from '#contract/headers.ts';
import { SAVED_AT_HEADER } from '#app/offline/messages.ts';

// Valid only at receipt: a cached reply must not set clocks or streams back.
const TRANSIENT_HEADERS = [
  HEADER.serverTime,
  HEADER.serverEpoch,
  HEADER.activeStream,
  HEADER.sessionExpiresAt,
];

export interface NetworkFirst {
  fetch: () => Promise<Response>;
  match: () => Promise<Response | undefined>;
  /** Caches an acceptable reply, without delaying the page. */
  store: (response: Response) => void;
  isAcceptable: (response: Response) => boolean;
  /** Resolves when the network time-out is over. */
  timeout: () => Promise<void>;
}

/** A cached reply for the page: marked with its age, without headers valid only at receipt. */
export function fromCache(cached: Response): Response {
  const headers = new Headers(cached.headers);
  const savedAt = headers.get(HEADER.serverTime) ?? headers.get('date');
  if (savedAt !== null) headers.set(SAVED_AT_HEADER, new Date(savedAt).toISOString());
  for (const name of TRANSIENT_HEADERS) headers.delete(name);
  return new Response(cached.body, { status: cached.status, headers });
}

/**
 * The server's reply; the cached one when the server exceeds the time-out, cannot be reached, fails, or another device
 * replies instead. Client errors (4xx) are passed on.
 */
export async function networkFirst(parts: NetworkFirst): Promise<Response> {
  const cached = async () => {
    const response = await parts.match();
    return response && fromCache(response);
  };
  const fromNetwork = parts.fetch().then(async (response) => {
    if (parts.isAcceptable(response)) {
      parts.store(response.clone());
      return response;
    }
    const isVerdict = response.status >= 400 && response.status < 500 && response.status !== 408;
    return isVerdict ? response : ((await cached()) ?? response);
  });
  const quick = fromNetwork.catch(() => cached());
  const first = await Promise.race([quick, parts.timeout().then(cached)]);
  return first ?? (await quick) ?? fromNetwork;
}
