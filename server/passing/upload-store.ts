import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '#server/files/sync-folder.ts';

/** Bytes of uploads on disk: `<id>.part` while they arrive, `<id>` once the checksum matches. */
export interface UploadStore {
  /** Writes bytes at an offset and makes them durable; false: the preceding bytes are missing. */
  write(id: string, offset: number, bytes: Buffer): Promise<boolean>;
  /** Lower-case hex of the received bytes. */
  sha256(id: string): Promise<string>;
  /** First bytes, for type detection. */
  head(id: string): Promise<Buffer>;
  complete(id: string): Promise<void>;
  /** Path of the bytes while they arrive. */
  partPath(id: string): string;
  discard(id: string): Promise<void>;
  /** Removes everything of an upload; a missing file is no failure. */
  remove(id: string): Promise<void>;
  /** Null: the bytes are missing. */
  read(id: string): Promise<Buffer | null>;
  has(id: string): Promise<boolean>;
}

const HEAD_BYTES = 4_100;

/** Null: there is no such file. */
async function ifThere<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Ids are UUIDs that the contract has parsed, so a path cannot escape the folder. */
export function createUploadStore(dataDir: string): UploadStore {
  const folder = join(dataDir, 'uploads');
  const part = (id: string) => join(folder, `${id}.part`);
  const whole = (id: string) => join(folder, id);

  return {
    async write(id, offset, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await ifThere(open(part(id), offset === 0 ? 'w' : 'r+', 0o600));
      if (!file) return false;
      try {
        if ((await file.stat()).size < offset) return false;
        await file.write(bytes, 0, bytes.length, offset);
        await file.truncate(offset + bytes.length);
        await file.datasync();
        return true;
      } finally {
        await file.close();
      }
    },
    async sha256(id) {
      const hash = createHash('sha256');
      await pipeline(createReadStream(part(id)), hash);
      return hash.digest('hex');
    },
    async head(id) {
      const file = await open(part(id), 'r');
      try {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    partPath: part,
    async complete(id) {
      await rename(part(id), whole(id));
      await syncFolder(folder);
    },
    async discard(id) {
      await rm(part(id), { force: true });
    },
    async remove(id) {
      await rm(part(id), { force: true });
      await rm(whole(id), { force: true });
    },
    async read(id) {
      return ifThere(readFile(whole(id)));
    },
    async has(id) {
      return (await ifThere(stat(whole(id)))) !== null;
    },
  };
}
