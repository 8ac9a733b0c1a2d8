import { crc32 } from 'node:zlib';

export const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A segment of a JPEG. */
export function jpegSegment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** A chunk of a PNG with its checksum. */
export function pngChunk(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const typed = Buffer.concat([latin(type), body]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}

/** A chunk of a WebP, padded to an even length. */
export function webpChunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** A whole WebP of chunks. */
export function webpOf(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat(chunks);
  const riff = latin('RIFF\0\0\0\0WEBP');
  riff.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([riff, body]);
}
