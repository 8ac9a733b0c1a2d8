import type { Readable } from 'node:stream';

/** Received bytes in a temporary file on this machine, not stored yet. */
export interface Incoming {
  /** Lower-case hex of all bytes. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** The first bytes, for type detection. */
  readonly head: Buffer;
  /** The temporary file. */
  readonly path: string;
  /** Removes the temporary file; harmless once the bytes are stored. */
  discard(): Promise<void>;
}

/** Files by the SHA-256 of their bytes, each content once. Hashes are lower-case hex. */
export interface BlobStore {
  /** For the operator: where the bytes are stored. */
  readonly where: string;
  /** Remote: what must outlive this machine's disk goes there. */
  readonly isRemote: boolean;
  /**
   * Streams bytes into a temporary file, in chunks. Leaves nothing behind when it throws.
   * @throws {Refusal} TOO_LARGE as soon as more than `most` bytes arrived, STORAGE_FULL on a full disk
   */
  receive(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Incoming>;
  /**
   * Makes the bytes durable under their hash and removes the temporary file. Repeats are harmless.
   * @throws {Refusal} STORAGE_FULL, or UNAVAILABLE when the store is unavailable
   */
  keep(incoming: Incoming): Promise<void>;
  /**
   * Null: there is no such blob.
   * @throws {Refusal} UNAVAILABLE when the store is unavailable
   */
  open(sha256: string): Promise<Readable | null>;
  has(sha256: string): Promise<boolean>;
  /** A missing blob is no failure. */
  remove(sha256: string): Promise<void>;
  /**
   * Stores bytes of a known hash and size, as from a backup.
   * @throws {Error} when they differ; nothing is stored then
   */
  put(sha256: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Removes temporary files older than a time, left by a killed server. Returns their number. */
  sweepIncoming(before: Date): Promise<number>;
}

/** All bytes of a stream. For small ones. */
export async function gathered(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** The whole of a blob; null: there is none. */
export async function readBlob(store: BlobStore, sha256: string): Promise<Buffer | null> {
  const stream = await store.open(sha256);
  return stream && gathered(stream);
}
