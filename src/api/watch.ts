import * as v from 'valibot';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { replyFacts } from './facts.ts';
import { ApiFailure } from './failure.ts';
import { failedReply, headersOf, parsedJson, type CallerConfig } from './request.ts';
import { createEventReader } from './server-events.ts';
import { bodyOf, urlOf } from './url.ts';

export interface WatchOptions<R extends Route> {
  /** One parsed event. */
  readonly onEvent: (value: ReplyOf<R>) => void;
  /** The server said that it is there and nothing changed. */
  readonly onAlive?: () => void;
  /** Aborted by the caller: `watch` resolves. */
  readonly signal: AbortSignal;
  /** No first event by then: something on the way holds the stream back. */
  readonly firstWithinMs?: number;
  /** Nothing at all for so long: the stream is dead, whatever the socket says. */
  readonly silenceMs?: number;
}

const FIRST_WITHIN_MS = 5_000;
const SILENCE_MS = 40_000;

const EVENTS = /^text\/event-stream\s*(;|$)/i;

/** Listens to one stream. Resolves at its end; throws `ApiFailure` and nothing else. */
export type Watcher = <const R extends Route>(
  route: R,
  input: CallInput<R>,
  options: WatchOptions<R>,
) => Promise<void>;

/** A timer that is wound up again and again. */
function watchdog(timers: NonNullable<CallerConfig['timers']>, bark: () => void) {
  let timer: unknown;
  return {
    wind(ms: number): void {
      timers.clear(timer);
      timer = timers.set(bark, ms);
    },
    stop(): void {
      timers.clear(timer);
    },
  };
}

/** A reader of server-sent events over fetch: EventSource carries no bearer. */
export function createWatcher(config: CallerConfig): Watcher {
  const clock = config.clock ?? { wall: () => Date.now(), monotone: () => performance.now() };
  const timers = config.timers ?? {
    set: (run: () => void, ms: number): unknown => setTimeout(run, ms),
    clear: (timer: unknown): void => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
  };

  async function listen<R extends Route>(
    route: R,
    url: string,
    input: CallInput<R>,
    options: WatchOptions<R>,
    abort: AbortController,
    dog: ReturnType<typeof watchdog>,
  ): Promise<void> {
    const at = { method: route.method, url };
    const startedAt = clock.monotone();
    const sent = bodyOf(route, input);
    const response = await (config.fetch ?? globalThis.fetch)(url, {
      method: route.method,
      headers: {
        ...headersOf(config, route, {}),
        accept: 'text/event-stream',
        ...sent.headers,
      },
      ...(sent.body === undefined ? {} : { body: sent.body }),
      credentials: 'include',
      redirect: 'manual',
      cache: 'no-store',
      signal: abort.signal,
    });
    const facts = replyFacts({
      route: route.name,
      status: response.status,
      headers: response.headers,
      receivedWall: clock.wall(),
      rttMs: Math.max(0, clock.monotone() - startedAt),
    });
    const isStream = EVENTS.test(response.headers.get('content-type') ?? '');
    if (!response.ok || !isStream || !response.body) {
      const data = response.ok ? undefined : parsedJson(await response.text());
      const { status, headers } = response;
      const failure = failedReply(at, { status, headers, data }, facts);
      if (failure.kind === 'refused') config.onReply?.(facts);
      throw failure;
    }
    config.onReply?.(facts);

    let hasBegun = false;
    const take = createEventReader({
      onData: (text) => {
        const parsed = v.safeParse(route.reply, parsedJson(text));
        if (!parsed.success) {
          throw new ApiFailure({ kind: 'malformed', ...at, cause: parsed.issues });
        }
        hasBegun = true;
        options.onEvent(parsed.output);
      },
      onComment: () => {
        if (hasBegun) options.onAlive?.();
      },
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      take(decoder.decode(value, { stream: true }));
      if (hasBegun) dog.wind(options.silenceMs ?? SILENCE_MS);
    }
  }

  return async (route, input, options) => {
    const url = config.baseUrl + urlOf(route, input);
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    let isSilent = false;
    const dog = watchdog(timers, () => {
      isSilent = true;
      stop();
    });
    dog.wind(options.firstWithinMs ?? FIRST_WITHIN_MS);
    options.signal.addEventListener('abort', stop, { once: true });
    if (options.signal.aborted) stop();
    try {
      await listen(route, url, input, options, abort, dog);
    } catch (error) {
      if (options.signal.aborted) return;
      const failure =
        error instanceof ApiFailure
          ? error
          : new ApiFailure({
              kind: 'unreachable',
              method: route.method,
              url,
              timedOut: isSilent,
              cause: error,
            });
      config.onFailure?.(failure, route);
      throw failure;
    } finally {
      dog.stop();
      options.signal.removeEventListener('abort', stop);
      // Whatever ended it, the connection is not kept.
      stop();
    }
  };
}
