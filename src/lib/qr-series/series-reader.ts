import { createBlockSolver, type BlockSolver } from './fountain.ts';
import {
  cutIntoBlocks,
  isSameBytes,
  readFrame,
  seriesId,
  type SeriesFrame,
} from './series-frame.ts';

export interface SeriesProgress {
  /** Share of the present series that is read, 0 to 1. */
  readonly done: number;
  /** All bytes of the series, checked by their digest; null until then. */
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
  bytes: Uint8Array | null;
}

function openSeries({ id, length }: SeriesFrame): OpenSeries {
  const { count } = cutIntoBlocks(length);
  return { id, length, count, solver: createBlockSolver(count), known: 0, bytes: null };
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

/** Reads one series at a time, from frames in any order. A frame of another series starts anew. */
export function createSeriesReader(): SeriesReader {
  let series: OpenSeries | null = null;
  const report = (problem: SeriesProgress['problem']): SeriesProgress => ({
    done: series ? series.known / series.count : 0,
    bytes: series?.bytes ?? null,
    problem,
  });
  return {
    add(content) {
      const frame = readFrame(content);
      if (typeof frame === 'string') return report(frame);
      if (series?.length !== frame.length || !isSameBytes(series.id, frame.id))
        series = openSeries(frame);
      if (series.bytes) return report(null);
      series.known = series.solver.add(frame.index, frame.block);
      if (series.known < series.count) return report(null);
      series.bytes = joinBlocks(series);
      if (series.bytes) return report(null);
      series = null;
      return report('damaged');
    },
  };
}
