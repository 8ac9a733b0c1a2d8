import * as v from 'valibot';
import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { pageConfig } from './call.ts';
import { replyFacts } from './facts.ts';
import { ApiFailure } from './failure.ts';
import { failedReply, headersOf, parsedJson, type CallerConfig } from './request.ts';
import { urlOf } from './url.ts';

type Field = string | number | boolean | null | undefined;

interface Parts {
  readonly body?: Readonly<Record<string, Field>>;
  readonly files?: Readonly<Record<string, Blob | undefined>>;
}

/** Builds a multipart form: text fields first, then files; undefined and null are omitted. */
function formBody(input: unknown): FormData {
  const { body = {}, files = {} } = input as Parts;
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    if (value !== undefined && value !== null) form.append(name, String(value));
  for (const [name, file] of Object.entries(files)) {
    if (file) form.append(name, file, file instanceof File ? file.name : `${name}.bin`);
  }
  return form;
}

/** Bytes of the whole form. */
export interface SendProgress {
  readonly sent: number;
  readonly total: number;
}

export interface SendFormOptions {
  readonly onProgress?: (progress: SendProgress) => void;
  readonly signal?: AbortSignal;
  /** Maximum time without upload progress; default 5000 ms (specification, section 9). */
  readonly silenceMs?: number;
}

/** Sends a form and returns the parsed reply. Throws `ApiFailure` and nothing else. */
export type FormSender = <const R extends Route>(
  route: R,
  input: CallInput<R>,
  options?: SendFormOptions,
) => Promise<ReplyOf<R>>;

export interface FormSenderConfig extends CallerConfig {
  /** Absent: the browser's own. */
  readonly request?: () => XMLHttpRequest;
}

/** Time for the reply: all bytes are in the system's buffers, and the server checks and stores them. */
const REPLY_TIMEOUT_MS = 120_000;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface ConnectionLoss {
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

/** XMLHttpRequest, because fetch reports no upload progress. */
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
    const failWith = (timedOut: boolean) => (): void => {
      end();
      reject(Object.assign(new Error('no answer'), { timedOut } satisfies ConnectionLoss));
    };
    const restartTimer = (ms: number): void => {
      timers.clear(timer);
      timer = timers.set(() => {
        failWith(true)();
        request.abort();
      }, ms);
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      restartTimer(silenceMs);
      options.onProgress?.({ sent: loaded, total });
    });
    request.upload.addEventListener('load', () => restartTimer(REPLY_TIMEOUT_MS));
    request.addEventListener('progress', () => restartTimer(silenceMs));
    request.addEventListener('error', failWith(false));
    request.addEventListener('abort', failWith(false));
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
    if (options.signal?.aborted) return failWith(false)();
    options.signal?.addEventListener('abort', stop, { once: true });
    restartTimer(silenceMs);
    request.send(form);
  });
}

const browserClock = { wall: () => Date.now(), monotone: () => performance.now() };
const browserTimers = {
  set: (run: () => void, ms: number): unknown => setTimeout(run, ms),
  clear: (timer: unknown): void => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
};

/** Creates a function that sends forms to one server and reports progress. */
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
      (error: Error & Partial<ConnectionLoss>) => {
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

/** Any other error comes from a reply that cannot be parsed. */
const asFailure = (error: unknown, route: Route): ApiFailure =>
  error instanceof ApiFailure
    ? error
    : new ApiFailure({ kind: 'malformed', method: route.method, url: route.path, cause: error });

/** Sends a multipart form as the signed-in user and reports progress. */
export const sendForm = createFormSender(pageConfig);
