import { HEADER } from '#contract/headers.ts';

/** Protocol metadata of a reply. Milliseconds; `receivedWall` by the device's clock. */
export interface ReplyFacts {
  /** Name of the route. */
  readonly route: string;
  readonly status: number;
  readonly serverTime: number | null;
  readonly serverEpoch: number | null;
  readonly activeStream: string | null;
  /** When the session of the call expires if it is not used again. */
  readonly sessionExpiresAt: number | null;
  readonly receivedWall: number;
  readonly rttMs: number;
}

interface RawReply {
  readonly route: string;
  readonly status: number;
  readonly headers: Headers;
  readonly receivedWall: number;
  readonly rttMs: number;
}

/** Reads the protocol's reply headers; absent or invalid ones are null. */
export function replyFacts({ route, status, headers, receivedWall, rttMs }: RawReply): ReplyFacts {
  const time = Date.parse(headers.get(HEADER.serverTime) ?? '');
  const sessionEnd = Date.parse(headers.get(HEADER.sessionExpiresAt) ?? '');
  const epoch = headers.get(HEADER.serverEpoch) ?? '';
  return {
    route,
    status,
    serverTime: Number.isNaN(time) ? null : time,
    serverEpoch: /^\d{1,9}$/.test(epoch) ? Number(epoch) : null,
    activeStream: headers.get(HEADER.activeStream)?.toLowerCase() ?? null,
    sessionExpiresAt: Number.isNaN(sessionEnd) ? null : sessionEnd,
    receivedWall,
    rttMs,
  };
}

/** Retry-After in milliseconds: seconds or an HTTP date, at most an hour. */
export function retryAfterMs(headers: Headers, nowWall: number): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowWall;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), 3_600_000);
}
