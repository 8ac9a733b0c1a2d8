/** A file of an archive in the central directory. */
export interface WrittenEntry {
  readonly name: Buffer;
  /** Deflated, else stored. */
  readonly isPacked: boolean;
  readonly mtime: Date;
  /** Offset of its local header from the beginning of the archive. */
  readonly offset: number;
  readonly crc: number;
  readonly size: number;
  readonly packedSize: number;
}

const LARGEST_16 = 0xffff;
const LARGEST_32 = 0xffffffff;
/** Versions of the format that a reader must support: folders and deflate, or ZIP64. */
const PLAIN = 20;
const ZIP64 = 45;
/** The checksum follows the bytes; the name is UTF-8. */
const FLAGS = 0x0808;

interface Field {
  readonly bytes: 2 | 4 | 8;
  readonly value: number;
}
const two = (value: number): Field => ({ bytes: 2, value });
const four = (value: number): Field => ({ bytes: 4, value });
const eight = (value: number): Field => ({ bytes: 8, value });

/** Concatenated fields, little-endian as everywhere in the format. */
function record(...fields: readonly Field[]): Buffer {
  const made = Buffer.alloc(fields.reduce((sum, { bytes }) => sum + bytes, 0));
  let at = 0;
  for (const { bytes, value } of fields) {
    if (bytes === 8) made.writeBigUInt64LE(BigInt(value), at);
    else made.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return made;
}

/** MS-DOS time and date of this machine's clock, in steps of two seconds. */
const timeFields = (at: Date): [Field, Field] => [
  two((at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)),
  two(((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()),
];

const method = (isPacked: boolean) => two(isPacked ? 8 : 0);

/** The local header of a file; sizes and checksum follow the bytes. */
export function localHeader(entry: Pick<WrittenEntry, 'name' | 'isPacked' | 'mtime'>): Buffer {
  const { name, isPacked, mtime } = entry;
  const unknown = [four(0), four(0), four(0)];
  const fields = [two(PLAIN), two(FLAGS), method(isPacked), ...timeFields(mtime), ...unknown];
  return Buffer.concat([record(four(0x04034b50), ...fields, two(name.length), two(0)), name]);
}

/** The data descriptor after the bytes of a file. */
export function dataDescriptor({ crc, size, packedSize }: WrittenEntry): Buffer {
  // Its header was written before the size was known, and says 32 bits.
  if (Math.max(size, packedSize) >= LARGEST_32) throw new Error('a file of 4 GB in an archive');
  return record(four(0x08074b50), four(crc), four(packedSize), four(size));
}

/** The central directory record of a file. */
export function centralRecord(entry: WrittenEntry): Buffer {
  const { name, isPacked, mtime, offset, crc, size, packedSize } = entry;
  const isFar = offset >= LARGEST_32;
  const far = isFar ? record(two(1), two(8), eight(offset)) : Buffer.alloc(0);
  const version = two(isFar ? ZIP64 : PLAIN);
  const head = record(
    four(0x02014b50),
    version,
    version,
    two(FLAGS),
    method(isPacked),
    ...timeFields(mtime),
    four(crc),
    four(packedSize),
    four(size),
    // Comment, disk, attributes: none.
    two(name.length),
    two(far.length),
    two(0),
    two(0),
    two(0),
    four(0),
    four(Math.min(offset, LARGEST_32)),
  );
  return Buffer.concat([head, name, far]);
}

/** The end of the central directory: its offset, length and number of files. */
export function archiveEnd(directory: { count: number; start: number; size: number }): Buffer {
  const { count, start, size } = directory;
  const counts = two(Math.min(count, LARGEST_16));
  const end = record(
    four(0x06054b50),
    two(0),
    two(0),
    counts,
    counts,
    four(Math.min(size, LARGEST_32)),
    four(Math.min(start, LARGEST_32)),
    two(0),
  );
  if (count < LARGEST_16 && Math.max(start, size) < LARGEST_32) return end;
  const large = record(
    four(0x06064b50),
    eight(44),
    two(ZIP64),
    two(ZIP64),
    four(0),
    four(0),
    eight(count),
    eight(count),
    eight(size),
    eight(start),
  );
  const locator = record(four(0x07064b50), four(0), eight(start + size), four(1));
  return Buffer.concat([large, locator, end]);
}
