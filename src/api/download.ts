import { TRANSFER_SILENCE_MS } from '#contract/limits.ts';
import type { CallInput, Route } from '#contract/route.ts';
import { pageConfig, withConfirmation } from './call.ts';
import { createExchangeRunner, isGood, type CallerConfig } from './exchange.ts';
import { ApiFailure } from './failure.ts';

export interface DownloadOptions {
  /** Bytes; `total` null: no Content-Length. */
  readonly onProgress?: (progress: { received: number; total: number | null }) => void;
  readonly signal?: AbortSignal;
  /** Maximum silence; 15 s by default, a minute for the first byte. */
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

async function readBlob(
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

/** Creates a function that downloads files from one server address and reports progress. */
export function createDownloader(config: CallerConfig): Downloader {
  const run = createExchangeRunner(config);
  return (route, input, options = {}) =>
    run(route, input, options.signal, async (exchange) => {
      const restart = () => exchange.restartTimer(options.silenceMs ?? TRANSFER_SILENCE_MS);
      exchange.restartTimer(FIRST_MS);
      const response = await (config.fetch ?? globalThis.fetch)(exchange.url, exchange.init('*/*'));
      const facts = exchange.facts(response);
      restart();
      if (!isGood(response)) throw exchange.refusal(response, facts, await response.text());
      const disposition = response.headers.get('content-disposition');
      // A foreign page, such as a captive portal's.
      if (disposition === null) {
        const { status } = response;
        const { method } = route;
        throw new ApiFailure({ kind: 'notOurs', method, url: exchange.url, status });
      }
      exchange.accept(facts);
      const blob = await readBlob(response, restart, options.onProgress);
      return { blob, fileName: attachmentName(disposition), mimeType: blob.type };
    });
}

const downloadOnce = createDownloader(pageConfig);

/** Downloads a file as the signed-in user. One that needs a confirmation is repeated after it. */
export const download: Downloader = (route, input, options) =>
  withConfirmation(() => downloadOnce(route, input, options));
