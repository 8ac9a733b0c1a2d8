import { combineBlocks } from './fountain.ts';
import { cutIntoBlocks, MAX_SERIES_BYTES, seriesId, writeFrame } from './series-frame.ts';

/** An endless series of frames, each the content of one QR code. */
export interface FrameSeries {
  /** Number of frames that a reader needs at least. With 1 all frames are the same. */
  readonly count: number;
  /** @param index 0 and above */
  frame: (index: number) => Uint8Array;
}

/** @throws {RangeError} for more than `MAX_SERIES_BYTES` */
export function encodeSeries(bytes: Uint8Array): FrameSeries {
  if (bytes.length > MAX_SERIES_BYTES)
    throw new RangeError(`${bytes.length} bytes are too many for a series of QR codes`);
  const { count, size } = cutIntoBlocks(bytes.length);
  const blocks = Array.from({ length: count }, (_, at) => {
    const block = new Uint8Array(size);
    block.set(bytes.subarray(at * size, (at + 1) * size));
    return block;
  });
  const id = seriesId(bytes);
  return {
    count,
    frame(number) {
      const index = count === 1 ? 0 : number;
      return writeFrame({ id, length: bytes.length, index, block: combineBlocks(blocks, index) });
    },
  };
}
