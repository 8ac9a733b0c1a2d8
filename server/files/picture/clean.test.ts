import { describe, expect, test } from 'vitest';
import { jpegSegment, latin, pngChunk, webpChunk, webpOf } from '#tests/picture-parts.ts';
import { cpuMs } from '#tests/cpu.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { validatePicture } from './clean.ts';

const SECRET = 'Ул. Ленина, 5';
const TAIL = Buffer.from('<script>alert(1)</script>PK\u0003\u0004');

/** EXIF with an orientation. */
const exif = (orientation: number) =>
  Buffer.concat([
    latin('Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0'),
    Buffer.from([orientation, 0, 0, 0]),
    latin('\0\0\0\0'),
    Buffer.from(SECRET),
  ]);

const insert = (bytes: Buffer, at: number, more: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);

function webpWithMetadata(): Buffer {
  const extended = Buffer.from([0x0c, 0, 0, 0, 15, 0, 0, 11, 0, 0]);
  return webpOf(
    webpChunk('VP8X', extended),
    SAMPLES['image/webp'].subarray(12),
    webpChunk('EXIF', Buffer.from(SECRET)),
    webpChunk('XMP ', Buffer.from(`<x>${SECRET}</x>`)),
    webpChunk('C2PA', Buffer.from(SECRET)),
  );
}

const PNG_AFTER_HEAD = 33;
const WITH_METADATA: [string, Buffer][] = [
  [
    'image/jpeg',
    insert(
      SAMPLES['image/jpeg'],
      20,
      Buffer.concat([
        jpegSegment(0xe1, exif(1)),
        jpegSegment(0xed, Buffer.from(`Photoshop ${SECRET}`)),
        jpegSegment(0xfe, Buffer.from(SECRET)),
      ]),
    ),
  ],
  [
    'image/png',
    insert(
      SAMPLES['image/png'],
      PNG_AFTER_HEAD,
      Buffer.concat(
        ['eXIf', 'tEXt', 'iTXt', 'zTXt', 'tIME', 'caBX', 'prVt'].map((type) =>
          pngChunk(type, Buffer.from(SECRET)),
        ),
      ),
    ),
  ],
  ['image/webp', webpWithMetadata()],
  [
    'image/gif',
    insert(
      SAMPLES['image/gif'],
      61,
      Buffer.concat([
        Buffer.from([0x21, 0xfe, Buffer.byteLength(SECRET)]),
        Buffer.from(SECRET),
        Buffer.from([0]),
      ]),
    ),
  ],
];

async function taken(bytes: Buffer) {
  const judged = await validatePicture(bytes);
  if (!judged.isAccepted) throw new Error(judged.why);
  return judged;
}

async function whyNot(bytes: Buffer): Promise<string> {
  const judged = await validatePicture(bytes);
  return judged.isAccepted ? 'taken' : judged.why;
}

describe.each(Object.entries(SAMPLES))('%s', (mimeType, sample) => {
  test('is detected by its content, and cleaning it again changes nothing', async () => {
    const once = await taken(sample);
    expect(once.mimeType).toBe(mimeType);
    expect((await taken(once.bytes)).bytes.equals(once.bytes)).toBe(true);
  });

  test('loses its trailing data', async () => {
    const cleaned = await taken(Buffer.concat([sample, TAIL]));
    expect(cleaned.bytes.includes('script')).toBe(false);
    expect(cleaned.bytes.equals((await taken(sample)).bytes)).toBe(true);
  });

  test('is refused wherever it is truncated', async () => {
    for (let length = 12; length < sample.length - 1; length += 1) {
      expect(await whyNot(sample.subarray(0, length))).toMatch(/Подойдут JPEG, PNG, WebP и GIF/);
    }
  });
});

test.each(WITH_METADATA)('%s loses its metadata', async (mimeType, bytes) => {
  expect(bytes.includes(SECRET)).toBe(true);
  const cleaned = await taken(bytes);
  expect(cleaned.mimeType).toBe(mimeType);
  expect(cleaned.bytes.includes(SECRET)).toBe(false);
  expect(cleaned.bytes.includes('Photoshop')).toBe(false);
});

test('a JPEG retains only its orientation', async () => {
  const bytes = insert(SAMPLES['image/jpeg'], 20, jpegSegment(0xe1, exif(6)));
  const cleaned = await taken(bytes);
  expect(cleaned.bytes.includes('Exif')).toBe(true);
  expect(cleaned.bytes.includes(SECRET)).toBe(false);
  expect((await taken(cleaned.bytes)).bytes.equals(cleaned.bytes)).toBe(true);
});

test.each([
  ['a vector picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a document', Buffer.from('%PDF-1.7\n')],
  ['a program', Buffer.from('MZ\x90\0')],
  ['nothing', Buffer.alloc(0)],
])('refuses %s and names the accepted formats', async (_, bytes) => {
  expect(await whyNot(bytes)).toMatch(/Подойдут JPEG, PNG, WebP и GIF/);
});

const ftyp = (brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), latin(`ftyp${brand}\0\0\0\0mif1${brand}`)]);

