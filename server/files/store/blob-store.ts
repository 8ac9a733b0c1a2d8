import type { Readable } from 'node:stream';

/** Bytes that came in and lie in a temporary file on this machine, not kept yet. */
export interface Incoming {
  /** Lower-case hex of all bytes. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** The first bytes, for finding the type. */
  readonly head: Buffer;
  /** The temporary file. */
  readonly path: string;
  /** Removes the temporary file; harmless once the bytes are kept. */
  discard(): Promise<void>;
}

/** Files by the SHA-256 of their bytes, each content once. Hashes are lower-case hex. */
export interface BlobStore {
  /** For the operator: where the bytes lie. */
  readonly where: string;
  /** Apart from this machine's disk: what must outlive the disk goes there. */
  readonly isRemote: boolean;
  /**
   * Streams bytes into a temporary file, never holding more than a piece of them in memory.
   * Nothing is left behind when it throws.
   * @throws {Refusal} TOO_LARGE as soon as more than `most` bytes came, STORAGE_FULL on a full disk
   */
  receive(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Incoming>;
  /**
   * Makes the bytes durable under their hash; its temporary file is gone afterwards. Repeats are harmless.
   * @throws {Refusal} STORAGE_FULL, or UNAVAILABLE when the store is away
   */
  keep(incoming: Incoming): Promise<void>;
  /**
   * Null: there is no such blob.
   * @throws {Refusal} UNAVAILABLE when the store is away
   */
  open(sha256: string): Promise<Readable | null>;
  has(sha256: string): Promise<boolean>;
  /** No such blob: nothing happens. */
  remove(sha256: string): Promise<void>;
  /**
   * Keeps bytes whose hash and size are known, as from a backup.
   * @throws {Error} when they are others; nothing is kept then
   */
  put(sha256: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Removes temporary files of before a time, left by a server that was killed; how many. */
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
