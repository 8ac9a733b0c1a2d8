import { expect, test } from 'vitest';
import type { Decode, Size } from './prepare-picture.ts';
import { formatShrunk, shrinkPhoto } from './shrink-photo.ts';

const MB = 1024 * 1024;
const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const JPEG = hex('ffd8 ffe1 0008 457869660000 ffc0 0011 08 0bb8 0fa0 03 012200021101031101');
const HEIC = hex('00000018 66747970 68656963 00000000 6d696631 68656963');

/** A decoder with JPEGs of `bytes` per pixel at full quality. */
function decoder(size: Size, bytes: number, type = 'image/jpeg') {
  const encoded: Size[] = [];
  let isClosed = false;
  const decode: Decode = async () => ({
    ...size,
    hasTransparency: false,
    close: () => {
      isClosed = true;
    },
    encode: async (to, _type, quality) => {
      encoded.push(to);
      // Claims its size without the bytes, which would be hundreds of megabytes.
      const size = Math.round(to.width * to.height * bytes * quality);
      return { size, type } as Blob;
    },
  });
  return { decode, encoded, isClosed: () => isClosed };
}

test.each([
  ['the first step fits', { width: 4000, height: 3000 }, 0.2, { width: 4000, height: 3000 }],
  [
    'it gets smaller until it fits',
    { width: 4000, height: 3000 },
    5,
    { width: 1600, height: 1200 },
  ],
  ['a panorama', { width: 12_000, height: 2_000 }, 1, { width: 4096, height: 683 }],
  ['a small one is never enlarged', { width: 300, height: 200 }, 30, { width: 300, height: 200 }],
])('a photo becomes a JPEG within the limit: %s', async (_, size, bytes, expected) => {
  const { decode, encoded, isClosed } = decoder(size, bytes);
  const photo = await shrinkPhoto(new Blob([JPEG]), 10 * MB, decode);
  expect(photo.type).toBe('image/jpeg');
  expect(photo.size).toBeLessThanOrEqual(10 * MB);
  expect(encoded.at(-1)).toEqual(expected);
  expect(isClosed()).toBe(true);
});

test('a photo that does not fit at any step is refused with what to do', async () => {
  const { decode, isClosed } = decoder({ width: 4000, height: 3000 }, 100);
  await expect(shrinkPhoto(new Blob([JPEG]), MB, decode)).rejects.toThrow(
    /^Фото не удалось уменьшить до 1\u00a0МБ\. Обрежьте/,
  );
  expect(isClosed()).toBe(true);
});

test('a device without memory for a large drawing makes a smaller one', async () => {
  const { decode } = decoder({ width: 4000, height: 3000 }, 1);
  const drawn: number[] = [];
  const weak: Decode = async (file) => {
    const picture = await decode(file);
    return {
      ...picture,
      encode: async (to, type, quality) => {
        drawn.push(to.width);
        if (to.width > 3_200) throw new Error('The picture could not be drawn');
        return picture.encode(to, type, quality);
      },
    };
  };
  const photo = await shrinkPhoto(new Blob([JPEG]), 10 * MB, weak);
  expect(photo.size).toBeLessThanOrEqual(10 * MB);
  expect(drawn.at(-1)).toBe(3_200);
});

test('a device that draws nothing is refused with what to do', async () => {
  const weak: Decode = async (file) => ({
    ...(await decoder({ width: 4000, height: 3000 }, 1).decode(file)),
    encode: () => Promise.reject(new Error('No canvas here')),
  });
  await expect(shrinkPhoto(new Blob([JPEG]), MB, weak)).rejects.toThrow(/не удалось уменьшить/);
});

test('a browser that encodes no JPEG hands in no other type', async () => {
  const { decode } = decoder({ width: 10, height: 10 }, 1, 'image/png');
  await expect(shrinkPhoto(new Blob([JPEG]), MB, decode)).rejects.toThrow(/не удалось уменьшить/);
});

test('a HEIC that the browser does not decode is refused with how to save it', async () => {
  const decode: Decode = () => Promise.reject(new Error('not decoded'));
  await expect(shrinkPhoto(new Blob([HEIC]), MB, decode)).rejects.toThrow(
    /^HEIC этот браузер не открывает\. Сохраните фото как JPEG/,
  );
});

test.each([
  [14 * MB, 3.2 * MB, 'Фото уменьшено: 14 → 3,2\u00a0МБ'],
  [1.5 * MB, 640 * 1024, 'Фото уменьшено: 1,5\u00a0МБ → 640\u00a0КБ'],
])('both sizes are named: %d, %d', (before, after, words) => {
  expect(formatShrunk(before, after)).toBe(words);
});
