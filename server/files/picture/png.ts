import { BrokenPicture, Reader, type Cleaned } from './cleaned.ts';

/** What a picture is shown by: its points, colours, transparency, size of a point, animation. */
const NEEDED = new Set(
  (
    'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs ' +
    'acTL fcTL fdAT'
  ).split(' '),
);

/** Keeps what a PNG is shown by, animated ones too. Throws `BrokenPicture`. */
export function cleanPng(bytes: Buffer): Cleaned {
  const reader = new Reader(bytes);
  const kept: Buffer[] = [reader.take(8)];
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
    if (NEEDED.has(type)) kept.push(bytes.subarray(from, reader.at));
    if (type === 'IEND') break;
  }
  if (!hasData) throw new BrokenPicture();
  return { bytes: Buffer.concat(kept), ...size };
}