test.each([
  ['HEIC', ftyp('heic')],
  ['AVIF', ftyp('avif')],
  ['BMP', Buffer.concat([latin('BM'), Buffer.alloc(64)])],
  ['TIFF', Buffer.concat([latin('II*\0\x08\0\0\0'), Buffer.alloc(64)])],
  ['SVG', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['PDF', latin('%PDF-1.7\n')],
])('%s is refused by its name', async (format, bytes) => {
  expect(await whyNot(bytes)).toBe(`${format} не подойдёт. Подойдут JPEG, PNG, WebP и GIF`);
});

test('an empty file is refused as empty, and unknown bytes as no picture', async () => {
  expect(await whyNot(Buffer.alloc(0))).toBe('Файл пуст. Подойдут JPEG, PNG, WebP и GIF');
  for (const bytes of [Buffer.alloc(64), Buffer.concat([latin('8BPS'), Buffer.alloc(64)])])
    expect(await whyNot(bytes)).toBe(
      'Это не картинка или формат не подходит. Подойдут JPEG, PNG, WebP и GIF',
    );
});

function pngOfSize(width: number, height: number): Buffer {
  const bytes = Buffer.from(SAMPLES['image/png']);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

test.each([
  ['a side', 6_001, 10],
  ['an area', 6_000, 4_001],
])('%s that is too large is refused by the head alone', async (_, width, height) => {
  expect(await whyNot(pngOfSize(width, height))).toMatch(/6000 точек/);
});

test('the largest size of all is accepted', async () => {
  expect(await whyNot(pngOfSize(6_000, 4_000))).toBe('taken');
});

test.each([
  [0, 10],
  [10, 0],
])('a size of %i × %i is that of a damaged picture', async (width, height) => {
  expect(await whyNot(pngOfSize(width, height))).toMatch(/Картинка повреждена/);
});

test('a GIF with a frame beyond its own edges is judged by the frame', async () => {
  const bytes = Buffer.from(SAMPLES['image/gif']);
  const frame = bytes.indexOf(0x2c, 13);
  bytes.writeUInt16LE(60_000, frame + 5);
  expect(await whyNot(bytes)).toMatch(/6000 точек/);
});

const MANY_BYTES = 2_000_000;
const many = (part: Buffer) => Buffer.alloc(MANY_BYTES, part);
const GIF = SAMPLES['image/gif'];
const GIF_PALETTE_END = 13 + 3 * 2 ** ((GIF.readUInt8(10) & 7) + 1);
const FRAME_OF_A_PIXEL = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0, 0]);

/** Pictures of the largest size, of as many parts as fit. */
const OF_MANY_PARTS: [string, Buffer][] = [
  ...[0x01, 0xc4, 0xdb, 0xe1, 0xfe].map((marker): [string, Buffer] => [
    `a JPEG with segments ${marker.toString(16)}`,
    insert(SAMPLES['image/jpeg'], 20, many(jpegSegment(marker, Buffer.alloc(0)))),
  ]),
  ['a JPEG with filling bytes', insert(SAMPLES['image/jpeg'], 20, many(Buffer.from([0xff])))],
  ...['tEXt', 'IDAT', 'fdAT'].map((type): [string, Buffer] => [
    `a PNG with chunks ${type}`,
    insert(SAMPLES['image/png'], PNG_AFTER_HEAD, many(pngChunk(type, Buffer.alloc(0)))),
  ]),
  ...['EXIF', 'ANMF'].map((type): [string, Buffer] => [
    `a WebP with chunks ${type}`,
    webpOf(SAMPLES['image/webp'].subarray(12), many(webpChunk(type, Buffer.alloc(0)))),
  ]),
  ['a GIF with frames of a pixel', insert(GIF, GIF_PALETTE_END, many(FRAME_OF_A_PIXEL))],
  ['a GIF with empty extensions', insert(GIF, GIF_PALETTE_END, many(Buffer.from([0x21, 0xfe, 0])))],
];

/** Processor time of the fastest of three runs. */
async function costOf(work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3; time += 1) {
    const begin = cpuMs();
    await work();
    best = Math.min(best, cpuMs() - begin);
  }
  return best;
}

/** A byte of a head is read several times. */
const READS = 8;

test.each(OF_MANY_PARTS)('%s is refused before it costs more than its size', async (_, bytes) => {
  let judged;
  const cost = await costOf(async () => (judged = await validatePicture(bytes)));
  const reading = await costOf(() => {
    let sum = 0;
    for (const byte of bytes) sum += byte;
    return sum;
  });
  expect(judged).toMatchObject({ isAccepted: false });
  expect(cost / reading).toBeLessThan(READS);
});

test('a picture may have as many parts as cameras and animations write', async () => {
  const frames = Buffer.alloc(1_000 * FRAME_OF_A_PIXEL.length, FRAME_OF_A_PIXEL);
  const chunk = pngChunk('IDAT', Buffer.alloc(4_096));
  const pictures = [
    insert(GIF, GIF_PALETTE_END, frames),
    insert(SAMPLES['image/png'], PNG_AFTER_HEAD, Buffer.alloc(400 * chunk.length, chunk)),
  ];
  for (const bytes of pictures)
    expect(await validatePicture(bytes)).toMatchObject({ isAccepted: true });
});
