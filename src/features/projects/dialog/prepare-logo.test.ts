import { expect, test } from 'vitest';
import { LOGO_BYTES } from '#contract/limits.ts';
import type { Decode } from '#app/lib/pictures/prepare-picture.ts';
import { prepareLogo } from './prepare-logo.ts';

/** The beginning of a PNG of these dimensions. */
const pngOf = (width: number, height: number) => {
  const head = Buffer.from(`89504e470d0a1a0a0000000d49484452${'0'.repeat(18)}`, 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Uint8Array.from(head);
};
const PNG = pngOf(400, 400);
const file = (name: string, ...parts: BlobPart[]) => new File(parts, name);

/** A fake browser that decodes every format and encodes this one. */
const opens =
  (type: string): Decode =>
  async () => ({
    width: 400,
    height: 400,
    hasTransparency: false,
    encode: async () => new Blob(['drawn'], { type }),
    close: () => undefined,
  });

test('a picture that the server accepts is sent unchanged', async () => {
  const picked = file('логотип.png', PNG);
  expect(await prepareLogo(picked, opens('image/webp'))).toBe(picked);
});

test.each([
  ['avif', '\0\0\0\x20ftypavif', 'image/webp', 'webp'],
  ['heic', '\0\0\0\x18ftypheic', 'image/jpeg', 'jpg'],
  ['bmp', 'BM', 'image/webp', 'webp'],
])('%s is re-encoded and its file name changed', async (extension, content, type, made) => {
  const logo = await prepareLogo(file(`Наш знак.${extension}`, content), opens(type));
  expect([logo.name, logo.type]).toEqual([`Наш знак.${made}`, type]);
});

test('a picture above the logo limit is re-encoded smaller', async () => {
  const picked = file('знак.png', PNG, new Uint8Array(LOGO_BYTES));
  expect((await prepareLogo(picked, opens('image/webp'))).size).toBeLessThan(LOGO_BYTES);
});

test('a scan of a page at 600 dpi is scaled down, however light and however heavy its file is', async () => {
  const scan = pngOf(4_960, 7_016);
  for (const more of [0, 40 * 1024 * 1024]) {
    const logo = await prepareLogo(
      file('скан.png', scan, new Uint8Array(more)),
      opens('image/webp'),
    );
    expect([logo.name, logo.type]).toEqual(['скан.webp', 'image/webp']);
  }
});
