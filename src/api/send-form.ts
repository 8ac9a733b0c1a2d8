import { TRANSFER_SILENCE_MS } from '#contract/limits.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { pageConfig } from './call.ts';
import {
  createExchangeRunner,
  type CallerConfig,
  type Exchange,
  type ReplyHead,
} from './exchange.ts';

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

function headersFrom(raw: string): Headers {
  const headers = new Headers();
  for (const line of raw.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}

/** XMLHttpRequest, because fetch reports no upload progress. */
function send(
  request: XMLHttpRequest,
  exchange: Exchange<Route>,
  { method, form, options }: { method: string; form: FormData; options: SendFormOptions },
): Promise<ReplyHead & { readonly text: string }> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('no answer'));
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      exchange.restartTimer(TRANSFER_SILENCE_MS);
      options.onProgress?.({ sent: loaded, total });
    });
    request.upload.addEventListener('load', () => exchange.restartTimer(REPLY_TIMEOUT_MS));
    request.addEventListener('progress', () => exchange.restartTimer(TRANSFER_SILENCE_MS));
    request.addEventListener('error', fail);
    request.addEventListener('abort', fail);
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        headers: headersFrom(request.getAllResponseHeaders()),
        text: request.responseText,
      }),
    );
    request.open(method, exchange.url);
    request.withCredentials = true;
    for (const [name, value] of Object.entries(exchange.headers()))
      request.setRequestHeader(name, value);
    if (exchange.signal.aborted) return fail();
    exchange.signal.addEventListener('abort', () => request.abort(), { once: true });
    exchange.restartTimer(TRANSFER_SILENCE_MS);
    request.send(form);
  });
}

/** Creates a function that sends forms to one server and reports progress. */
export function createFormSender(config: FormSenderConfig): FormSender {
  const run = createExchangeRunner(config);
  return (route, input, options = {}) =>
    run(route, input, options.signal, async (exchange) => {
      const request = config.request?.() ?? new XMLHttpRequest();
      const form = formBody(input);
      const answer = await send(request, exchange, { method: route.method, form, options });
      return exchange.reply(answer, exchange.facts(answer), answer.text);
    });
}

/** Sends a multipart form as the signed-in user and reports progress. */
export const sendForm = createFormSender(pageConfig);
