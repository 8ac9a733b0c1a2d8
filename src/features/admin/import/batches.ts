import type { ImportResult, ImportRow } from '#contract/admin.ts';
import { IMPORT_BATCH_ROWS } from '#contract/limits.ts';
import { ApiFailure } from '#app/api/failure.ts';

/** Rows sent together. The idempotency key is permanent: a repeat creates nobody twice. */
export interface ImportBatch {
  readonly key: string;
  readonly rows: readonly ImportRow[];
}

/** Splits rows into batches of the server's limit. */
export function batchesOf(rows: readonly ImportRow[], newKey: () => string): ImportBatch[] {
  const count = Math.ceil(rows.length / IMPORT_BATCH_ROWS);
  return Array.from({ length: count }, (_, at) => ({
    key: newKey(),
    rows: rows.slice(at * IMPORT_BATCH_ROWS, (at + 1) * IMPORT_BATCH_ROWS),
  }));
}

export interface ImportRunOptions {
  /** Sends one batch, never aborted: its passwords are in the reply. Throws `ApiFailure`. */
  send: (batch: ImportBatch) => Promise<readonly ImportResult[]>;
  /** Waits; resolves at once when the run is stopped. */
  wait: (ms: number) => Promise<void>;
  signal: AbortSignal;
  /** Called with the results of each batch. */
  onResults: (results: readonly ImportResult[]) => void;
  /** Called with a message while waiting for the server; null: resumed. */
  onWaiting: (message: string | null) => void;
}

/** `done`: all batches; `stopped`: by the user; `failed`: refused by the server. */
export type RunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Attempts of one batch without a reply before the user has to decide. */
const TRIES = 8;
const LONGEST_WAIT_MS = 30_000;

/** Milliseconds before the next retry; null: not retryable. */
function waitAfter(error: unknown, tries: number): number | null {
  if (!(error instanceof ApiFailure)) return null;
  const backoff = Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (tries - 1));
  const isOverloaded = error.status === 429 || error.status === 503;
  // Retry-After is honoured; without a reply the retries are limited.
  if (isOverloaded && error.retryAfterMs !== undefined) return Math.max(error.retryAfterMs, 500);
  if (tries >= TRIES) return null;
  if (isOverloaded || error.kind !== 'refused' || (error.status ?? 0) >= 500) return backoff;
  return null;
}

const errorMessage = (error: unknown): string =>
  error instanceof ApiFailure && error.status === 429
    ? 'Сервер просит подождать. Продолжим сами'
    : 'Сервер не отвечает. Повторяем сами';

/**
 * Sends batches sequentially. A batch with a lost reply is sent again with its key. To resume after a stop, `pending`
 * contains only batches without results.
 */
export async function runBatches(
  pending: readonly ImportBatch[],
  options: ImportRunOptions,
): Promise<RunEnd> {
  const { send, wait, signal, onResults, onWaiting } = options;
  for (const batch of pending) {
    for (let tries = 1; ; tries += 1) {
      if (signal.aborted) return { kind: 'stopped' };
      try {
        const results = await send(batch);
        onWaiting(null);
        onResults(results);
        break;
      } catch (error) {
        if (signal.aborted) return { kind: 'stopped' };
        const ms = waitAfter(error, tries);
        if (ms === null) {
          onWaiting(null);
          return { kind: 'failed', error };
        }
        onWaiting(errorMessage(error));
        await wait(ms);
      }
    }
  }
  return { kind: 'done' };
}
