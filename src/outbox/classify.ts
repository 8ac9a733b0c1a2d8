import * as v from 'valibot';
import { ChunkDetails, DeadlineMovedDetails, IncompleteDetails } from '#contract/errors.ts';
import type { ApiFailure } from '#app/api/failure.ts';
import type { Pause } from './types.ts';

/** What a failed call means for the operation that made it. The one place that decides it. */
export type Verdict =
  /** The effect is unknown or the server is busy: the same again. */
  | {
      readonly kind: 'retry';
      /** `network`: no way to our server; `server`: it, or the way, failed this call; `busy`: 429. */
      readonly cause: 'network' | 'server' | 'busy';
      readonly timedOut: boolean;
      readonly waitMs: number | null;
    }
  | { readonly kind: 'pause'; readonly pause: Pause }
  | {
      readonly kind: 'setAside';
      readonly status: number;
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: 'renumber' }
  | { readonly kind: 'incomplete'; readonly missing: number[]; readonly files: string[] }
  | { readonly kind: 'deadlineMoved'; readonly deadline: number }
  | { readonly kind: 'outOfPlace'; readonly received: number }
  | { readonly kind: 'mismatch' };

const FINAL = new Set([400, 403, 404, 410, 413, 415, 422]);

/** Judges a failure. Only a reply in our own error shape can be more than «try again». */
export function classify(failure: ApiFailure): Verdict {
  if (failure.kind !== 'refused') return retry(failure, unansweredCause(failure));
  const status = failure.status ?? 0;
  const code = failure.code ?? '';
  if (status === 401)
    return { kind: 'pause', pause: code === 'ACCOUNT_BLOCKED' ? 'blocked' : 'signIn' };
  if (status === 426) return { kind: 'pause', pause: 'update' };
  if (status === 429) return retry(failure, 'busy');
  if (code === 'SEQUENCE_TAKEN') return { kind: 'renumber' };
  if (code === 'CHECKSUM_MISMATCH') return { kind: 'mismatch' };
  if (status === 409) return conflict(failure) ?? retry(failure, 'server');
  if (FINAL.has(status)) return { kind: 'setAside', status, code, message: failure.message };
  return retry(failure, 'server');
}

/** A time-out may be this call's own fault; no connection and foreign pages are everybody's. */
function unansweredCause(failure: ApiFailure): 'network' | 'server' {
  if (failure.kind === 'malformed' || failure.timedOut) return 'server';
  return failure.kind === 'notOurs' && (failure.status ?? 0) >= 500 ? 'server' : 'network';
}

function retry(failure: ApiFailure, cause: 'network' | 'server' | 'busy'): Verdict {
  return { kind: 'retry', cause, timedOut: failure.timedOut, waitMs: failure.retryAfterMs ?? null };
}

function conflict(failure: ApiFailure): Verdict | null {
  const { code, details } = failure;
  if (code === 'INCOMPLETE') {
    const parsed = v.safeParse(IncompleteDetails, details);
    return parsed.success ? { kind: 'incomplete', ...parsed.output } : null;
  }
  if (code === 'DEADLINE_MOVED') {
    const parsed = v.safeParse(DeadlineMovedDetails, details);
    const deadline = parsed.success ? Date.parse(parsed.output.deadline) : Number.NaN;
    return Number.isNaN(deadline) ? null : { kind: 'deadlineMoved', deadline };
  }
  if (code === 'CHUNK_OUT_OF_PLACE') {
    const parsed = v.safeParse(ChunkDetails, details);
    return parsed.success ? { kind: 'outOfPlace', received: parsed.output.received } : null;
  }
  return null;
}

/** Whether a failed call still proves that the server and its database work. */
export function provesServer(failure: ApiFailure): boolean {
  const status = failure.status ?? 0;
  const isVerdict = failure.kind === 'refused' && status >= 400 && status < 500;
  return isVerdict && ![401, 408, 426, 429].includes(status);
}
