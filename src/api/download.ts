import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import type { CallInput, Route } from '#contract/route.ts';
import { pageConfig } from './call.ts';
import { replyFacts } from './facts.ts';
import { ApiFailure } from './failure.ts';
import { failedReply, headersOf, parsedJson, type CallerConfig } from './request.ts';
import { bodyOf, urlOf } from './url.ts';

export interface DownloadOptions {
  /** Bytes; `total` null: no Content-Length. */
  readonly onProgress?: (progress: { received: number; total: number | null }) => void;
  readonly signal?: AbortSignal;
  /** Maximum silence; default 5000 ms (specification, section 9), a minute for the first byte. */
  readonly silenceMs?: number;
}

/** A downloaded file. */
export interface Downloaded {
  readonly blob: Blob;
  readonly fileName: string;
  readonly mimeType: string;
}

/** Fetches a route of bytes. Throws `ApiFailure` and nothing else. */
export type Downloader = <const R extends Route>(
  route: R,
  input: CallInput<R>,
  options?: DownloadOptions,
) => Promise<Downloaded>;

/** A file generated for the download takes time. */
const FIRST_MS = 60_000;
const DEFAULT_NAME = 'файл';

/** The name in `content-disposition: attachment; filename*=UTF-8''…`. */
export function attachmentName(disposition: string | null): string {
  const encoded = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename="([^"]+)"/i.exec(disposition ?? '')?.[1];
  try {
    return encoded === undefined ? (plain ?? DEFAULT_NAME) : decodeURIComponent(encoded);
  } catch {
    return plain ?? DEFAULT_NAME;
  }
}

const browserTimers = {
  set: (run: () => void, ms: number): unknown => setTimeout(run, ms),
  clear: (timer: unknown): void => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
};
const browserClock = { wall: () => Date.now(), monotone: () => performance.now() };

/** Creates a function that downloads files from one server address and reports progress. */
export function createDownloader(config: CallerConfig): Downloader {
  const timers = config.timers ?? browserTimers;
  const clock = config.clock ?? browserClock;

  async function gathered(
    response: Response,
    onPiece: () => void,
    onProgress: DownloadOptions['onProgress'],
  ): Promise<Blob> {
    const length = response.headers.get('content-length');
    const total = length === null ? null : Number(length);
    const type = response.headers.get('content-type') ?? '';
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let received = 0;
    const reader = response.body?.getReader();
    while (reader) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      received += value.length;
      onPiece();
      onProgress?.({ received, total });
    }
    return new Blob(pieces, { type });
  }

  async function attempt(
    route: Route,
    input: unknown,
    options: DownloadOptions,
  ): Promise<Downloaded> {
    const url = config.baseUrl + urlOf(route, input);
    const at = { method: route.method, url };
    const startedAt = clock.monotone();
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    options.signal?.addEventListener('abort', stop, { once: true });
    if (options.signal?.aborted) stop();
    let timedOut = false;
    let timer: unknown;
    const wind = (ms: number): void => {
      timers.clear(timer);
      timer = timers.set(() => {
        timedOut = true;
        stop();
      }, ms);
    };
    try {
      wind(FIRST_MS);
      const sent = bodyOf(route, input);
      const response = await (config.fetch ?? globalThis.fetch)(url, {
        method: route.method,
        headers: { ...headersOf(config, route, {}), accept: '*/*', ...sent.headers },
        ...(sent.body === undefined ? {} : { body: sent.body }),
        credentials: 'include',
        redirect: 'manual',
        cache: 'no-store',
        signal: abort.signal,
      });
      const { status, headers } = response;
      const facts = replyFacts({
        route: route.name,
        status,
        headers,
        receivedWall: clock.wall(),
        rttMs: Math.max(0, clock.monotone() - startedAt),
      });
      const silenceMs = options.silenceMs ?? HTTP_TIMEOUT_MS;
      if (status < 200 || status >= 300) {
        wind(silenceMs);
        const data = parsedJson(await response.text());
        const failure = failedReply(at, { status, headers, data }, facts);
        if (failure.kind === 'refused') config.onReply?.(facts);
        throw failure;
      }
      const disposition = headers.get('content-disposition');
      // A foreign page, such as a captive portal's.
      if (disposition === null) throw new ApiFailure({ kind: 'notOurs', ...at, status });
      config.onReply?.(facts);
      wind(silenceMs);
      const blob = await gathered(response, () => wind(silenceMs), options.onProgress);
      return { blob, fileName: attachmentName(disposition), mimeType: blob.type };
    } catch (error) {
      if (error instanceof ApiFailure) throw error;
      throw new ApiFailure({ kind: 'unreachable', ...at, timedOut, cause: error });
    } finally {
      timers.clear(timer);
      options.signal?.removeEventListener('abort', stop);
    }
  }

  return async (route, input, options = {}) => {
    try {
      return await attempt(route, input, options);
    } catch (error) {
      if (error instanceof ApiFailure) config.onFailure?.(error, route);
      throw error;
    }
  };
}

/** Downloads a file as the signed-in user. */
export const download = createDownloader(pageConfig);
