import { FILE_CHUNK_BYTES } from '#contract/limits.ts';

/**
 * The size of an upload's next chunk, computed from the durations of the last ones. Pure: elapsed times are passed in.
 */
export interface ChunkSize {
  readonly bytes: number;
  /** The size that timed out last; null: none, or a chunk of that size has arrived since. */
  readonly failed: number | null;
  /** Chunks that must arrive before a size near the failed one is tried again. */
  readonly holdLeft: number;
  /** `holdLeft` after the next failure; doubles when the retry fails as well. */
  readonly hold: number;
}

/** Half of the time limit: a line that becomes twice as slow causes no time-out, and headers cost little. */
const TARGET_MS = 2_500;
const MIN_BYTES = 4 * 1024;
const MIN_HOLD = 8;
const MAX_HOLD = 64;

/** Small enough for 50 kbit/s: 3 s of a time limit of 5 s. */
export const FIRST_CHUNK: ChunkSize = {
  bytes: 16 * 1024,
  failed: null,
  holdLeft: 0,
  hold: MIN_HOLD,
};

const clamp = (bytes: number): number =>
  Math.floor(Math.min(FILE_CHUNK_BYTES, Math.max(MIN_BYTES, bytes)));

/** Aims at `TARGET_MS`, at most doubles, and stays below the failed size while it is on hold. */
export function afterChunk(size: ChunkSize, sent: number, elapsedMs: number): ChunkSize {
  const fitting = (sent * TARGET_MS) / Math.max(1, elapsedMs);
  // The last, shorter chunk of a file only shows whether the size is too large.
  const isTail = sent < size.bytes;
  const wanted = Math.min(fitting, 2 * sent);
  const bytes = isTail && fitting >= sent ? size.bytes : wanted;
  if (size.failed === null || sent >= size.failed) {
    return { bytes: clamp(bytes), failed: null, holdLeft: 0, hold: MIN_HOLD };
  }
  const holdLeft = Math.max(0, size.holdLeft - 1);
  const ceiling = holdLeft > 0 ? (size.failed * 3) / 4 : FILE_CHUNK_BYTES;
  return { ...size, bytes: clamp(Math.min(bytes, ceiling)), holdLeft };
}

/** Whether a chunk without a verdict failed because it was too large for the line. */
export const isTooSlow = (timedOut: boolean, elapsedMs: number): boolean =>
  timedOut || elapsedMs >= TARGET_MS;

/** A quarter of the size that timed out: the time limit is twice the target, and the line may be slower still. */
export function afterTimeOut(size: ChunkSize, sent: number): ChunkSize {
  const isRetry = size.failed !== null && size.holdLeft === 0;
  const hold = isRetry ? Math.min(MAX_HOLD, size.hold * 2) : size.hold;
  return { bytes: clamp(sent / 4), failed: sent, holdLeft: hold, hold };
}
