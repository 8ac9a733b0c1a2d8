import { UnreadableFile } from '#interchange/model.ts';

/** An entry of the central directory, checked against its local header. */
export interface DirectoryEntry {
  readonly path: string;
  readonly size: number;
  readonly packedSize: number;
  readonly method: number;
  readonly crc: number;
  /** Offset of its packed bytes. */
  readonly start: number;
  readonly isLink: boolean;
}

const END = 0x06054b50;
const END_64_LOCATOR = 0x07064b50;
const END_64 = 0x06064b50;
const LISTED = 0x02014b50;
const LOCAL = 0x04034b50;
const END_LENGTH = 22;
const MAX_COMMENT = 0xffff;
const FULL_16 = 0xffff;
const FULL_32 = 0xffffffff;

const damaged = () =>
  new UnreadableFile(
    'Архив повреждён или сохранён не полностью: скачайте или соберите его заново.',
  );

class Bytes {
  private readonly view: DataView;
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get length() {
    return this.bytes.length;
  }
  private at<T>(offset: number, length: number, read: () => T): T {
    if (!Number.isSafeInteger(offset) || offset < 0 || offset + length > this.length)
      throw damaged();
    return read();
  }
  u16(offset: number): number {
    return this.at(offset, 2, () => this.view.getUint16(offset, true));
  }
  u32(offset: number): number {
    return this.at(offset, 4, () => this.view.getUint32(offset, true));
  }
  u64(offset: number): number {
    const value = this.at(offset, 8, () => this.view.getBigUint64(offset, true));
    // No accepted file has such a size, so the value must be false.
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged();
    return Number(value);
  }
  slice(offset: number, length: number): Uint8Array {
    return this.at(offset, length, () => this.bytes.subarray(offset, offset + length));
  }
}

function findEnd(file: Bytes): number {
  const lowest = Math.max(0, file.length - END_LENGTH - MAX_COMMENT);
  for (let at = file.length - END_LENGTH; at >= lowest; at -= 1) {
    if (file.u32(at) === END && at + END_LENGTH + file.u16(at + 20) <= file.length) return at;
  }
  throw damaged();
}

interface Directory {
  count: number;
  size: number;
  offset: number;
  /** Where the directory must end. */
  end: number;
}

function locate(file: Bytes, end: number): Directory {
  const directory = {
    count: file.u16(end + 10),
    size: file.u32(end + 12),
    offset: file.u32(end + 16),
    end,
  };
  const isLarge =
    directory.count === FULL_16 || directory.size === FULL_32 || directory.offset === FULL_32;
  if (!isLarge || end < 20 || file.u32(end - 20) !== END_64_LOCATOR) return directory;
  const at = file.u64(end - 12);
  if (file.u32(at) !== END_64) throw damaged();
  return { count: file.u64(at + 32), size: file.u64(at + 40), offset: file.u64(at + 48), end: at };
}

/** Names without the UTF-8 flag are either UTF-8 or in the DOS code page of Russian Windows. */
function decodeName(raw: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    return new TextDecoder('ibm866').decode(raw);
  }
}

/** Reads the sizes and the offset that do not fit into 32 bits from an extra field, in this order. */
function large(file: Bytes, extra: number, length: number, values: number[]): number[] {
  if (!values.includes(FULL_32)) return values;
  for (let at = extra; at + 4 <= extra + length; at += 4 + file.u16(at + 2)) {
    if (file.u16(at) !== 1) continue;
    let next = at + 4;
    const end = next + file.u16(at + 2);
    return values.map((value) => {
      if (value !== FULL_32) return value;
      if (next + 8 > end) throw damaged();
      next += 8;
      return file.u64(next - 8);
    });
  }
  return values;
}

function readListed(
  file: Bytes,
  at: number,
): { entry: DirectoryEntry; from: number; next: number } {
  if (file.u32(at) !== LISTED) throw damaged();
  const nameLength = file.u16(at + 28);
  const extraLength = file.u16(at + 30);
  const commentLength = file.u16(at + 32);
  const [size = 0, packedSize = 0, from = 0] = large(file, at + 46 + nameLength, extraLength, [
    file.u32(at + 24),
    file.u32(at + 20),
    file.u32(at + 42),
  ]);
  const path = decodeName(file.slice(at + 46, nameLength));
  if ((file.u16(at + 8) & 1) === 1)
    throw new UnreadableFile('Архив закрыт паролем: сохраните его без пароля.');
  if (file.u32(from) !== LOCAL) throw damaged();
  const start = from + 30 + file.u16(from + 26) + file.u16(from + 28);
  const entry = {
    path,
    size,
    packedSize,
    method: file.u16(at + 10),
    crc: file.u32(at + 16),
    start,
    isLink: file.u32(at + 38) >>> 28 === 0xa,
  };
  if (entry.method === 0 && size !== packedSize) throw damaged();
  return { entry, from, next: at + 46 + nameLength + extraLength + commentLength };
}

/**
 * The central directory at an archive's end.
 * @throws {UnreadableFile} no archive, a password, or a directory that does not match the bytes, including
 * files that overlap each other or the directory (bombs are built so)
 */
export function readDirectory(
  bytes: Uint8Array,
  filesMost: number,
): { entries: readonly DirectoryEntry[]; extraBytes: number } {
  const file = new Bytes(bytes);
  const end = findEnd(file);
  const directory = locate(file, end);
  if (directory.count > filesMost)
    throw new UnreadableFile(`В архиве больше ${filesMost} файлов: такой архив не читается.`);
  if (directory.offset + directory.size > directory.end) throw damaged();
  const entries: DirectoryEntry[] = [];
  const ranges: { from: number; to: number }[] = [];
  let at = directory.offset;
  for (let index = 0; index < directory.count; index += 1) {
    const { entry, from, next } = readListed(file, at);
    if (next > directory.offset + directory.size) throw damaged();
    at = next;
    entries.push(entry);
    ranges.push({ from, to: entry.start + entry.packedSize });
  }
  ranges.sort((a, b) => a.from - b.from);
  let reached = 0;
  for (const { from, to } of ranges) {
    if (from < reached || to > directory.offset) throw damaged();
    reached = to;
  }
  return { entries, extraBytes: bytes.length - end - END_LENGTH - file.u16(end + 20) };
}
