import { BrokenPicture, PictureReader, type CleanPicture } from './cleaned.ts';

/** The chunks needed for display. */
const NEEDED = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Bits of the extended header that announce the metadata. */
const ANNOUNCED = 0x08 | 0x04;

type Size = Pick<CleanPicture, 'width' | 'height'>;

function sizeOf(type: string, body: Buffer): Size | null {
  if (type === 'VP8X' && body.length >= 10) {
    return { width: body.readUIntLE(4, 3) + 1, height: body.readUIntLE(7, 3) + 1 };
  }
  if (type === 'VP8 ' && body.length >= 10) {
    return { width: body.readUInt16LE(6) & 0x3fff, height: body.readUInt16LE(8) & 0x3fff };
  }
  if (type === 'VP8L' && body.length >= 5) {
    const bits = body.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return null;
}

/** Copies the chunks that a WebP needs for display. Throws `BrokenPicture`. */
export function cleanWebp(bytes: Buffer): CleanPicture {
  const reader = new PictureReader(bytes);
  reader.take(4);
  const end = reader.take(4).readUInt32LE() + 8;
  reader.take(4);
  const output: Buffer[] = [];
  let size: Size | null = null;
  while (reader.at < end) {
    const head = reader.take(8);
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const body = Buffer.from(reader.take(length));
    const padding = length % 2 === 1 && reader.at < end ? reader.take(1) : Buffer.alloc(0);
    size ??= sizeOf(type, body);
    if (!NEEDED.has(type)) continue;
    if (type === 'VP8X') body.writeUInt8(body.readUInt8(0) & ~ANNOUNCED, 0);
    output.push(head, body, padding);
  }
  if (!size) throw new BrokenPicture();
  const chunks = Buffer.concat(output);
  const riff = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  riff.writeUInt32LE(chunks.length + 4, 4);
  return { bytes: Buffer.concat([riff, chunks]), ...size };
}
