import { expect, test } from 'vitest';
import { latin, pngChunk } from '#tests/picture-parts.ts';
import { BrokenPicture } from './cleaned.ts';
import { cleanPng } from './png.ts';

function head(length = 13): Buffer {
  const body = Buffer.alloc(length);
  body.writeUInt32BE(16, 0);
  body.writeUInt32BE(12, 4);
  return body;
}

const png = (...chunks: Buffer[]) => Buffer.concat([latin('\x89PNG\r\n\x1a\n'), ...chunks]);
const IHDR = pngChunk('IHDR', head());
const IDAT = pngChunk('IDAT', Buffer.alloc(13));
const IEND = pngChunk('IEND', Buffer.alloc(0));

test('a PNG retains chunks needed for display and has the size in its header', () => {
  const note = pngChunk('tEXt', latin('Comment\0secret'));
  const cleaned = cleanPng(png(IHDR, note, IDAT, note, IEND));
  expect(cleaned).toEqual({ bytes: png(IHDR, IDAT, IEND), width: 16, height: 12 });
});

test.each([
  ['without pixels', png(IHDR, IEND)],
  ['that begins with another chunk', png(IDAT, IHDR, IEND)],
  ['with a head of another length', png(pngChunk('IHDR', head(14)), IDAT, IEND)],
])('a PNG %s is damaged', (_, bytes) => {
  expect(() => cleanPng(bytes)).toThrow(BrokenPicture);
});
