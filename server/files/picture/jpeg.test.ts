import { describe, expect, test } from 'vitest';
import { jpegSegment, latin } from '#tests/picture-parts.ts';
import { BrokenPicture } from './cleaned.ts';
import { cleanJpeg } from './jpeg.ts';

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const TABLE = jpegSegment(0xdb, latin('a quantization table'));
const SCAN = Buffer.concat([jpegSegment(0xda, latin('scan')), Buffer.from([0x12, 0x34])]);

const sizeOf = (width: number, height: number) =>
  Buffer.from([8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1]);
const frame = (marker = 0xc0, body = sizeOf(16, 12)) => jpegSegment(marker, body);

const jpeg = (...segments: Buffer[]) => Buffer.concat([START, ...segments, END]);
/** A whole picture that has some segments before its frame. */
const whole = (...segments: Buffer[]) => jpeg(...segments, frame(), SCAN);

describe('a JPEG', () => {
  test('retains only the segments needed for display', () => {
    const retained = [
      jpegSegment(0xe0, latin('JFIF\0...')),
      jpegSegment(0xe2, latin('ICC_PROFILE\0...')),
      jpegSegment(0xee, latin('Adobe...')),
      TABLE,
      jpegSegment(0xc4, latin('a Huffman table')),
      jpegSegment(0xf0, latin('an extension')),
    ];
    const dropped = [
      jpegSegment(0xe0, latin('JFXX\0...')),
      jpegSegment(0xe1, latin('http://ns.adobe.com/xap/1.0/\0')),
      jpegSegment(0xe2, latin('MPF\0...')),
      jpegSegment(0xed, latin('Photoshop 3.0\0')),
      jpegSegment(0xee, latin('Other...')),
      jpegSegment(0xef, latin('Adobe...')),
      jpegSegment(0xfe, latin('Adobe...')),
    ];
    const mixed = retained.map((segment, index) =>
      Buffer.concat([segment, dropped[index] ?? START]),
    );
    expect(cleanJpeg(whole(...mixed, ...dropped))).toEqual({
      bytes: whole(...retained),
      width: 16,
      height: 12,
    });
  });

  test('has the size of its first frame, of whatever kind', () => {
    const second = frame(0xc1, sizeOf(300, 200));
    for (const marker of [0xc0, 0xc2, 0xcf])
      expect(cleanJpeg(jpeg(frame(marker), second, SCAN))).toMatchObject({ width: 16, height: 12 });
    expect(cleanJpeg(jpeg(second, SCAN))).toMatchObject({ width: 300, height: 200 });
  });

  test.each([0x02, 0xbf, 0xc4, 0xc8, 0xcc])(
    'has no size from a segment %i, which is no frame',
    (marker) => {
      const other = jpegSegment(marker, sizeOf(300, 200));
      const short = jpegSegment(marker, Buffer.alloc(2));
      expect(cleanJpeg(whole(other, short))).toMatchObject({ width: 16, height: 12 });
    },
  );

  test.each([0x01, 0xd0, 0xd7, 0xd8])(
    'loses a marker %i, which has no length, between two segments',
    (marker) => {
      expect(cleanJpeg(whole(Buffer.from([0xff, marker]), TABLE)).bytes).toEqual(whole(TABLE));
    },
  );

  test('loses fill bytes before a marker', () => {
    expect(cleanJpeg(whole(Buffer.from([0xff, 0xff]), TABLE)).bytes).toEqual(whole(TABLE));
  });

  test('retains whole scans with escaped bytes, restarts and fill bytes', () => {
    const data = Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd7, 0x78, 0xff]);
    const scan = Buffer.concat([jpegSegment(0xda, latin('scan')), data]);
    const bytes = jpeg(frame(), scan, TABLE, scan);
    expect(cleanJpeg(bytes).bytes).toEqual(bytes);
  });

  test('loses what is no data between two scans', () => {
    const note = jpegSegment(0xfe, latin('secret'));
    const marker = Buffer.from([0xff, 0x01]);
    expect(cleanJpeg(jpeg(frame(), SCAN, note, SCAN, marker)).bytes).toEqual(
      jpeg(frame(), SCAN, SCAN),
    );
  });

  test.each([
    ['without its beginning', whole(TABLE).subarray(2)],
    ['with a byte between two segments', whole(TABLE, Buffer.from([0x01]))],
    ['without a frame', jpeg(TABLE, SCAN)],
    ['without a scan', jpeg(TABLE, frame())],
    ['whose frame is too short', jpeg(frame(0xc0, Buffer.alloc(4)), SCAN)],
    ['that ends within its data', jpeg(frame(), SCAN).subarray(0, -2)],
    ['that ends within a marker', jpeg(frame(), SCAN).subarray(0, -1)],
  ])('%s is damaged', (_, bytes) => {
    expect(() => cleanJpeg(bytes)).toThrow(BrokenPicture);
  });
});

