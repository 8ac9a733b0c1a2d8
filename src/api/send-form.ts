import * as v from 'valibot';
import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { pageConfig } from './call.ts';
import { replyFacts } from './facts.ts';
import { ApiFailure } from './failure.ts';
import { formBody } from './form-body.ts';
import { failedReply, headersOf, parsedJson, type CallerConfig } from './request.ts';
import { urlOf } from './url.ts';

/** Bytes of the whole form. */
export interface SendProgress {
  readonly sent: number;
  readonly total: number;
}

export interface SendFormOptions {
  readonly onProgress?: (progress: SendProgress) => void;
  readonly signal?: AbortSignal;
  /** Nothing was taken for so long while sending; default 5000 ms (specification, section 9). */
  readonly silenceMs?: number;
}

/** Sends a form and gives the parsed reply. Throws `ApiFailure` and nothing else. */
export type FormSender = <const R extends Route>(
  route: R,
  input: CallInput<R>,
  options?: SendFormOptions,
) => Promise<ReplyOf<R>>;

export interface FormSenderConfig extends CallerConfig {
  /** Absent: the browser's own. */
  readonly request?: () => XMLHttpRequest;
}

/** All bytes are with the system by then, not yet with the server; and it judges and keeps them. */
const ANSWER_MS = 120_000;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Lost {
  readonly timedOut: boolean;
}

function headersFrom(raw: string): Headers {
  const headers = new Headers();
  for (const line of raw.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}

interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: FormData;
  readonly options: SendFormOptions;
}

/** Fetch tells nothing of how much has been sent: this is the one place for the older way. */
function exchange(
  request: XMLHttpRequest,
  timers: NonNullable<CallerConfig['timers']>,
  { url, method, headers, form, options }: Exchange,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const silenceMs = options.silenceMs ?? HTTP_TIMEOUT_MS;
    let timer: unknown;
    const stop = (): void => request.abort();
    const end = (): void => {
      timers.clear(timer);
      options.signal?.removeEventListener('abort', stop);
    };
    const lose = (timedOut: boolean) => (): void => {
      end();
      reject(Object.assign(new Error('no answer'), { timedOut } satisfies Lost));
    };
    const wind = (ms: number): void => {
      timers.clear(timer);
      timer = timers.set(() => {
        lose(true)();
        request.abort();
      }, ms);
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      wind(silenceMs);
      options.onProgress?.({ sent: loaded, total });
    });
    request.upload.addEventListener('load', () => wind(ANSWER_MS));
    request.addEventListener('progress', () => wind(silenceMs));
    request.addEventListener('error', lose(false));
    request.addEventListener('abort', lose(false));
    request.addEventListener('load', () => {
      end();
      resolve({
        status: request.status,
        headers: headersFrom(request.getAllResponseHeaders()),
        text: request.responseText,
      });
    });
    request.open(method, url);
    request.withCredentials = true;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (options.signal?.aborted) return lose(false)();
    options.signal?.addEventListener('abort', stop, { once: true });
    wind(silenceMs);
    request.send(form);
  });
}

const browserClock = { wall: () => Date.now(), monotone: () => performance.now() };
const browserTimers = {
  set: (run: () => void, ms: number): unknown => setTimeout(run, ms),
  clear: (timer: unknown): void => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
};

/** A function that sends forms over one server address and tells how far they are. */
export function createFormSender(config: FormSenderConfig): FormSender {
  const clock = config.clock ?? browserClock;
  const timers = config.timers ?? browserTimers;

  async function attempt<const R extends Route>(
    route: R,
    input: CallInput<R>,
    options: SendFormOptions,
  ): Promise<ReplyOf<R>> {
    const url = config.baseUrl + urlOf(route, input);
    const at = { method: route.method, url };
    const startedAt = clock.monotone();
    const sending = {
      ...at,
      headers: headersOf(config, route, {}),
      form: formBody(input),
      options,
    };
    const request = config.request?.() ?? new XMLHttpRequest();
    const { status, headers, text } = await exchange(request, timers, sending).catch(
      (error: Error & Partial<Lost>) => {
        const timedOut = error.timedOut === true;
        throw new ApiFailure({
          kind: 'unreachable',
          ...at,
          timedOut,
          ...(timedOut ? {} : { cause: error }),
        });
      },
    );
    const facts = replyFacts({
      route: route.name,
      status,
      headers,
      receivedWall: clock.wall(),
      rttMs: Math.max(0, clock.monotone() - startedAt),
    });
    const data = parsedJson(text);
    if (status < 200 || status >= 300) {
      const failure = failedReply(at, { status, headers, data }, facts);
      if (failure.kind === 'refused') config.onReply?.(facts);
      throw failure;
    }
    const parsed = v.safeParse(route.reply, data);
    if (!parsed.success)
      throw new ApiFailure({
        kind: data === undefined ? 'notOurs' : 'malformed',
        ...at,
        status,
        cause: parsed.issues,
      });
    config.onReply?.(facts);
    return parsed.output;
  }

  return async (route, input, options = {}) => {
    try {
      return await attempt(route, input, options);
    } catch (error) {
      const failure = asFailure(error, route);
      config.onFailure?.(failure, route);
      throw failure;
    }
  };
}

/** Whatever else was thrown is a reply that nobody understands. */
const asFailure = (error: unknown, route: Route): ApiFailure =>
  error instanceof ApiFailure
    ? error
    : new ApiFailure({ kind: 'malformed', method: route.method, url: route.path, cause: error });

/** Sends a multipart form as the signed-in person and tells how far it is. */
export const sendForm = createFormSender(pageConfig);
