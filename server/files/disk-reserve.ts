import { statfs } from 'node:fs/promises';
import { ERRORS } from '#contract/errors.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';

/** Files come in parts of 256 KB: asking the disk once for many of them is exact enough. */
const FRESH_MS = 2_000;
const RETRY_AFTER_SECONDS = 60;

/** Free bytes of the disk that a folder lies on, asked at most every two seconds. */
export function createFreeBytesReader(folder: string): Deps['freeBytes'] {
  let reading: Promise<number | null> | null = null;
  let readAt = -Infinity;
  return () => {
    const now = performance.now();
    if (!reading || now - readAt >= FRESH_MS) {
      readAt = now;
      reading = statfs(folder).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => null,
      );
    }
    return reading;
  };
}

/**
 * Files stop before answers do: below the reserve the disk takes none, so that the database beside them can
 * go on writing.
 * @param message Russian; the code's own words when absent
 * @throws {Refusal} STORAGE_FULL: devices keep their files and send them later
 */
export async function requireRoomForFiles(
  { freeBytes, settings }: Pick<Deps, 'freeBytes' | 'settings'>,
  message: string = ERRORS.STORAGE_FULL.message,
): Promise<void> {
  const free = await freeBytes();
  if (free !== null && free < settings.diskReserveBytes)
    throw new Refusal('STORAGE_FULL', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
