import type { ReplyFacts } from './facts.ts';

/** What the specification says for an unknown failure of the HTTP layer. */
export const UNKNOWN_FAILURE = 'Unexpected error occurred';

/**
 * - `unreachable`: no answer at all, or none in time: the effect is unknown
 * - `notOurs`: somebody else answered: HTML, a redirect, an empty reply, a gateway's page
 * - `malformed`: our server's kind of reply, of a shape this version does not know
 * - `refused`: our server said no; `code` says why
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

/** The only error `call` throws. `message` may be shown to people. */
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
    super(parts.message ?? UNKNOWN_FAILURE, { cause: parts.cause });
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
