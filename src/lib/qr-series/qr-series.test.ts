import fc from 'fast-check';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { expect, test } from 'vitest';
import { seededRandom } from '#domain/seeded-random.ts';
import { drawCode } from './draw-code.ts';
import { encodeSeries } from './encode-series.ts';
import { readCode } from './read-code.ts';
import { createSeriesReader, type SeriesReader } from './series-reader.ts';
import { photographCode } from './test-picture.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Bytes that do not repeat. */
const bytesOf = (length: number, seed = 1) =>
  Uint8Array.from({ length }, (_, at) => (Math.imul(at + seed, 2_654_435_761) >>> 13) & 255);

/** Texts are compared many times faster than arrays. */
const hexOf = (bytes: Uint8Array | null) => bytes && bytesToHex(bytes);

/** Reads frames until the series is complete. Returns the bytes and how many frames were read. */
function readFrames(frames: Iterable<Uint8Array>, reader: SeriesReader = createSeriesReader()) {
  let count = 0;
  for (const frame of frames) {
    count += 1;
    const { bytes } = reader.add(frame);
    if (bytes) return { bytes, count };
  }
  return { bytes: null, count };
}

/** Frames of a series from `start` on, without those that `isLost`. */
function* shownFrames(bytes: Uint8Array, isLost: (at: number) => boolean, start = 0, end = 5_000) {
  const series = encodeSeries(bytes);
  for (let at = start; at < end; at += 1) if (!isLost(at)) yield series.frame(at);
}

const anyBytes = fc.uint8Array({ maxLength: 6_000 });

