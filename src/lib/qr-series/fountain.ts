import { seededRandom } from '#domain/seeded-random.ts';

/**
 * A random linear fountain code over GF(2): the first frames are the blocks themselves, each later one is the sum (XOR)
 * of a random half of them. Any `count + 2` different frames almost always suffice, whichever were lost.
 */

const hasBit = (mask: Uint8Array, at: number) => ((mask[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;

function setBit(mask: Uint8Array, at: number): void {
  mask[at >> 3] = (mask[at >> 3] ?? 0) | (1 << (at & 7));
}

const maskSize = (count: number) => Math.ceil(count / 8);

function addTo(sum: Uint8Array, other: Uint8Array): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] as number) ^ (other[at] as number);
}

/**
 * The blocks that a frame combines, a bit for each. Devices with different versions of the app must agree on it: it is
 * part of the format.
 */
function selectBlocks(index: number, count: number): Uint8Array {
  const mask = new Uint8Array(maskSize(count));
  if (index < count) {
    setBit(mask, index);
    return mask;
  }
  const random = seededRandom(String(index));
  for (let at = 0; at < count; at += 1) if (random() < 0.5) setBit(mask, at);
  if (mask.every((byte) => byte === 0)) setBit(mask, index % count);
  return mask;
}

/** The sum of the blocks that the frame combines. */
export function combineBlocks(blocks: readonly Uint8Array[], index: number): Uint8Array {
  const mask = selectBlocks(index, blocks.length);
  const sum = new Uint8Array(blocks[0]?.length ?? 0);
  for (const [at, block] of blocks.entries()) if (hasBit(mask, at)) addTo(sum, block);
  return sum;
}

export interface BlockSolver {
  /** Adds the combined blocks of a frame. Returns how many blocks are determined so far. */
  add: (index: number, combined: Uint8Array) => number;
  /** All blocks in order, once all are determined. */
  solve: () => Uint8Array[];
}

/** Gaussian elimination, one frame at a time. */
export function createBlockSolver(count: number): BlockSolver {
  /** By its first block: a mask of blocks, and behind it their sum. */
  const rows = new Map<number, Uint8Array>();
  const maskBytes = maskSize(count);
  return {
    add(index, combined) {
      const row = new Uint8Array(maskBytes + combined.length);
      row.set(selectBlocks(index, count));
      row.set(combined, maskBytes);
      for (let at = 0; at < count; at += 1) {
        if (!hasBit(row, at)) continue;
        const known = rows.get(at);
        if (!known) {
          rows.set(at, row);
          break;
        }
        addTo(row, known);
      }
      return rows.size;
    },
    solve() {
      const solved: Uint8Array[] = [];
      for (let first = count - 1; first >= 0; first -= 1) {
        const row = rows.get(first);
        if (!row) throw new Error(`Block ${first} is not determined`);
        const block = row.slice(maskBytes);
        for (let at = first + 1; at < count; at += 1)
          if (hasBit(row, at)) addTo(block, solved[at] as Uint8Array);
        solved[first] = block;
      }
      return solved;
    },
  };
}
