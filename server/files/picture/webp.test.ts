import { expect, test } from 'vitest';
import { latin, webpChunk, webpOf } from '#tests/picture-parts.ts';
import { BrokenPicture } from './cleaned.ts';
import { cleanWebp } from './webp.ts';

/** 16 × 12 in the three variants of the format. */
const EXTENDED = Buffer.from([0x1c, 0, 0, 0, 15, 0, 0, 11, 0, 0]);
const LOSSY = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 16, 0x40, 12, 0x40]);
const LOSSLESS = Buffer.from([0x2f, 0x0f, 0xc0, 0x02, 0x10]);
const SIZE = { width: 16, height: 12 };

test.each([
  ['lossy', webpChunk('VP8 ', LOSSY)],
  ['lossless', webpChunk('VP8L', LOSSLESS)],
])('a %s WebP has the size of its pixels', (_, chunk) => {
  expect(cleanWebp(webpOf(chunk))).toEqual({ bytes: webpOf(chunk), ...SIZE });
});

test('an extended WebP retains its flags and chunks except metadata', () => {
  const pixels = webpChunk('VP8L', LOSSLESS);
  const colours = webpChunk('ICCP', latin('a colour profile'));
  const note = webpChunk('EXIF', latin('secret'));
  const cleaned = cleanWebp(webpOf(webpChunk('VP8X', EXTENDED), colours, note, pixels));
  const flags = Buffer.from(EXTENDED);
  flags.writeUInt8(0x10, 0);
  expect(cleaned).toEqual({ bytes: webpOf(webpChunk('VP8X', flags), colours, pixels), ...SIZE });
});

test('the size of an extended WebP is that of its head, whatever its pixels say', () => {
  const wide = Buffer.from(EXTENDED);
  wide.writeUIntLE(299, 4, 3);
  wide.writeUIntLE(199, 7, 3);
  const bytes = webpOf(webpChunk('VP8X', wide), webpChunk('VP8 ', LOSSY));
  expect(cleanWebp(bytes)).toMatchObject({ width: 300, height: 200 });
});

test.each([
  ['VP8X', EXTENDED],
  ['VP8 ', LOSSY],
  ['VP8L', LOSSLESS],
])('a truncated %s has no size: the next chunk has it', (type, body) => {
  const short = webpChunk(type, Buffer.alloc(body.length - 1));
  expect(cleanWebp(webpOf(short, webpChunk('VP8L', LOSSLESS)))).toMatchObject(SIZE);
  expect(() => cleanWebp(webpOf(short))).toThrow(BrokenPicture);
});

test('other chunks have no size', () => {
  const long = Buffer.alloc(16, 7);
  const bytes = webpOf(webpChunk('ICCP', long), webpChunk('VP8L', LOSSLESS));
  expect(cleanWebp(bytes)).toEqual({ bytes, ...SIZE });
});

test('a last chunk of an odd length may lack its padding, and nothing behind it is read', () => {
  const padded = webpChunk('VP8L', LOSSLESS);
  const bytes = webpOf(padded.subarray(0, -1));
  expect(cleanWebp(bytes)).toEqual({ bytes, ...SIZE });
  expect(cleanWebp(Buffer.concat([bytes, latin('<script>')]))).toEqual({ bytes, ...SIZE });
});

test('a WebP that announces more bytes than there are is damaged', () => {
  const bytes = webpOf(webpChunk('VP8L', LOSSLESS));
  bytes.writeUInt32LE(bytes.length, 4);
  expect(() => cleanWebp(bytes)).toThrow(BrokenPicture);
});
