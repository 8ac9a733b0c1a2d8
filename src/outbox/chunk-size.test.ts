import { expect, test } from 'vitest';
import { FILE_CHUNK_BYTES } from '#contract/limits.ts';
import { afterChunk, afterTimeOut, FIRST_CHUNK, isTooSlow, type ChunkSize } from './chunk-size.ts';

const KB = 1024;
const sized = (bytes: number): ChunkSize => ({ ...FIRST_CHUNK, bytes });

test('the first chunk arrives in time at 50 kbit/s', () => {
  expect((FIRST_CHUNK.bytes * 8) / 50_000).toBeLessThan(3);
});

test.each([
  ['doubles at most', 16 * KB, 100, 32 * KB],
  ['grows to the target', 16 * KB, 2_000, 20 * KB],
  ['shrinks to the target', 16 * KB, 5_000, 8 * KB],
  ['stays within the wire’s limit', FILE_CHUNK_BYTES, 100, FILE_CHUNK_BYTES],
  ['stays above the least size', 4 * KB, 60_000, 4 * KB],
  ['survives a clock that stands', 16 * KB, 0, 32 * KB],
])('a chunk that arrived %s', (_name, sent, elapsedMs, bytes) => {
  expect(afterChunk(sized(sent), sent, elapsedMs).bytes).toBe(bytes);
});

test('the short last chunk of a file shrinks the size only where it was slow', () => {
  expect(afterChunk(sized(64 * KB), 100, 300).bytes).toBe(64 * KB);
  expect(afterChunk(sized(64 * KB), 10_000, 5_000).bytes).toBe(5_000);
});

test('a size that timed out is not tried again before eight smaller chunks have arrived', () => {
  let size = afterTimeOut(sized(256 * KB), 256 * KB);
  expect(size.bytes).toBe(64 * KB);
  const sent: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    sent.push(size.bytes);
    size = afterChunk(size, size.bytes, 500);
  }
  expect(Math.max(...sent)).toBeLessThan(256 * KB);
  expect(size.bytes).toBe(256 * KB);

  const again = afterTimeOut(size, 256 * KB);
  expect(again.holdLeft).toBe(16);
  expect(afterChunk(again, 256 * KB, 2_000)).toMatchObject({ failed: null, hold: 8 });
});

test('time-outs one after another lengthen the hold only once', () => {
  const twice = afterTimeOut(afterTimeOut(sized(256 * KB), 256 * KB), 64 * KB);
  expect(twice).toEqual({ bytes: 16 * KB, failed: 64 * KB, holdLeft: 8, hold: 8 });
});

test('what ended late without a reply counts as a time-out, what broke at once does not', () => {
  expect([isTooSlow(true, 0), isTooSlow(false, 4_000), isTooSlow(false, 10)]).toEqual([
    true,
    true,
    false,
  ]);
});
