import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { inProject } from '#scripts/lib/project.mjs';
import { pngChunk } from '#tests/picture-parts.ts';
import { expect } from './test-school.ts';

/** Pixels of a picture in one CSS pixel: its text stays sharp when it is enlarged. */
export const PICTURE_SCALE = 2;
const MAX_BYTES = 25_000;

const FOLDER = inProject('docs', 'help', 'pictures');

/** Four bits a pixel. A screen has few colours besides the shades at the edges of its letters. */
const COLOURS = 16;
/**
 * Nearer colours share an entry of the palette; squared distance of red, green and blue. Areas, which are most frequent,
 * differ less from each other than the colours of letters.
 */
const SAME_AREA = 60;
const SAME_LETTER = 400;

/** A time zone in which it is about ten in the morning, so that lessons are not at night. */
export function morningZone(): string {
  const hours = ((34 - new Date().getUTCHours() + 12) % 24) - 12;
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

interface Indexed {
  width: number;
  height: number;
  /** Red, green and blue of each colour. */
  palette: number[][];
  /** The colour of each pixel, as a digit to base 36. */
  pixels: string;
}

/** The picture in its most frequent colours; the browser decodes it. */
function toIndexed(page: Page, png: Buffer): Promise<Indexed> {
  return page.evaluate(
    async ({ base64, colours, sameArea, sameLetter }) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(bitmap, 0, 0);
      const all = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
      const rgb = (colour: number) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
      const counts = new Map<number, number>();
      for (const colour of all) counts.set(colour, (counts.get(colour) ?? 0) + 1);
      const distance = (one: number[], other: number[]) =>
        one.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0);
      const palette: number[][] = [];
      for (const [colour] of [...counts].sort(([, one], [, other]) => other - one)) {
        const same = palette.length < colours / 2 ? sameArea : sameLetter;
        const isNew = palette.every((known) => distance(known, rgb(colour)) > same);
        if (isNew && palette.length < colours) palette.push(rgb(colour));
      }
      const digits = new Map<number, string>();
      for (const colour of counts.keys()) {
        const distances = palette.map((known) => distance(known, rgb(colour)));
        digits.set(colour, distances.indexOf(Math.min(...distances)).toString(36));
      }
      const pixels = Array.from(all, (colour) => digits.get(colour)).join('');
      return { width, height, palette, pixels };
    },
    {
      base64: png.toString('base64'),
      colours: COLOURS,
      sameArea: SAME_AREA,
      sameLetter: SAME_LETTER,
    },
  );
}

/** A PNG with a palette: letters stay sharp, and it is half as large as a WebP of the same screen. */
function encodePng({ width, height, palette, pixels }: Indexed): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Four bits, palette; no filter, not interlaced.
  head.set([4, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((1 + Math.ceil(width / 2)) * height);
  for (const [at, digit] of Array.from(pixels).entries()) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const byte = y * (1 + Math.ceil(width / 2)) + 1 + (x >> 1);
    rows[byte] = (rows[byte] ?? 0) | (Number.parseInt(digit, 36) << (x % 2 === 0 ? 4 : 0));
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    pngChunk('PLTE', Buffer.from(palette.flat())),
    pngChunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Writes the picture and its size in CSS pixels: the page reserves its space before it is loaded. */
async function store(name: string, png: Buffer, { width, height }: Indexed): Promise<void> {
  await writeFile(join(FOLDER, name), png);
  const path = join(FOLDER, 'sizes.json');
  const sizes: Record<string, unknown> = JSON.parse(await readFile(path, 'utf8'));
  sizes[name] = { width: width / PICTURE_SCALE, height: height / PICTURE_SCALE };
  const sorted = Object.fromEntries(Object.entries(sizes).sort());
  await writeFile(path, `${JSON.stringify(sorted, null, 2)}\n`);
}

export interface Crop {
  /** CSS pixels around the element. */
  margin?: number;
  /** Where the picture begins within the element; its top by default. */
  from?: Locator;
  /** Where it ends; the element's end by default. */
  until?: Locator;
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error(`nothing to be seen: ${element.toString()}`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/**
 * Takes a picture of an element for docs/help/pictures. It is written by `npm run help-pictures`; otherwise this tests that
 * it can be taken.
 */
export async function takePicture(
  name: string,
  element: Locator,
  { margin = 0, from = element, until = element }: Crop = {},
): Promise<void> {
  const page = element.page();
  await from.scrollIntoViewIfNeeded();
  // Round corners would show what is behind a dialog.
  await element.evaluate((shown: HTMLElement) => {
    shown.style.borderRadius = '0';
  });
  const whole = await boxOf(element);
  const x = Math.max(0, whole.x - margin);
  const y = Math.max(0, (await boxOf(from)).y - margin);
  const width = Math.min(page.viewportSize()?.width ?? 0, whole.right + margin) - x;
  const height = (await boxOf(until)).bottom + margin - y;
  const clip = { x, y, width, height };
  expect(y + height, `${name}: bottom`).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
  const shown = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' });
  const picture = await toIndexed(page, shown);
  const png = encodePng(picture);
  expect.soft(png.length, `${name}: bytes`).toBeLessThanOrEqual(MAX_BYTES);
  if (process.env['HELP_PICTURES']) await store(`${name}.png`, png, picture);
}
