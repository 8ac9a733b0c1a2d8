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

const MAX_WAIT_MS = 3_600_000;
/** A proxy or portal knows nothing of the attempt's deadline, so its wait is bounded. */
const MAX_STRANGER_WAIT_MS = 30_000;

/** `Wed, 21 Oct 2026 07:28:00 GMT` and the two obsolete forms; anything else is no date. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/;

/**
 * Retry-After in milliseconds: seconds or an HTTP date, measured by the sender's clock if the reply contains it.
 * Undefined: absent or invalid.
 */
export function retryAfterMs(
  headers: Headers,
  facts: ReplyFacts,
  isOurs: boolean,
): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  const sentAt = facts.serverTime ?? Date.parse(headers.get('date') ?? '');
  const now = Number.isNaN(sentAt) ? facts.receivedWall : sentAt;
  const ms = /^\d+$/.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now
      : Number.NaN;
  if (Number.isNaN(ms)) return undefined;
  return Math.min(Math.max(0, ms), isOurs ? MAX_WAIT_MS : MAX_STRANGER_WAIT_MS);
}
