import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '#server/files/sync-folder.ts';

/** Bytes of uploads on disk: `<id>.part` while they come, `<id>` once the checksum agreed. */
export interface UploadStore {
  /** Writes bytes at an offset and makes them durable; false: what should be before them is not there. */
  write(id: string, offset: number, bytes: Buffer): Promise<boolean>;
  /** Lower-case hex of what has come. */
  sha256(id: string): Promise<string>;
  /** First bytes, for finding the type. */
  head(id: string): Promise<Buffer>;
  complete(id: string): Promise<void>;
  /** Where the bytes of an upload lie while they come. */
  partPath(id: string): string;
  discard(id: string): Promise<void>;
  /** Everything of an upload that is erased; nothing there is no failure. */
  remove(id: string): Promise<void>;
  /** Null: the bytes are not there. */
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

/** Ids are UUIDs that the contract has parsed, so that no path leads elsewhere. */
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
