import { createFetch } from 'ofetch';
import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { createExchangeRunner, type CallerConfig, type HeaderOptions } from './exchange.ts';
import type { ReplyFacts } from './facts.ts';

export interface CallOptions extends HeaderOptions {
  readonly signal?: AbortSignal;
  /** Default 5000 ms (specification, section 9). */
  readonly timeoutMs?: number;
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

/** Creates a function that calls routes of one server, with its own fetch, clock and token. */
export function createCaller(config: CallerConfig): Caller {
  const run = createExchangeRunner(config);
  const send = createFetch({
    fetch: config.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    Headers: globalThis.Headers,
    AbortController: globalThis.AbortController,
  });

  return (route, input, options = {}) =>
    run(route, input, options.signal, async (exchange) => {
      // The time-out includes the body.
      exchange.restartTimer(options.timeoutMs ?? HTTP_TIMEOUT_MS);
      const response = await send.raw(exchange.url, {
        ...exchange.init('application/json', options),
        responseType: 'text',
        ignoreResponseError: true,
        retry: 0,
      });
      const { status, headers } = response;
      const facts = exchange.facts(response);
      return { reply: exchange.reply(response, facts, response._data), status, headers, facts };
    });
}
