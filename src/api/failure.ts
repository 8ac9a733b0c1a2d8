import type { ReplyFacts } from './facts.ts';

/** The specification's message for an unknown failure; Russian words follow it. */
export const UNEXPECTED = 'Unexpected error occurred';

/** The message of an unknown failure. */
export const UNKNOWN_FAILURE = `${UNEXPECTED}. Повторите или обновите страницу`;

/**
 * - `unreachable`: no reply, or none in time: the effect is unknown
 * - `notOurs`: a foreign reply: HTML, a redirect, an empty reply, a gateway's page
 * - `malformed`: our server's reply in a shape that this version does not know
 * - `refused`: our server refused the call; `code` is the reason
 */
export type FailureKind = 'unreachable' | 'notOurs' | 'malformed' | 'refused';

export interface FailureParts {
  readonly kind: FailureKind;
  readonly method: string;
  readonly url: string;
  readonly timedOut?: boolean;
  readonly status?: number;
  readonly code?: string;
  /** Russian, from the server. */
  readonly message?: string;
  readonly details?: unknown;
  readonly requestId?: string;
  readonly retryAfterMs?: number;
  readonly facts?: ReplyFacts;
  readonly cause?: unknown;
}

/** The only error `call` throws. `message` may be shown to users. */
export class ApiFailure extends Error {
  readonly kind: FailureKind;
  readonly method: string;
  readonly url: string;
  readonly timedOut: boolean;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly details: unknown;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly facts: ReplyFacts | null;

  constructor(parts: FailureParts) {
    const { message = UNKNOWN_FAILURE, cause } = parts;
    super(parts.code === 'INTERNAL' ? `${UNEXPECTED}. ${message}` : message, { cause });
    this.name = 'ApiFailure';
    this.kind = parts.kind;
    this.method = parts.method;
    this.url = parts.url;
    this.timedOut = parts.timedOut ?? false;
    this.status = parts.status;
    this.code = parts.code;
    this.details = parts.details;
    this.requestId = parts.requestId;
    this.retryAfterMs = parts.retryAfterMs;
    this.facts = parts.facts ?? null;
  }
}

/** Whether a page replied instead of the server, as in a network with a sign-in of its own. */
export const isPortal = (error: ApiFailure): boolean =>
  error.kind === 'notOurs' && (error.status ?? 0) < 400;

/** Whether our server refused a call with this code. */
export const isRefusal = (error: unknown, code: string): error is ApiFailure =>
  error instanceof ApiFailure && error.code === code;
