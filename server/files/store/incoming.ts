import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '#server/http/refusal.ts';
import type { BlobStore, Incoming } from './blob-store.ts';

const HEAD_BYTES = 4_100;

const isFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Maps a failure of the disk; a full disk has its own code. */
export const diskFailure = (error: unknown): unknown =>
  isFull(error) ? new Refusal('STORAGE_FULL', { retryAfterSeconds: 60 }) : error;

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  // A disk that fills up writes less than it was given.
  while (written < bytes.length)
    written += (await file.write(bytes, written, bytes.length - written)).bytesWritten;
}

interface WrittenFile {
  sha256: string;
  size: number;
  head: Buffer;
}

async function writeToFile(
  file: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  most: number,
): Promise<WrittenFile> {
  const hash = createHash('sha256');
  const heads: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    const before = size;
    size += piece.length;
    if (size > most) throw new Refusal('TOO_LARGE');
    if (before < HEAD_BYTES) heads.push(piece.subarray(0, HEAD_BYTES - before));
    hash.update(piece);
    await writeWhole(file, piece);
  }
  await file.sync();
  return { sha256: hash.digest('hex'), size, head: Buffer.concat(heads) };
}

/** Where files are while they arrive: `${dataDir}/incoming`. */
export function incomingFolder(
  dataDir: string,
): Pick<BlobStore, 'receive' | 'sweepIncoming'> & { folder: string } {
  const folder = join(dataDir, 'incoming');
  return {
    folder,
    async receive(bytes, most): Promise<Incoming> {
      const path = join(folder, randomUUID());
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const file = await open(path, 'wx', 0o600);
        try {
          const taken = await writeToFile(file, bytes, most);
          return { ...taken, path, discard: () => rm(path, { force: true }) };
        } finally {
          await file.close();
        }
      } catch (error) {
        await rm(path, { force: true });
        throw diskFailure(error);
      }
    },
    async sweepIncoming(before) {
      const names = await readdir(folder).catch(() => []);
      let removed = 0;
      for (const name of names) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        if (!found?.isFile() || found.mtimeMs >= before.getTime()) continue;
        await rm(path, { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

/** Stores bytes of a known hash via a temporary file, verified before anything is stored. */
export async function storeVerified(
  store: Pick<BlobStore, 'receive' | 'keep'>,
  of: { sha256: string; size: number; bytes: AsyncIterable<Uint8Array> },
): Promise<void> {
  const incoming = await store.receive(of.bytes, of.size);
  try {
    if (incoming.sha256 !== of.sha256 || incoming.size !== of.size)
      throw new Error(`the bytes of blob ${of.sha256} are others`);
    await store.keep(incoming);
  } finally {
    await incoming.discard();
  }
}