interface Entry {
  tag: number;
  value: number;
}
const ORIENTATION = 0x0112;
const OTHER = { tag: 0x0100, value: 3 };
const turnedBy = (value: number): Entry => ({ tag: ORIENTATION, value });

/** Metadata with entries; `count` is how many it announces. */
function exif(
  entries: readonly Entry[],
  { count = entries.length, at = 8, isLittle = false, name = 'Exif\0\0' } = {},
): Buffer {
  const tiff = Buffer.alloc(10 + entries.length * 12);
  const short = (value: number, offset: number) =>
    isLittle ? tiff.writeUInt16LE(value, offset) : tiff.writeUInt16BE(value, offset);
  tiff.write(isLittle ? 'II' : 'MM', 'latin1');
  short(42, 2);
  if (isLittle) tiff.writeUInt32LE(at, 4);
  else tiff.writeUInt32BE(at, 4);
  short(count, 8);
  for (const [index, { tag, value }] of entries.entries()) {
    const from = 10 + index * 12;
    short(tag, from);
    short(3, from + 2);
    if (isLittle) tiff.writeUInt32LE(1, from + 4);
    else tiff.writeUInt32BE(1, from + 4);
    short(value, from + 8);
  }
  return Buffer.concat([latin(name), tiff]);
}

/** The remaining metadata of a turned picture: only its orientation. */
const retained = (value: number) =>
  jpegSegment(0xe1, Buffer.concat([exif([turnedBy(value)]), Buffer.alloc(4)]));

describe('the orientation of a JPEG', () => {
  test.each<[string, number, Buffer]>([
    ['alone', 6, exif([turnedBy(6)])],
    ['in the other byte order', 6, exif([turnedBy(6)], { isLittle: true })],
    ['behind another entry', 8, exif([OTHER, turnedBy(8)])],
    ['of the first of two', 2, exif([turnedBy(2), turnedBy(6)])],
  ])('remains: %s', (_, value, body) => {
    expect(cleanJpeg(whole(jpegSegment(0xe1, body))).bytes).toEqual(whole(retained(value)));
  });

  test('is that of the first metadata', () => {
    const segments = [6, 3].map((value) => jpegSegment(0xe1, exif([turnedBy(value)])));
    expect(cleanJpeg(whole(...segments)).bytes).toEqual(whole(retained(6)));
  });

  test.each<[string, Buffer]>([
    ['as it is upright', exif([turnedBy(1)])],
    ['as there is none', exif([OTHER])],
    ['as there is none below 1', exif([turnedBy(0)])],
    ['as there is none above 8', exif([turnedBy(9)])],
    ['as it is beyond the announced entries', exif([OTHER, turnedBy(6)], { count: 1 })],
    ['as its entry is truncated', exif([OTHER], { count: 2 })],
    ['as the entries are beyond the end', exif([turnedBy(6)], { at: 22 })],
    ['as the metadata is truncated', exif([turnedBy(6)]).subarray(0, 10)],
    ['as the metadata is of another kind', exif([turnedBy(6)], { name: 'Else\0\0' })],
  ])('is removed, %s', (_, body) => {
    expect(cleanJpeg(whole(jpegSegment(0xe1, body))).bytes).toEqual(whole());
  });

  test('is not read from another segment', () => {
    const other = jpegSegment(0xed, exif([turnedBy(6)]));
    expect(cleanJpeg(whole(other)).bytes).toEqual(whole());
  });
});
