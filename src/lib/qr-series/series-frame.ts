import { sha256 } from '@noble/hashes/sha2.js';

/** Format and its version, at the start of each frame. */
const MARK = new TextEncoder().encode('EX1');
const ID_BYTES = 8;
const CHECK_BYTES = 4;
const LENGTH_AT = MARK.length + ID_BYTES;
const INDEX_AT = LENGTH_AT + 4;
const BLOCK_AT = INDEX_AT + 4;

/** The capacity of QR version 15 with correction level L: larger codes are not read by a camera of 640 × 480 pixels. */
const MAX_FRAME_BYTES = 520;
const MAX_BLOCK_BYTES = MAX_FRAME_BYTES - BLOCK_AT - CHECK_BYTES;

export const MAX_SERIES_BYTES = 256 * 1024;

/** One frame of a series. */
export interface SeriesFrame {
  /** Start of the SHA-256 of all bytes. */
  readonly id: Uint8Array;
  /** Length of all bytes. */
  readonly length: number;
  /** Number of the frame, which determines the blocks that it combines (`selectBlocks`). */
  readonly index: number;
  readonly block: Uint8Array;
}

/** How bytes of this length are cut: all blocks have the same size, the last one is filled with zeros. */
export function cutIntoBlocks(length: number): { count: number; size: number } {
  const count = Math.max(1, Math.ceil(length / MAX_BLOCK_BYTES));
  return { count, size: Math.ceil(length / count) };
}

export const seriesId = (bytes: Uint8Array): Uint8Array => sha256(bytes).subarray(0, ID_BYTES);

export const isSameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

export function writeFrame({ id, length, index, block }: SeriesFrame): Uint8Array {
  const frame = new Uint8Array(BLOCK_AT + block.length + CHECK_BYTES);
  frame.set(MARK);
  frame.set(id, MARK.length);
  const view = new DataView(frame.buffer);
  view.setUint32(LENGTH_AT, length);
  view.setUint32(INDEX_AT, index);
  frame.set(block, BLOCK_AT);
  const end = BLOCK_AT + block.length;
  frame.set(sha256(frame.subarray(0, end)).subarray(0, CHECK_BYTES), end);
  return frame;
}

/** Reads the content of a QR code. `foreign`: it is no frame; `damaged`: a frame that was changed or cut off. */
export function readFrame(content: Uint8Array): SeriesFrame | 'foreign' | 'damaged' {
  if (!isSameBytes(content.subarray(0, MARK.length), MARK)) return 'foreign';
  const end = content.length - CHECK_BYTES;
  if (end < BLOCK_AT) return 'damaged';
  const check = sha256(content.subarray(0, end)).subarray(0, CHECK_BYTES);
  if (!isSameBytes(content.subarray(end), check)) return 'damaged';
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const length = view.getUint32(LENGTH_AT);
  const block = content.slice(BLOCK_AT, end);
  if (length > MAX_SERIES_BYTES || block.length !== cutIntoBlocks(length).size) return 'damaged';
  return {
    id: content.slice(MARK.length, LENGTH_AT),
    length,
    index: view.getUint32(INDEX_AT),
    block,
  };
}
