import { statfs } from 'node:fs/promises';
import { ERRORS } from '#contract/errors.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';

/** Files arrive in parts of 256 KB: checking the disk once for many of them is exact enough. */
const FRESH_MS = 2_000;
const RETRY_AFTER_SECONDS = 60;

/** Free bytes of the disk of a folder, read at most every two seconds. */
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
 * Files stop before answers do: below the reserve no files are accepted, so that the database on the same disk can
 * continue to write.
 * @param message Russian; the code's default message when absent
 * @throws {Refusal} STORAGE_FULL: devices retain their files and send them later
 */
export async function requireRoomForFiles(
  { freeBytes, settings }: Pick<Deps, 'freeBytes' | 'settings'>,
  message: string = ERRORS.STORAGE_FULL.message,
): Promise<void> {
  const free = await freeBytes();
  if (free !== null && free < settings.diskReserveBytes)
    throw new Refusal('STORAGE_FULL', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
