import { createParser } from 'eventsource-parser';
import * as v from 'valibot';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { replyFacts } from './facts.ts';
import { ApiFailure } from './failure.ts';
import { failedReply, headersOf, parsedJson, type CallerConfig } from './request.ts';
import { bodyOf, urlOf } from './url.ts';

export interface WatchOptions<R extends Route> {
  /** One parsed event. */
  readonly onEvent: (value: ReplyOf<R>) => void;
  /** Called for a heartbeat. */
  readonly onAlive?: () => void;
  /** Aborted by the caller: `watch` resolves. */
  readonly signal: AbortSignal;
  /** Without a first event by then, a proxy is buffering the stream. */
  readonly firstWithinMs?: number;
  /** After this silence the stream is dead, even if the socket is open. */
  readonly silenceMs?: number;
}

const FIRST_WITHIN_MS = 5_000;
const SILENCE_MS = 40_000;

/** Longer than any valid event. */
const EVENT_CHARACTERS = 8 * 1024 * 1024;

const EVENTS = /^text\/event-stream\s*(;|$)/i;

/** Reads one stream. Resolves at its end; throws `ApiFailure` and nothing else. */
export type Watcher = <const R extends Route>(
  route: R,
  input: CallInput<R>,
  options: WatchOptions<R>,
) => Promise<void>;

/** A restartable timer. */
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

/** Reads server-sent events over fetch, because EventSource sends no bearer token. */
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
    const malformed = (cause: unknown) => new ApiFailure({ kind: 'malformed', ...at, cause });
    const parser = createParser({
      maxBufferSize: EVENT_CHARACTERS,
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') throw malformed(error);
      },
      onEvent: ({ data }) => {
        const parsed = v.safeParse(route.reply, parsedJson(data));
        if (!parsed.success) throw malformed(parsed.issues);
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
      parser.feed(decoder.decode(value, { stream: true }));
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
      // Closes the connection, however the stream ended.
      stop();
    }
  };
}
