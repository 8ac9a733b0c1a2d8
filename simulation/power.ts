/** Power of a device: a cut at any storage or network step of its pages kills all of them. */
export interface Power {
  /** Schedules the cut at the n-th step from now; null: none. */
  cutAfter(steps: number | null): void;
  /** Counts a step of any page. True: the power was cut at it. */
  spend(): boolean;
  /** Registers a page; returns the function that unregisters it. */
  connect(die: () => void): () => void;
  /** Whether the power was cut since the last call. */
  wentOut(): boolean;
}

export function createPower(): Power {
  const pages = new Set<() => void>();
  let left: number | null = null;
  let isOut = false;
  return {
    cutAfter: (steps) => {
      left = steps;
    },
    spend: () => {
      if (left === null) return false;
      left -= 1;
      if (left > 0) return false;
      left = null;
      isOut = true;
      // Each unregisters as it is killed, which a Set allows during iteration.
      for (const die of pages) die();
      return true;
    },
    connect: (die) => {
      pages.add(die);
      return () => pages.delete(die);
    },
    wentOut: () => {
      const was = isOut;
      isOut = false;
      return was;
    },
  };
}
