import { BrokenPicture, PictureReader, type CleanPicture } from './cleaned.ts';

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const COMMENT = 0xfe;
const EXIF = Buffer.from('Exif\0\0', 'latin1');

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const hasLength = (marker: number) => !(marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9));

/** Colours come out wrong without these: JFIF, the colour profile, Adobe's transform. */
function isNeeded(marker: number, body: Buffer): boolean {
  const startsWith = (name: string) => body.subarray(0, name.length).toString('latin1') === name;
  if (marker === 0xe0) return startsWith('JFIF\0');
  if (marker === 0xe2) return startsWith('ICC_PROFILE\0');
  if (marker === 0xee) return startsWith('Adobe');
  return marker < 0xe0 || (marker > 0xef && marker !== COMMENT);
}

/** The EXIF orientation, 1 to 8; 1: none. */
function orientationOf(body: Buffer): number {
  const tiff = body.subarray(EXIF.length);
  if (!body.subarray(0, EXIF.length).equals(EXIF) || tiff.length < 14) return 1;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return 1;
  for (let entry = 0; entry < short(first); entry += 1) {
    const at = first + 2 + entry * 12;
    if (at + 12 > tiff.length) return 1;
    if (short(at) === 0x0112) {
      const value = short(at + 8);
      return value >= 1 && value <= 8 ? value : 1;
    }
  }
  return 1;
}

/** Metadata with the orientation alone. */
function turned(orientation: number): Buffer {
  const tiff = Buffer.from(
    'MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0',
    'latin1',
  );
  tiff.writeUInt16BE(orientation, 18);
  const body = Buffer.concat([EXIF, tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** The compressed data of a scan: up to the next marker outside it. */
function scanData(reader: PictureReader): Buffer {
  const from = reader.at;
  for (;;) {
    const next = reader.bytes.indexOf(0xff, reader.at);
    if (next === -1 || next + 1 >= reader.bytes.length) throw new BrokenPicture();
    const marker = reader.bytes.readUInt8(next + 1);
    if (marker !== 0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd7)) {
      reader.at = next;
      return reader.bytes.subarray(from, next);
    }
    reader.at = next + 1;
  }
}

/** Copies the segments that a JPEG needs for display. Throws `BrokenPicture`. */
export function cleanJpeg(bytes: Buffer): CleanPicture {
  const reader = new PictureReader(bytes);
  if (reader.byte() !== 0xff || reader.byte() !== START) throw new BrokenPicture();
  const output: Buffer[] = [Buffer.from([0xff, START])];
  let size: { width: number; height: number } | null = null;
  let orientation = 1;
  let hasScan = false;
  for (;;) {
    if (reader.byte() !== 0xff) throw new BrokenPicture();
    let marker = reader.byte();
    while (marker === 0xff) marker = reader.byte();
    if (marker === END) break;
    if (!hasLength(marker)) continue;
    const length = reader.take(2);
    const body = reader.take(length.readUInt16BE() - 2);
    if (isFrame(marker)) {
      if (body.length < 5) throw new BrokenPicture();
      // Readers use the first one.
      size ??= { height: body.readUInt16BE(1), width: body.readUInt16BE(3) };
    }
    if (marker === 0xe1 && orientation === 1) orientation = orientationOf(body);
    if (isNeeded(marker, body)) output.push(Buffer.from([0xff, marker]), length, body);
    if (marker !== SCAN) continue;
    hasScan = true;
    output.push(scanData(reader));
  }
  if (!size || !hasScan) throw new BrokenPicture();
  output.push(Buffer.from([0xff, END]));
  if (orientation !== 1) output.splice(1, 0, turned(orientation));
  return { bytes: Buffer.concat(output), ...size };
}
