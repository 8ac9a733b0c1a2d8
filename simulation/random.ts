/** Deterministic pseudo-random numbers from a seed. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** An integer from 0 up to, not including, `below`. */
  int(below: number): number;
  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Picks by weight; never one of weight 0. */
  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T;
  /** UUID of version 4. */
  uuid(): string;
  bytes(count: number): Uint8Array<ArrayBuffer>;
  /** An independent sequence, not affected by draws from this one. */
  fork(label: string): Random;
}

const WORD = 2 ** 32;

/** FNV-1a over UTF-16 units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/** sfc32, warmed up. */
function generator(seed: number, label: string): () => number {
  let [a, b, c, counter] = [seed >>> 0, hashText(label), Math.floor(seed / WORD) >>> 0, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / WORD;
  };
  for (let i = 0; i < 16; i += 1) next();
  return next;
}

export function createRandom(seed: number, label = 'root'): Random {
  const next = generator(seed, label);
  const int = (below: number): number => Math.floor(next() * below);
  const bytes = (count: number): Uint8Array<ArrayBuffer> =>
    Uint8Array.from({ length: count }, () => int(256));

  return {
    next,
    int,
    bytes,
    between: (low, high) => low + int(high - low + 1),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[int(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    weighted: (items) => {
      const total = items.reduce((sum, [weight]) => sum + weight, 0);
      let left = next() * total;
      for (const [weight, item] of items) {
        left -= weight;
        if (weight > 0 && left < 0) return item;
      }
      const last = items.findLast(([weight]) => weight > 0);
      if (!last) throw new Error('nothing to choose from');
      return last[1];
    },
    uuid: () => {
      const hex = [...bytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    fork: (name) => createRandom(seed, `${label}/${name}`),
  };
}
