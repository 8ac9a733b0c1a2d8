import { createBlockSolver, type BlockSolver } from './fountain.ts';
import {
  cutIntoBlocks,
  isSameBytes,
  readFrame,
  seriesId,
  type SeriesFrame,
} from './series-frame.ts';

export interface SeriesProgress {
  /** Share that is read of the series that is read furthest, 0 to 1. */
  readonly done: number;
  /** All bytes of the series of the added code, checked by their digest; null until then. */
  readonly bytes: Uint8Array | null;
  /** What is wrong with the added code. `foreign`: it is no frame; `damaged`: the frame or its series was changed. */
  readonly problem: 'foreign' | 'damaged' | null;
}

export interface SeriesReader {
  /** @param content of one QR code */
  add: (content: Uint8Array) => SeriesProgress;
}

interface OpenSeries {
  readonly id: Uint8Array;
  readonly length: number;
  readonly count: number;
  readonly solver: BlockSolver;
  known: number;
  /** Number of its last frame among those of all series. */
  seenAt: number;
  bytes: Uint8Array | null;
}

function openSeries({ id, length }: SeriesFrame): OpenSeries {
  const { count } = cutIntoBlocks(length);
  return { id, length, count, solver: createBlockSolver(count), known: 0, seenAt: 0, bytes: null };
}

/** Null if the digest differs. */
function joinBlocks({ id, length, solver }: OpenSeries): Uint8Array | null {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const block of solver.solve()) {
    bytes.set(block.subarray(0, length - at), at);
    at += block.length;
  }
  return isSameBytes(seriesId(bytes), id) ? bytes : null;
}

/** Bounds the memory: more screens are not in front of one camera. */
const MAX_OPEN = 4;
/** A series without a frame among so many is no longer in front of the camera. */
const GONE_AFTER = 24;

/** Reads a series from frames in any order. Frames of other screens between them do not disturb it. */
export function createSeriesReader(): SeriesReader {
  /** By id and length; the one that was seen last is the last. */
  const open = new Map<string, OpenSeries>();
  let frames = 0;

  const see = (frame: SeriesFrame): OpenSeries => {
    const key = [...frame.id, frame.length].join();
    const series = open.get(key) ?? openSeries(frame);
    frames += 1;
    series.seenAt = frames;
    open.delete(key);
    open.set(key, series);
    for (const [each, { seenAt }] of open)
      if (open.size > MAX_OPEN || frames - seenAt > GONE_AFTER) open.delete(each);
    if (series.bytes) return series;
    series.known = series.solver.add(frame.index, frame.block);
    if (series.known < series.count) return series;
    series.bytes = joinBlocks(series);
    if (!series.bytes) open.delete(key);
    return series;
  };

  const report = (
    bytes: Uint8Array | null,
    problem: SeriesProgress['problem'],
  ): SeriesProgress => ({
    done: Math.max(0, ...[...open.values()].map(({ known, count }) => known / count)),
    bytes,
    problem,
  });

  return {
    add(content) {
      const frame = readFrame(content);
      if (typeof frame === 'string') return report(null, frame);
      const { known, count, bytes } = see(frame);
      return report(bytes, known === count && !bytes ? 'damaged' : null);
    },
  };
}
