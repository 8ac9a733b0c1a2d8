import * as v from 'valibot';
import { ErrorBody } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import type { ReplyOf, Route } from '#contract/route.ts';
import { replyFacts, retryAfterMs, type ReplyFacts } from './facts.ts';
import { ApiFailure } from './failure.ts';
import { browserClock, browserTimers, type DeviceClock, type Timers } from './timers.ts';
import { bodyOf, urlOf } from './url.ts';

export interface CallerConfig {
  /** Origin of the server; empty: the page's own. */
  readonly baseUrl: string;
  readonly appVersion: string;
  /** Absent: the global one, looked up at each call. */
  readonly fetch?: typeof fetch;
  /** Default bearer token of calls without their own. */
  readonly token?: () => string | null;
  readonly clock?: DeviceClock;
  readonly timers?: Timers;
  /** Called for every reply of our server, refusals included. */
  readonly onReply?: (facts: ReplyFacts) => void;
  /** Called for every failure, before it is thrown. */
  readonly onFailure?: (failure: ApiFailure, route: Route) => void;
}

export interface HeaderOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the caller's token; null: none. */
  readonly token?: string | null;
}

/** Status and headers of a reply; a `Response` is one. */
export interface ReplyHead {
  readonly status: number;
  readonly headers: Headers;
}

/** One request and its reply, over any transport. */
export interface Exchange<R extends Route> {
  readonly url: string;
  /** Aborted by the caller, by the timer and at the end. */
  readonly signal: AbortSignal;
  /** Restarts the only timer: when it fires, the exchange has timed out. */
  restartTimer(ms: number): void;
  headers(options?: HeaderOptions): Record<string, string>;
  /** The request for `fetch`. Cookies are sent; redirects are not followed. */
  init(accept: string, options?: HeaderOptions): RequestInit;
  /** The facts in the protocol's headers; call it when the head has arrived. */
  facts(head: ReplyHead): ReplyFacts;
  /** Notifies that a reply is our server's. */
  accept(facts: ReplyFacts): void;
  /** The failure of an unsuccessful reply: our server's refusal, or a foreign page. */
  refusal(head: ReplyHead, facts: ReplyFacts, text: unknown): ApiFailure;
  /**
   * Parses the reply by the route's schema and accepts its facts. Throws for another server's reply or another shape.
   */
  reply(head: ReplyHead, facts: ReplyFacts, text: unknown): ReplyOf<R>;
}

export const isGood = ({ status }: ReplyHead): boolean => status >= 200 && status < 300;

/** Undefined: not JSON. */
export function parsedJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Runs exchanges with one server. Throws `ApiFailure` and nothing else. */
export type ExchangeRunner = <R extends Route, T>(
  route: R,
  input: unknown,
  signal: AbortSignal | undefined,
  work: (exchange: Exchange<R>) => Promise<T>,
) => Promise<T>;

type Caller = CallerConfig & Required<Pick<CallerConfig, 'clock' | 'timers'>>;

