import { BrokenPicture, PictureReader, type CleanPicture } from './cleaned.ts';

const EXTENSION = 0x21;
const FRAME = 0x2c;
const TRAILER = 0x3b;
const COMMENT = 0xfe;
const APPLICATION = 0xff;

const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);

function skipBlocks(reader: PictureReader): void {
  for (let length = reader.byte(); length > 0; length = reader.byte()) reader.take(length);
}

/** The only application block needed is the one with the number of repeats. */
function isNeeded(label: number, first: Buffer): boolean {
  if (label === COMMENT) return false;
  return label !== APPLICATION || first.toString('latin1') === 'NETSCAPE2.0';
}

/** Copies the blocks that a GIF needs for display. Throws `BrokenPicture`. */
export function cleanGif(bytes: Buffer): CleanPicture {
  const reader = new PictureReader(bytes);
  const head = reader.take(13);
  const output: Buffer[] = [head, reader.take(colours(head.readUInt8(10)))];
  let hasFrame = false;
  // Browsers widen the picture to a frame that is larger than it.
  let [width, height] = [head.readUInt16LE(6), head.readUInt16LE(8)];
  for (;;) {
    const from = reader.at;
    const kind = reader.byte();
    if (kind === TRAILER) break;
    if (kind === EXTENSION) {
      const label = reader.byte();
      const start = reader.at;
      const first = Buffer.from(reader.take(reader.byte()));
      reader.at = start;
      skipBlocks(reader);
      if (isNeeded(label, first)) output.push(bytes.subarray(from, reader.at));
    } else if (kind === FRAME) {
      const frame = reader.take(9);
      width = Math.max(width, frame.readUInt16LE(0) + frame.readUInt16LE(4));
      height = Math.max(height, frame.readUInt16LE(2) + frame.readUInt16LE(6));
      reader.take(colours(frame.readUInt8(8)) + 1);
      skipBlocks(reader);
      hasFrame = true;
      output.push(bytes.subarray(from, reader.at));
    } else throw new BrokenPicture();
  }
  if (!hasFrame) throw new BrokenPicture();
  output.push(Buffer.from([TRAILER]));
  return { bytes: Buffer.concat(output), width, height };
}
