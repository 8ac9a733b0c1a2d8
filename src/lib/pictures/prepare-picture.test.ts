import { expect, test } from 'vitest';
import { fitted, preparePicture, sizeInHead, type Decode, type Size } from './prepare-picture.ts';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

const png = ({ width, height }: Size) => {
  const bytes = new Uint8Array(64);
  bytes.set(hex('89504e470d0a1a0a 0000000d 49484452'));
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  return bytes;
};
const JPEG = hex('ffd8 ffe1 0008 457869660000 ffc0 0011 08 0bb8 0fa0 03 012200021101031101');

/** A fake decoder with `bytes` per pixel at full quality and optional WebP support. */
function decoder(
  size: Size,
  { transparent = false, webp = true, bytes = 0.1 } = {},
): { decode: Decode; encodings: string[] } {
  const encodings: string[] = [];
  const decode: Decode = async () => ({
    ...size,
    hasTransparency: transparent,
    close: () => encodings.push('closed'),
    encode: async (to, type, quality) => {
      encodings.push(`${type} ${to.width}×${to.height} ${quality}`);
      const given = type === 'image/webp' && !webp ? 'image/png' : type;
      return new Blob([new Uint8Array(Math.round(to.width * to.height * bytes * quality))], {
        type: given,
      });
    },
  });
  return { decode, encodings };
}

const broken: Decode = () => Promise.reject(new Error('broken'));

test('dimensions are read before decoding', () => {
  expect(sizeInHead(png({ width: 800, height: 600 }))).toEqual({ width: 800, height: 600 });
  expect(sizeInHead(JPEG)).toEqual({ width: 4000, height: 3000 });
  expect(sizeInHead(hex('474946383961 4001 f000 000000'))).toEqual({ width: 320, height: 240 });
  expect(sizeInHead(JPEG.slice(0, 8))).toBeNull();
});

test('the longest side is limited, the aspect ratio is preserved', () => {
  expect(fitted({ width: 4000, height: 3000 }, 1600)).toEqual({ width: 1600, height: 1200 });
  expect(fitted({ width: 300, height: 200 }, 1600)).toEqual({ width: 300, height: 200 });
  expect(fitted({ width: 20_000, height: 2 }, 1600)).toEqual({ width: 1600, height: 1 });
});

test('a photograph becomes a WebP of at most 1600 px', async () => {
  const { decode, encodings } = decoder({ width: 4000, height: 3000 });
  const made = await preparePicture(new Blob([JPEG]), decode);
  expect(made.type).toBe('image/webp');
  expect(encodings).toEqual(['image/webp 1600×1200 0.86', 'closed']);
});

test.each([
  [true, 'image/png'],
  [false, 'image/jpeg'],
])('where WebP cannot be written, transparency %s decides for %s', async (transparent, type) => {
  const { decode } = decoder({ width: 400, height: 300 }, { transparent, webp: false });
  const made = await preparePicture(new Blob([png({ width: 400, height: 300 })]), decode);
  expect(made.type).toBe(type);
});

test('a large picture loses quality before dimensions, and ends at about a megabyte', async () => {
  const { decode, encodings } = decoder({ width: 4000, height: 4000 }, { bytes: 0.6 });
  const made = await preparePicture(new Blob([JPEG]), decode);
  expect(made.size).toBeLessThanOrEqual(1024 * 1024);
  expect(encodings).toEqual([
    'image/webp 1600×1600 0.86',
    'image/webp 1600×1600 0.74',
    'image/webp 1600×1600 0.6',
    'closed',
  ]);
});

test.each([
  ['an empty file', new Blob([]), 'Файл пустой'],
  ['21 MB', new Blob([new Uint8Array(21 * 1024 * 1024)]), 'Файл весит 21'],
  [
    'an SVG',
    new Blob(['\uFEFF<?xml version="1.0"?>\n<!-- a -->\n<svg onload="x">']),
    'SVG не подойдёт',
  ],
  ['a web page', new Blob(['<html><svg></svg></html>']), 'Это не картинка'],
  ['a document', new Blob(['%PDF-1.7']), 'Это не картинка'],
  ['a bomb', new Blob([png({ width: 60_000, height: 60_000 })]), 'слишком большая'],
  ['a torn file', new Blob([JPEG]), 'файл повреждён'],
  ['HEIC', new Blob([hex('00000018 66747970 68656963')]), 'HEIC этот браузер не открывает'],
  ['AVIF', new Blob([hex('00000018 66747970 61766966')]), 'AVIF этот браузер не открывает'],
  ['BMP', new Blob([hex('424d 0000')]), 'BMP этот браузер не открывает'],
  ['TIFF', new Blob([hex('49492a00')]), 'TIFF этот браузер не открывает'],
])('%s is refused with what to do', async (_name, file, words) => {
  await expect(preparePicture(file, broken)).rejects.toThrow(words);
});

test('a picture with understated dimensions is rejected after decoding', async () => {
  const { decode, encodings } = decoder({ width: 20_000, height: 20_000 });
  const file = new Blob([png({ width: 10, height: 10 })]);
  await expect(preparePicture(file, decode)).rejects.toThrow('слишком большая');
  expect(encodings).toEqual(['closed']);
});
