import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import type { Digest } from './format.ts';

/** A `.tar.gz` being written, one entry after another, streamed in chunks. */
export interface ArchiveWriter {
  /** The entries written so far, in order. */
  readonly entries: readonly Digest[];
  /** Writes exactly `size` bytes under a name. */
  add(name: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<Digest>;
  addWhole(name: string, bytes: Buffer): Promise<Digest>;
  /** Resolves when everything is on the disk. */
  finish(): Promise<void>;
  /** Ends without finishing; the file is no valid archive then. */
  abandon(): Promise<void>;
}

export interface WriterOptions {
  readonly madeAt: Date;
  /** Called with the bytes in the file after each chunk; may throw to end the writing. */
  readonly onWritten: (bytes: number) => Promise<void>;
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Photos do not shrink and text does at any level: the lowest one costs least CPU. */
const LEVEL = 1;

/** An archive's packer, and the end of its file. */
interface Packing {
  readonly packer: Pack;
  readonly madeAt: Date;
  /** Aborted when the file cannot be written any more. */
  readonly broken: AbortSignal;
}

/** Writes one entry and hashes its bytes. */
async function writeEntry(
  { packer, madeAt, broken }: Packing,
  name: string,
  size: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Digest> {
  const hash = createHash('sha256');
  const header = { name, size, mode: 0o600, mtime: madeAt };
  let entry!: Writable;
  let fail: () => void = () => undefined;
  const entered = new Promise<void>((resolve, reject) => {
    fail = () => reject(new Error(`the archive broke at ${name}`));
    broken.addEventListener('abort', fail, { once: true });
    entry = packer.entry(header, (error) => (error ? reject(error) : resolve()));
    entry.on('error', reject);
  });
  // The error is reported where the promise is awaited; an unhandled rejection would end the process.
  entered.catch(() => undefined);
  try {
    for await (const piece of bytes) {
      broken.throwIfAborted();
      hash.update(piece);
      if (!entry.write(piece)) await once(entry, 'drain', { signal: broken });
    }
    entry.end();
    await entered;
  } finally {
    broken.removeEventListener('abort', fail);
  }
  return { name, size, sha256: hash.digest('hex') };
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates an archive in a new file that only its owner can read. Throws EEXIST when the file exists. */
export async function createArchive(path: string, options: WriterOptions): Promise<ArchiveWriter> {
  await (await open(path, 'wx', 0o600)).close();
  const packer = pack();
  const entries: Digest[] = [];
  const broken = new AbortController();
  let written = 0;
  async function* metered(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      written += piece.length;
      await options.onWritten(written);
      yield piece;
    }
  }
  const writing = pipeline(
    packer,
    createGzip({ level: LEVEL }),
    metered,
    createWriteStream(path, { flags: 'r+' }),
  );
  // An entry waiting for a broken pipe to drain would wait for ever.
  let failure: unknown;
  writing.catch((error: unknown) => {
    failure ??= error;
    broken.abort();
  });

  const packing: Packing = { packer, madeAt: options.madeAt, broken: broken.signal };
  const writer: ArchiveWriter = {
    entries,
    async add(name, size, bytes) {
      try {
        const digest = await writeEntry(packing, name, size, bytes);
        entries.push(digest);
        return digest;
      } catch (error) {
        throw failure ?? error;
      }
    },
    addWhole: (name, bytes) => writer.add(name, bytes.length, one(bytes)),
    async finish() {
      packer.finalize();
      await writing;
      await syncFile(path);
    },
    async abandon() {
      packer.destroy();
      await writing.catch(() => undefined);
    },
  };
  return writer;
}
