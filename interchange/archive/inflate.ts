import { Inflate } from 'fflate';
import { UnreadableFile } from '#interchange/model.ts';
import type { DirectoryEntry } from './directory.ts';

const STORED = 0;
const DEFLATED = 8;
/** Packed bytes at a time: deflate expands at most 1032-fold, so a false size is detected within 8 MB. */
const STEP_BYTES = 8 * 1024;

let table: Uint32Array | undefined;

function crcTable(): Uint32Array {
  if (table) return table;
  table = new Uint32Array(256);
  for (let index = 0; index < 256; index += 1) {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1)
      value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    table[index] = value >>> 0;
  }
  return table;
}

function crc32(bytes: Uint8Array): number {
  const of = crcTable();
  let value = 0xffffffff;
  for (const byte of bytes) value = (of[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

const damaged = (path: string) =>
  new UnreadableFile(`Файл «${path}» в архиве повреждён: скачайте или соберите архив заново.`);

/**
 * Unpacks one file of an archive; never more bytes than its entry declares.
 * @throws {UnreadableFile} damaged, of another size than declared, or with an unknown compression method
 */
export function inflateEntry(archive: Uint8Array, entry: DirectoryEntry): Uint8Array {
  const packed = archive.subarray(entry.start, entry.start + entry.packedSize);
  if (entry.method !== STORED && entry.method !== DEFLATED)
    throw new UnreadableFile(
      `Файл «${entry.path}» сжат способом, который здесь не читается: соберите обычный ZIP-архив.`,
    );
  const whole = entry.method === STORED ? packed.slice() : inflate(packed, entry);
  if (crc32(whole) !== entry.crc) throw damaged(entry.path);
  return whole;
}

function inflate(packed: Uint8Array, { path, size }: DirectoryEntry): Uint8Array {
  const whole = new Uint8Array(size);
  let length = 0;
  const stream = new Inflate((chunk) => {
    if (length + chunk.length > size) throw damaged(path);
    whole.set(chunk, length);
    length += chunk.length;
  });
  try {
    for (let at = 0; at < packed.length; at += STEP_BYTES)
      stream.push(packed.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= packed.length);
  } catch {
    throw damaged(path);
  }
  if (length !== size) throw damaged(path);
  return whole;
}
