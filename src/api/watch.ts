import { createParser } from 'eventsource-parser';
import * as v from 'valibot';
import { TRANSFER_SILENCE_MS } from '#contract/limits.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { pageConfig } from './call.ts';
import { createExchangeRunner, parsedJson, type CallerConfig, type Exchange } from './exchange.ts';
import { ApiFailure } from './failure.ts';

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

/** Longer than any valid event. */
const EVENT_CHARACTERS = 8 * 1024 * 1024;

const EVENTS = /^text\/event-stream\s*(;|$)/i;

/** Reads one stream. Resolves at its end; throws `ApiFailure` and nothing else. */
export type Watcher = <const R extends Route>(
  route: R,
  input: CallInput<R>,
  options: WatchOptions<R>,
) => Promise<void>;

/** Reads server-sent events over fetch, because EventSource sends no bearer token. */
export function createWatcher(config: CallerConfig): Watcher {
  const run = createExchangeRunner(config);

  async function listen<R extends Route>(
    route: R,
    exchange: Exchange<R>,
    options: WatchOptions<R>,
  ): Promise<void> {
    exchange.restartTimer(options.firstWithinMs ?? FIRST_WITHIN_MS);
    const response = await (config.fetch ?? globalThis.fetch)(
      exchange.url,
      exchange.init('text/event-stream'),
    );
    const facts = exchange.facts(response);
    const isStream = EVENTS.test(response.headers.get('content-type') ?? '');
    if (!response.ok || !isStream || !response.body)
      throw exchange.refusal(response, facts, response.ok ? undefined : await response.text());
    exchange.accept(facts);

    let hasBegun = false;
    const malformed = (cause: unknown) =>
      new ApiFailure({ kind: 'malformed', method: route.method, url: exchange.url, cause });
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
      if (hasBegun) exchange.restartTimer(options.silenceMs ?? TRANSFER_SILENCE_MS);
    }
  }

  return (route, input, options) =>
    run(route, input, options.signal, async (exchange) => {
      try {
        await listen(route, exchange, options);
      } catch (error) {
        if (!options.signal.aborted) throw error;
      }
    });
}

/** Reads a route of server-sent events as the signed-in user. */
export const watch = createWatcher(pageConfig);
