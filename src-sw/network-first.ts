import { HEADER } from '#contract/headers.ts';
import { SAVED_AT_HEADER } from '#app/offline/messages.ts';

// Facts of the moment: a kept reply must not set clocks or streams back.
const OF_THE_MOMENT = [
  HEADER.serverTime,
  HEADER.serverEpoch,
  HEADER.activeStream,
  HEADER.sessionExpiresAt,
];

export interface NetworkFirst {
  fetch: () => Promise<Response>;
  match: () => Promise<Response | undefined>;
  /** Keeps an acceptable reply; never lets the page wait. */
  keep: (response: Response) => void;
  isAcceptable: (response: Response) => boolean;
  /** Resolves when the network has had long enough. */
  patience: () => Promise<void>;
}

/** A kept reply as it is handed out: marked with its age, without facts of the moment. */
export function fromCache(kept: Response): Response {
  const headers = new Headers(kept.headers);
  const savedAt = headers.get(HEADER.serverTime) ?? headers.get('date');
  if (savedAt !== null) headers.set(SAVED_AT_HEADER, new Date(savedAt).toISOString());
  for (const name of OF_THE_MOMENT) headers.delete(name);
  return new Response(kept.body, { status: kept.status, headers });
}

/**
 * The server's reply; a kept one when the server is silent for longer than patience, cannot be
 * reached, fails, or something else answers in its place. Verdicts (4xx) are handed on.
 */
export async function networkFirst(parts: NetworkFirst): Promise<Response> {
  const kept = async () => {
    const response = await parts.match();
    return response && fromCache(response);
  };
  const fromNetwork = parts.fetch().then(async (response) => {
    if (parts.isAcceptable(response)) {
      parts.keep(response.clone());
      return response;
    }
    const isVerdict = response.status >= 400 && response.status < 500 && response.status !== 408;
    return isVerdict ? response : ((await kept()) ?? response);
  });
  const quick = fromNetwork.catch(() => kept());
  const first = await Promise.race([quick, parts.patience().then(kept)]);
  return first ?? (await quick) ?? fromNetwork;
}
