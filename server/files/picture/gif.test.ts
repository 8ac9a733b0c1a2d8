import { expect, test } from 'vitest';
import { latin } from '#tests/picture-parts.ts';
import { BrokenPicture } from './cleaned.ts';
import { cleanGif } from './gif.ts';

const HEAD = Buffer.concat([latin('GIF89a'), Buffer.from([16, 0, 12, 0, 0, 0, 0])]);
const END = Buffer.from([0x3b]);
/** One block of data, and the end of the blocks. */
const blocks = (text: string) =>
  Buffer.concat([Buffer.from([text.length]), latin(text), Buffer.from([0])]);
const extension = (label: number, text: string) =>
  Buffer.concat([Buffer.from([0x21, label]), blocks(text)]);

interface Place {
  left?: number;
  top?: number;
  width?: number;
  height?: number;
}

function frame({ left = 0, top = 0, width = 16, height = 12 }: Place = {}): Buffer {
  const place = Buffer.alloc(9);
  [left, top, width, height].forEach((value, index) => place.writeUInt16LE(value, index * 2));
  return Buffer.concat([Buffer.from([0x2c]), place, Buffer.from([2]), blocks('пиксели')]);
}

const gif = (...parts: Buffer[]) => Buffer.concat([HEAD, ...parts, END]);

test('a GIF retains only frames, their delays, plain text and the number of repeats', () => {
  const delay = extension(0xf9, '\0\x0a\0\0');
  const text = extension(0x01, 'Текст');
  const repeats = extension(0xff, 'NETSCAPE2.0');
  const comment = extension(0xfe, 'NETSCAPE2.0');
  const other = extension(0xff, 'XMP DataXMP');
  const cleaned = cleanGif(gif(comment, repeats, other, delay, frame(), text, frame()));
  expect(cleaned.bytes).toEqual(gif(repeats, delay, frame(), text, frame()));
  expect(cleaned).toMatchObject({ width: 16, height: 12 });
});

test.each<[string, Place, number, number]>([
  ['beside the right edge', { left: 10, width: 20 }, 30, 12],
  ['below the lower edge', { top: 10, height: 20 }, 16, 30],
  ['smaller than it', { left: 1, top: 1, width: 2, height: 2 }, 16, 12],
])('a GIF with a frame %s is as large as browsers show it', (_, place, width, height) => {
  expect(cleanGif(gif(frame(place)))).toMatchObject({ width, height });
});

test.each([
  ['without a frame', gif()],
  [
    'with an unknown block',
    gif(frame(), Buffer.concat([Buffer.from([0x2d]), frame().subarray(1)])),
  ],
])('a GIF %s is damaged', (_, bytes) => {
  expect(() => cleanGif(bytes)).toThrow(BrokenPicture);
});
