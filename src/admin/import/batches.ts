import type { ImportResult, ImportRow } from '#contract/admin.ts';
import { IMPORT_BATCH_ROWS } from '#contract/limits.ts';
import { ApiFailure } from '#app/api/failure.ts';

/** Rows that travel together. The key is theirs for good: a repeat makes nobody twice. */
export interface Batch {
  readonly key: string;
  readonly rows: readonly ImportRow[];
}

/** Rows in the batches that the server takes. */
export function batchesOf(rows: readonly ImportRow[], newKey: () => string): Batch[] {
  const count = Math.ceil(rows.length / IMPORT_BATCH_ROWS);
  return Array.from({ length: count }, (_, at) => ({
    key: newKey(),
    rows: rows.slice(at * IMPORT_BATCH_ROWS, (at + 1) * IMPORT_BATCH_ROWS),
  }));
}

export interface RunOptions {
  /** Sends one batch, never cut short: its passwords come with the reply. Throws `ApiFailure`. */
  send: (batch: Batch) => Promise<readonly ImportResult[]>;
  /** Waits; ends at once when the run is stopped. */
  wait: (ms: number) => Promise<void>;
  signal: AbortSignal;
  /** The results of a batch, as soon as they are known. */
  onResults: (results: readonly ImportResult[]) => void;
  /** The server does not answer, or asks to wait; null: it goes on. */
  onWaiting: (words: string | null) => void;
}

/** `done` all batches; `stopped` by the person; `failed`: by what the server said. */
export type RunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Tries of one batch without any answer, before the person is asked what to do. */
const TRIES = 8;
const LONGEST_WAIT_MS = 30_000;

/** Milliseconds to wait before the next try; null: another try changes nothing. */
function waitAfter(error: unknown, tries: number): number | null {
  if (!(error instanceof ApiFailure)) return null;
  const backoff = Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (tries - 1));
  const isTold = error.status === 429 || error.status === 503;
  // A server that says when is waited for as long as it asks; a silent one only so many times.
  if (isTold && error.retryAfterMs !== undefined) return Math.max(error.retryAfterMs, 500);
  if (tries >= TRIES) return null;
  if (isTold || error.kind !== 'refused' || (error.status ?? 0) >= 500) return backoff;
  return null;
}

const wordsOf = (error: unknown): string =>
  error instanceof ApiFailure && error.status === 429
    ? 'Сервер просит подождать. Продолжим сами'
    : 'Сервер не отвечает. Повторяем сами';

/**
 * Sends batches one after the other. A batch whose reply was lost is sent again under its key; where `pending` goes on
 * after a stop, only batches without results are in it.
 */
export async function runBatches(pending: readonly Batch[], options: RunOptions): Promise<RunEnd> {
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
        onWaiting(wordsOf(error));
        await wait(ms);
      }
    }
  }
  return { kind: 'done' };
}
