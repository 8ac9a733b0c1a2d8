import { Readable } from 'node:stream';
import { crc32, deflateRawSync } from 'node:zlib';
import {
  archiveEnd,
  centralRecord,
  dataDescriptor,
  localHeader,
  type WrittenEntry,
} from './zip-records.ts';

/** A file to be archived. */
export interface ArchivedFile {
  /** With folders, separated by `/`. */
  readonly path: string;
  readonly bytes: string | Buffer | AsyncIterable<Uint8Array>;
}

async function* piecesOf(bytes: Exclude<ArchivedFile['bytes'], string>) {
  if (Buffer.isBuffer(bytes)) yield bytes;
  else yield* bytes;
}

/** Writes the bytes of a file with checksum and sizes. Returns its record and its length. */
async function* entry(
  { path, bytes }: ArchivedFile,
  { offset, mtime }: Pick<WrittenEntry, 'offset' | 'mtime'>,
): AsyncGenerator<Uint8Array, { record: WrittenEntry; length: number }> {
  const name = Buffer.from(path, 'utf8');
  // Texts are compressed; uploaded files mostly are already.
  const isPacked = typeof bytes === 'string';
  const header = localHeader({ name, isPacked, mtime });
  yield header;
  let crc = 0;
  let size = 0;
  let packedSize = 0;
  if (isPacked) {
    const plain = Buffer.from(bytes, 'utf8');
    const packed = deflateRawSync(plain);
    [crc, size, packedSize] = [crc32(plain), plain.length, packed.length];
    yield packed;
  } else {
    for await (const piece of piecesOf(bytes)) {
      crc = crc32(piece, crc);
      size += piece.length;
      yield piece;
    }
    packedSize = size;
  }
  const record = { name, isPacked, mtime, offset, crc, size, packedSize };
  const descriptor = dataDescriptor(record);
  yield descriptor;
  return { record, length: header.length + packedSize + descriptor.length };
}

async function* archive(files: AsyncIterable<ArchivedFile>, now: Date): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = [];
  let offset = 0;
  for await (const file of files)
    try {
      const { record, length } = yield* entry(file, { offset, mtime: now });
      written.push(record);
      offset += length;
    } finally {
      // The reader may disconnect before the first byte of an open file.
      if (file.bytes instanceof Readable) file.bytes.destroy();
    }
  const start = offset;
  for (const each of written) {
    const record = centralRecord(each);
    offset += record.length;
    yield record;
  }
  yield archiveEnd({ count: written.length, start, size: offset - start });
}

/**
 * Files as a ZIP that is written while it is read, with at most one chunk of a file in memory. Unlimited length
 * and number of files (ZIP64).
 * @throws {Error} by the stream when one file has 4 GB or more: no stored file is so large
 */
export function zipOf(files: AsyncIterable<ArchivedFile>, now: Date): Readable {
  return Readable.from(archive(files, now), { objectMode: false });
}
