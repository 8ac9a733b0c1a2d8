import { BrokenPicture, PictureReader, type CleanPicture } from './cleaned.ts';

/** The chunks needed for display: pixels, colours, transparency, pixel size, animation. */
const NEEDED = new Set(
  (
    'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs ' +
    'acTL fcTL fdAT'
  ).split(' '),
);

/** Copies the chunks that a PNG needs for display, animated ones too. Throws `BrokenPicture`. */
export function cleanPng(bytes: Buffer): CleanPicture {
  const reader = new PictureReader(bytes);
  const output: Buffer[] = [reader.take(8)];
  let size: { width: number; height: number } | null = null;
  let hasData = false;
  for (;;) {
    const from = reader.at;
    const length = reader.take(4).readUInt32BE();
    const type = reader.take(4).toString('latin1');
    const body = reader.take(length);
    reader.take(4);
    if (size === null) {
      if (type !== 'IHDR' || length !== 13) throw new BrokenPicture();
      size = { width: body.readUInt32BE(0), height: body.readUInt32BE(4) };
    }
    if (type === 'IDAT') hasData = true;
    if (NEEDED.has(type)) output.push(bytes.subarray(from, reader.at));
    if (type === 'IEND') break;
  }
  if (!hasData) throw new BrokenPicture();
  return { bytes: Buffer.concat(output), ...size };
}
