import type { ErrorCode } from '#contract/errors.ts';

/** Statuses of calls that our own clients should never make: input, sign-in, rights, rules, limits. */
const SUSPICIOUS = new Set([400, 401, 403, 404, 405, 413, 415, 422, 429]);
/** Steps that each sign-in and each confirmation has. */
const ORDINARY = new Set<string | undefined>([
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_SETUP_REQUIRED',
  'CONFIRMATION_REQUIRED',
] satisfies ErrorCode[]);
const WINDOW_MS = 60_000;
/** Different refusals logged per minute; further ones are counted together. */
export const MAX_REFUSALS = 500;

export interface CallLine {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly user?: string;
  readonly code?: string;
}

/** A refusal that repeated within its minute. */
export type RepeatedRefusal = Partial<CallLine> & { readonly times: number };

export interface RefusalLog {
  /** Whether this is the first refused call of its kind in this minute. */
  isFirst(line: CallLine, now: number): boolean;
  /** The repeated refusals of a minute that is over, each once. */
  repeated(now: number): readonly RepeatedRefusal[];
}

/** Logs refusals one by one, without turning a flood of them into a flood of lines. */
export function createRefusalLog(): RefusalLog {
  let startedAt = 0;
  let seen = new Map<string, { line: Partial<CallLine>; times: number }>();
  return {
    isFirst({ method, route, status, user, code }, now) {
      if (!SUSPICIOUS.has(status) || ORDINARY.has(code)) return false;
      if (seen.size === 0) startedAt = now;
      const own = [method, route, status, user, code].join(' ');
      const isOne = seen.has(own) || seen.size < MAX_REFUSALS;
      const key = isOne ? own : '';
      const line = { method, route, status, ...(user && { user }), ...(code && { code }) };
      const entry = seen.get(key) ?? { line: isOne ? line : {}, times: 0 };
      seen.set(key, { ...entry, times: entry.times + 1 });
      return isOne && entry.times === 0;
    },

    repeated(now) {
      if (seen.size === 0 || now - startedAt < WINDOW_MS) return [];
      const found = [...seen].filter(([key, { times }]) => times > 1 || key === '');
      seen = new Map();
      return found.map(([key, { line, times }]) => ({
        ...line,
        times: key === '' ? times : times - 1,
      }));
    },
  };
}
