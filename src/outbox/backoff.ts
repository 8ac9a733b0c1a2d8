/** Full jitter: base 1 s, doubling, capped at 30 s. A floor keeps a lucky draw from spinning. */
const BASE_MS = 1_000;
const CAP_MS = 30_000;
const FLOOR_MS = 100;

/** Failures while other calls succeeded that make an operation poisoned. */
export const POISONED_AFTER = 8;
/** How often a poisoned operation is tried. */
export const POISONED_EVERY_MS = 120_000;
/** Different operations failing in a row that count as the server's failure, not theirs. */
const MANY = 3;

/** Milliseconds to wait after the n-th failure in a row. */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(failures - 1, 10));
  return Math.max(FLOOR_MS, Math.round(random() * ceiling));
}

interface Wait {
  readonly failures: number;
  readonly notBefore: number;
}

/** When what may be tried again. In memory, by the monotone clock: a reload tries at once. */
export interface Backoffs {
  isDue(key: string): boolean;
  /** Failures in a row since the last success or reload. */
  failures(key: string): number;
  /** One thing failed; `waitMs` overrides the jitter. */
  failed(key: string, waitMs?: number): void;
  succeeded(key: string): void;
  /** No way to the server at all, or it asked everybody to wait. */
  holdAll(waitMs?: number): void;
  allDue(): boolean;
  /** Any success: the server is there. */
  serverSucceeded(): void;
  /** Milliseconds until the earliest of these is due, 0 when one is now; null for none. */
  nextIn(keys: readonly string[]): number | null;
  /** Tried at once: the network came back, the page became visible, somebody pressed the button. */
  forget(): void;
}

export function createBackoffs(monotone: () => number, random: () => number): Backoffs {
  const waits = new Map<string, Wait>();
  const failedInRow = new Set<string>();
  let all: Wait = { failures: 0, notBefore: 0 };

  function holdAll(waitMs?: number): void {
    const failures = all.failures + 1;
    all = { failures, notBefore: monotone() + (waitMs ?? backoffMs(failures, random)) };
  }

  return {
    isDue: (key) => (waits.get(key)?.notBefore ?? 0) <= monotone(),
    failures: (key) => waits.get(key)?.failures ?? 0,
    failed: (key, waitMs) => {
      const failures = (waits.get(key)?.failures ?? 0) + 1;
      waits.set(key, { failures, notBefore: monotone() + (waitMs ?? backoffMs(failures, random)) });
      failedInRow.add(key);
      if (failedInRow.size >= MANY) holdAll();
    },
    succeeded: (key) => {
      waits.delete(key);
    },
    holdAll,
    allDue: () => all.notBefore <= monotone(),
    serverSucceeded: () => {
      failedInRow.clear();
      all = { failures: 0, notBefore: 0 };
    },
    nextIn: (keys) => {
      if (keys.length === 0) return null;
      const earliest = Math.min(...keys.map((key) => waits.get(key)?.notBefore ?? 0));
      return Math.max(0, Math.ceil(Math.max(earliest, all.notBefore) - monotone()));
    },
    forget: () => {
      for (const [key, wait] of waits) waits.set(key, { ...wait, notBefore: 0 });
      failedInRow.clear();
      all = { failures: 0, notBefore: 0 };
    },
  };
}