function headersOf(
  config: CallerConfig,
  route: Route,
  options: HeaderOptions = {},
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

/** Our server's refusal, or the failure of a foreign page. */
function refusalOf(
  at: { method: string; url: string },
  { status, headers }: ReplyHead,
  facts: ReplyFacts,
  text: unknown,
): ApiFailure {
  const refused = v.safeParse(ErrorBody, parsedJson(text));
  const isRefused = status >= 400 && refused.success;
  // A long wait is accepted only with the server's time, which every refusal of ours contains.
  const wait = retryAfterMs(headers, facts, isRefused && facts.serverTime !== null);
  const later = wait === undefined ? {} : { retryAfterMs: wait };
  if (!isRefused) return new ApiFailure({ kind: 'notOurs', ...at, status, ...later });
  const { code, message, details, requestId } = refused.output;
  const said = { code, message, details, requestId };
  return new ApiFailure({ kind: 'refused', ...at, status, ...said, facts, ...later });
}

/** A time limit that can be restarted. `reached` rejects at its end. */
function createTimeLimit(timers: Timers, onReached: () => void) {
  let isReached = false;
  let timer: unknown;
  let reach = (): void => undefined;
  const reached = new Promise<never>((_resolve, reject) => {
    reach = () => {
      isReached = true;
      reject(new Error('timed out'));
      onReached();
    };
  });
  return {
    reached,
    isReached: () => isReached,
    restart(ms: number) {
      timers.clear(timer);
      timer = timers.set(reach, ms);
    },
    clear: () => timers.clear(timer),
  };
}

/** @param onWhole called when the whole reply has arrived */
function createExchange<R extends Route>(
  config: Caller,
  route: R,
  input: unknown,
  progress: Pick<Exchange<R>, 'url' | 'signal' | 'restartTimer'>,
  onWhole: () => void,
): Exchange<R> {
  const { method } = route;
  const at = { method, url: progress.url };
  const startedAt = config.clock.monotone();
  const exchange: Exchange<R> = {
    ...progress,
    headers: (options) => headersOf(config, route, options),
    init(accept, options) {
      const sent = bodyOf(route, input);
      return {
        method,
        headers: { ...headersOf(config, route, options), accept, ...sent.headers },
        ...(sent.body === undefined ? {} : { body: sent.body }),
        credentials: 'include',
        redirect: 'manual',
        cache: 'no-store',
        signal: progress.signal,
      };
    },
    facts: (head) =>
      replyFacts({
        route: route.name,
        status: head.status,
        headers: head.headers,
        receivedWall: config.clock.wall(),
        rttMs: Math.max(0, config.clock.monotone() - startedAt),
      }),
    accept: (facts) => config.onReply?.(facts),
    refusal(head, facts, text) {
      const failure = refusalOf(at, head, facts, text);
      if (failure.kind === 'refused') config.onReply?.(facts);
      return failure;
    },
    reply(head, facts, text) {
      onWhole();
      if (!isGood(head)) throw exchange.refusal(head, facts, text);
      const data = parsedJson(text);
      const parsed = v.safeParse(route.reply, data);
      if (!parsed.success) {
        const kind = data === undefined ? 'notOurs' : 'malformed';
        throw new ApiFailure({ kind, ...at, status: head.status, cause: parsed.issues });
      }
      config.onReply?.(facts);
      return parsed.output;
    },
  };
  return exchange;
}

async function runExchange<R extends Route, T>(
  config: Caller,
  route: R,
  input: unknown,
  signal: AbortSignal | undefined,
  work: (exchange: Exchange<R>) => Promise<T>,
): Promise<T> {
  const url = config.baseUrl + urlOf(route, input);
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const limit = createTimeLimit(config.timers, stop);
  /** The whole reply has arrived: a later failure does not concern the connection. */
  let isWhole = false;
  const progress = { url, signal: abort.signal, restartTimer: limit.restart };
  const exchange = createExchange(config, route, input, progress, () => {
    isWhole = true;
  });
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const working = work(exchange);
  try {
    return await Promise.race([working, limit.reached]);
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    const isLate = limit.isReached();
    throw new ApiFailure({
      method: route.method,
      url,
      ...(isWhole ? { kind: 'malformed' } : { kind: 'unreachable', timedOut: isLate }),
      ...(isLate ? {} : { cause: error }),
    });
  } finally {
    limit.clear();
    signal?.removeEventListener('abort', stop);
    working.catch(() => undefined);
    // Closes the connection, however the exchange ended.
    stop();
  }
}

/**
 * The common part of all transports: address, headers, time limit, abort, the facts of a reply, its parsing and its
 * failures.
 */
export function createExchangeRunner(config: CallerConfig): ExchangeRunner {
  const { clock = browserClock, timers = browserTimers } = config;
  const caller = { ...config, clock, timers };
  return async (route, input, signal, work) => {
    try {
      return await runExchange(caller, route, input, signal, work);
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
