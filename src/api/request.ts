import { createFetch } from 'ofetch';
import * as v from 'valibot';
import { ErrorBody } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { replyFacts, retryAfterMs, type ReplyFacts } from './facts.ts';
import { ApiFailure } from './failure.ts';
import { bodyOf, urlOf } from './url.ts';

export interface CallerConfig {
  /** Origin of the server; empty: the page's own. */
  readonly baseUrl: string;
  readonly appVersion: string;
  /** Absent: the global one, looked up at each call. */
  readonly fetch?: typeof fetch;
  /** Default bearer token of calls without their own. */
  readonly token?: () => string | null;
  readonly clock?: { wall(): number; monotone(): number };
  readonly timers?: { set(run: () => void, ms: number): unknown; clear(timer: unknown): void };
  /** Called for every reply of our server, refusals included. */
  readonly onReply?: (facts: ReplyFacts) => void;
  /** Called for every failure, before it is thrown. */
  readonly onFailure?: (failure: ApiFailure, route: Route) => void;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Default 5000 ms (specification, section 9). */
  readonly timeoutMs?: number;
  /** Replaces the caller's token; null: none. */
  readonly token?: string | null;
}

export interface CallReply<R extends Route> {
  readonly reply: ReplyOf<R>;
  readonly status: number;
  readonly headers: Headers;
  readonly facts: ReplyFacts;
}

/** Calls a route of the contract. Throws `ApiFailure` and nothing else. */
export type Caller = <const R extends Route>(
  route: R,
  input: CallInput<R>,
  options?: CallOptions,
) => Promise<CallReply<R>>;

const TIMED_OUT = Symbol('timed out');

const browserClock = { wall: () => Date.now(), monotone: () => performance.now() };
const browserTimers = {
  set: (run: () => void, ms: number): unknown => setTimeout(run, ms),
  clear: (timer: unknown): void => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
};

/** Creates a function that calls routes of one server, with its own fetch, clock and token. */
export function createCaller(config: CallerConfig): Caller {
  const clock = config.clock ?? browserClock;
  const timers = config.timers ?? browserTimers;
  const send = createFetch({
    fetch: config.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    Headers: globalThis.Headers,
    AbortController: globalThis.AbortController,
  });

  /** Fetches the response with its whole body; the time-out includes the body. */
  async function exchange(route: Route, url: string, input: unknown, options: CallOptions) {
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    options.signal?.addEventListener('abort', stop, { once: true });
    if (options.signal?.aborted) stop();
    let timer: unknown;
    const late = new Promise<never>((_resolve, reject) => {
      timer = timers.set(() => {
        reject(TIMED_OUT);
        stop();
      }, options.timeoutMs ?? HTTP_TIMEOUT_MS);
    });
    const body = bodyOf(route, input);
    const answered = send.raw(url, {
      method: route.method,
      headers: { ...headersOf(config, route, options), ...body.headers },
      ...(body.body === undefined ? {} : { body: body.body }),
      credentials: 'include',
      redirect: 'manual',
      cache: 'no-store',
      responseType: 'text',
      ignoreResponseError: true,
      retry: 0,
      signal: abort.signal,
    });
    try {
      return await Promise.race([answered, late]);
    } finally {
      timers.clear(timer);
      options.signal?.removeEventListener('abort', stop);
      answered.catch(() => undefined);
    }
  }

  async function attempt<const R extends Route>(
    route: R,
    input: CallInput<R>,
    options: CallOptions,
  ): Promise<CallReply<R>> {
    const url = config.baseUrl + urlOf(route, input);
    const at = { method: route.method, url };
    const startedAt = clock.monotone();
    const response = await exchange(route, url, input, options).catch((error: unknown) => {
      const timedOut = error === TIMED_OUT;
      throw new ApiFailure({
        kind: 'unreachable',
        ...at,
        timedOut,
        ...(timedOut ? {} : { cause: error }),
      });
    });
    const receivedWall = clock.wall();
    const status = response.status;
    const rttMs = Math.max(0, clock.monotone() - startedAt);
    const facts = replyFacts({
      route: route.name,
      status,
      headers: response.headers,
      receivedWall,
      rttMs,
    });
    const data = parsedJson(response._data);

    const isGood = status >= 200 && status < 300;
    if (!isGood) {
      const failure = failedReply(at, { status, headers: response.headers, data }, facts);
      if (failure.kind === 'refused') config.onReply?.(facts);
      throw failure;
    }
    const parsed = v.safeParse(route.reply, data);
    if (!parsed.success) {
      const isJson = data !== undefined;
      throw new ApiFailure({
        kind: isJson ? 'malformed' : 'notOurs',
        ...at,
        status,
        cause: parsed.issues,
      });
    }
    config.onReply?.(facts);
    return { reply: parsed.output as ReplyOf<R>, status, headers: response.headers, facts };
  }

  return async (route, input, options = {}) => {
    try {
      return await attempt(route, input, options);
    } catch (error) {
      const failure =
        error instanceof ApiFailure
          ? error
          : new ApiFailure({
              kind: 'malformed',
              method: route.method,
              url: route.path,
              cause: error,
            });
      config.onFailure?.(failure, route);
      throw failure;
    }
  };
}

/** Headers of every call beside the protocol's. */
export function headersOf(
  config: Pick<CallerConfig, 'appVersion' | 'token'>,
  route: Route,
  options: Pick<CallOptions, 'token' | 'headers'>,
): Record<string, string> {
  const token = options.token === undefined ? (config.token?.() ?? null) : options.token;
  const isSignedCall = route.access !== 'anyone' && token !== null;
  return {
    accept: 'application/json',
    [HEADER.appVersion]: config.appVersion,
    ...(isSignedCall ? { authorization: `Bearer ${token}` } : {}),
    ...options.headers,
  };
}

interface FailedReply {
  readonly status: number;
  readonly headers: Headers;
  /** Parses the body as JSON; undefined when it is not JSON. */
  readonly data: unknown;
}

/** An unsuccessful reply: our server's refusal, or a foreign page. */
export function failedReply(
  at: { readonly method: string; readonly url: string },
  { status, headers, data }: FailedReply,
  facts: ReplyFacts,
): ApiFailure {
  const wait = retryAfterMs(headers, facts.receivedWall);
  const later = wait === undefined ? {} : { retryAfterMs: wait };
  const refusal = v.safeParse(ErrorBody, data);
  if (status < 400 || !refusal.success) {
    return new ApiFailure({ kind: 'notOurs', ...at, status, ...later });
  }
  const { code, message, details, requestId } = refusal.output;
  const said = { code, message, details, requestId };
  return new ApiFailure({ kind: 'refused', ...at, status, ...said, facts, ...later });
}

/** Undefined: not JSON. */
export function parsedJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
