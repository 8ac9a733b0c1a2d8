/** A device's power: it may go at any step that its pages take in storage or network, and all of them with it. */
export interface Power {
  /** It goes at the n-th step from now; null: it stays. */
  cutAfter(steps: number | null): void;
  /** One more step of any page. True: it was the last one. */
  spend(): boolean;
  /** A page is there until it ends; gives how it leaves. */
  connect(die: () => void): () => void;
  /** Whether the power went since this was asked last. */
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
      // Each leaves as it dies, which a set allows while it is walked through.
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