test('any bytes are read, whichever frames are lost and wherever the reading begins', () => {
  fc.assert(
    fc.property(
      anyBytes,
      fc.nat({ max: 100_000 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
      (bytes, start, pattern) => {
        // At least one frame of each round is seen.
        const losses = [...pattern, false];
        const isLost = (at: number) => losses[at % losses.length] ?? false;
        const read = readFrames(shownFrames(bytes, isLost, start, start + 20_000));
        expect(hexOf(read.bytes)).toBe(hexOf(bytes));
      },
    ),
  );
});

test('frames may arrive in any order and repeatedly', () => {
  fc.assert(
    fc.property(anyBytes, fc.infiniteStream(fc.nat({ max: 60 })), (bytes, order) => {
      const series = encodeSeries(bytes);
      const shuffled = (function* () {
        let seen = 0;
        for (const at of order) {
          yield series.frame(at);
          if ((seen += 1) > 5_000) return;
        }
      })();
      expect(hexOf(readFrames(shuffled).bytes)).toBe(hexOf(bytes));
    }),
  );
});

test('the share that is read grows to 1 and never shrinks', () => {
  const reader = createSeriesReader();
  const shares = [...shownFrames(bytesOf(5_000), (at) => at % 3 === 0, 0, 40)].map(
    (frame) => reader.add(frame).done,
  );
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares[0]).toBeCloseTo(1 / 11, 5);
  expect(shares.at(-1)).toBe(1);
});

test('a changed or cut frame is damaged or foreign, and changes nothing', () => {
  const bytes = bytesOf(3_000);
  const series = encodeSeries(bytes);
  fc.assert(
    fc.property(
      fc.nat({ max: 50 }),
      fc.nat({ max: 519 }),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      (index, place, flip, isCut) => {
        const reader = createSeriesReader();
        reader.add(series.frame(100));
        const frame = series.frame(index);
        const at = place % frame.length;
        const wrong = isCut
          ? frame.subarray(0, at)
          : frame.map((byte, position) => (position === at ? byte ^ flip : byte));
        const { done, bytes: read, problem } = reader.add(wrong);
        expect(problem).toBe(at < 3 ? 'foreign' : 'damaged');
        expect([done, read]).toEqual([1 / 7, null]);
        expect(
          readFrames(
            shownFrames(bytes, () => false),
            reader,
          ).bytes,
        ).toEqual(bytes);
      },
    ),
  );
});

test('any mixture of noise, damaged frames and frames of two series never gives other bytes', () => {
  const [one, other] = [bytesOf(1_400, 1), bytesOf(1_400, 99)];
  const code = fc.oneof(
    fc.uint8Array({ maxLength: 600 }),
    fc.record({ isOther: fc.boolean(), index: fc.nat({ max: 30 }), cut: fc.nat({ max: 3 }) }),
  );
  fc.assert(
    fc.property(fc.array(code, { maxLength: 60 }), (codes) => {
      const reader = createSeriesReader();
      for (const shown of codes) {
        const isNoise = shown instanceof Uint8Array;
        const whole = isNoise
          ? shown
          : encodeSeries(shown.isOther ? other : one).frame(shown.index);
        const { bytes } = reader.add(isNoise ? whole : whole.subarray(0, whole.length - shown.cut));
        if (bytes) expect([hexOf(one), hexOf(other)]).toContain(hexOf(bytes));
      }
    }),
  );
});

test('a series is read while every eighth frame is that of another screen', () => {
  const bytes = bytesOf(9_000);
  const [own, other] = [encodeSeries(bytes), encodeSeries(bytesOf(9_000, 2))];
  expect(own.count).toBe(19);
  const mixed = Array.from({ length: 60 }, (_, at) =>
    at % 8 === 7 ? other.frame(at) : own.frame(at),
  );
  const read = readFrames(mixed);
  expect(hexOf(read.bytes)).toBe(hexOf(bytes));
  expect(read.count).toBeLessThan(30);
});

test('of several screens the series that is read furthest is shown, and the first whole one is given', () => {
  const reader = createSeriesReader();
  const bytes = bytesOf(2_000, 2);
  const [one, other] = [encodeSeries(bytesOf(2_000, 1)), encodeSeries(bytes)];
  for (const at of [0, 1, 2]) reader.add(one.frame(at));
  expect(reader.add(other.frame(0))).toEqual({ done: 3 / 5, bytes: null, problem: null });
  for (const at of [1, 2, 3]) reader.add(other.frame(at));
  expect(reader.add(one.frame(1)).done).toBe(4 / 5);
  expect(reader.add(other.frame(4))).toEqual({ done: 1, bytes, problem: null });
});

test('at most four series are open, those that were seen last', () => {
  const reader = createSeriesReader();
  const [first, second, ...others] = [1, 2, 3, 4, 5].map((seed) =>
    encodeSeries(bytesOf(2_000, seed)),
  );
  for (const at of [0, 1, 2]) if (first) reader.add(first.frame(at));
  for (const at of [0, 1]) if (second) reader.add(second.frame(at));
  if (first) reader.add(first.frame(0));
  const shares = others.map((series) => reader.add(series.frame(0)).done);
  expect(shares).toEqual([3 / 5, 3 / 5, 3 / 5]);
  expect(first && reader.add(first.frame(3)).done).toBe(4 / 5);
  // The second one made room for the last.
  for (const at of [2, 3, 4]) expect(second && reader.add(second.frame(at)).bytes).toBeNull();
});

test('a screen that is no longer in front of the camera is forgotten', () => {
  const reader = createSeriesReader();
  const [gone, next] = [encodeSeries(bytesOf(2_000)), encodeSeries(bytesOf(20_000, 2))];
  for (const at of [0, 1, 2, 3]) reader.add(gone.frame(at));
  const shares = Array.from({ length: 25 }, (_, at) => reader.add(next.frame(at)).done);
  expect(shares.slice(0, 24)).toEqual(Array.from({ length: 24 }, () => 4 / 5));
  expect(shares.at(-1)).toBe(25 / next.count);
});

/** A frame with a valid check for changed content, as only a program could show it. */
function forge(frame: Uint8Array, change: (frame: Uint8Array) => void): Uint8Array {
  const forged = frame.slice();
  change(forged);
  forged.set(sha256(forged.subarray(0, -4)).subarray(0, 4), forged.length - 4);
  return forged;
}

test('a forged block gives no bytes; afterwards the series is read anew', () => {
  const bytes = bytesOf(1_000);
  const series = encodeSeries(bytes);
  const reader = createSeriesReader();
  reader.add(forge(series.frame(0), (frame) => frame.fill(7, 100, 200)));
  reader.add(series.frame(1));
  expect(reader.add(series.frame(2))).toEqual({ done: 0, bytes: null, problem: 'damaged' });
  expect(
    readFrames(
      shownFrames(bytes, () => false),
      reader,
    ).bytes,
  ).toEqual(bytes);
});

test('a frame that announces more than the greatest length reserves nothing', () => {
  const frame = forge(encodeSeries(bytesOf(498)).frame(0), (forged) => forged.fill(255, 11, 15));
  expect(createSeriesReader().add(frame)).toEqual({ done: 0, bytes: null, problem: 'damaged' });
});

test.each(['https://school.example/join/7', '12345', ''])(
  'another QR code is foreign: %j',
  (content) => {
    expect(createSeriesReader().add(encode(content)).problem).toBe('foreign');
  },
);

test('256 KB are read despite a loss of 40 %, more are refused', () => {
  const bytes = bytesOf(256 * 1024);
  const read = readFrames(shownFrames(bytes, (at) => at % 5 < 2));
  expect(hexOf(read.bytes)).toBe(hexOf(bytes));
  expect(read.count).toBeLessThan(527 + 12);
  expect(() => encodeSeries(new Uint8Array(256 * 1024 + 1))).toThrow(RangeError);
});

test('12 KB need less than 10 s at 6 codes a second with 40 % lost, and few codes more than the least', () => {
  const bytes = bytesOf(12 * 1024);
  const series = encodeSeries(bytes);
  const random = seededRandom('losses');
  const runs = Array.from({ length: 100 }, (_, start) => {
    const reader = createSeriesReader();
    const run = { shown: 0, read: 0 };
    for (let isRead = false; !isRead; run.shown += 1) {
      if (random() < 0.4) continue;
      run.read += 1;
      isRead = reader.add(series.frame(start + run.shown)).bytes !== null;
    }
    return run;
  });
  const mean = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length;
  expect(mean(runs.map(({ shown }) => shown)) / 6).toBeLessThan(10);
  expect(mean(runs.map(({ read }) => read))).toBeLessThan(series.count + 2);
});

test('a short text is a single small code that never changes', () => {
  const series = encodeSeries(encode('Принято 10:42'));
  expect(series.count).toBe(1);
  expect(series.frame(7)).toEqual(series.frame(0));
  expect(drawCode(series.frame(0)).side).toBeLessThan(50);
});

test('frames of devices with other versions are read: the format is fixed', () => {
  const series = encodeSeries(bytesOf(3_000));
  const digests = [0, 6, 7, 1_000].map((at) => bytesToHex(sha256(series.frame(at))).slice(0, 16));
  expect(digests).toEqual([
    'c3a5cfe20d3fe88a',
    '8911caa515590e0f',
    '999045bca60ce3f4',
    '4824b501ef095b11',
  ]);
});

test('every byte survives the drawn code and its reading, with each mask', () => {
  const series = encodeSeries(Uint8Array.from({ length: 996 }, (_, at) => at & 255));
  for (const at of [0, 1, 2, 3, 4, 5, 6, 7])
    expect(hexOf(readCode(photographCode(series.frame(at), at)))).toBe(hexOf(series.frame(at)));
});

test('a picture without a code has no content', () => {
  const data = new Uint8ClampedArray(640 * 480 * 4).fill(200);
  expect(readCode({ width: 640, height: 480, data })).toBeNull();
});
