/** Work goes on for so long before the page gets its turn, milliseconds. */
const SLICE_MS = 40;

/** Resolves at once while the slice lasts, else after the page had its turn; tells whether it had. */
export type Breath = () => Promise<boolean>;

/** Pauses for long work on the page: called often, it gives way rarely. */
export function breath(now: () => number = () => performance.now()): Breath {
  let since = now();
  return async () => {
    if (now() - since < SLICE_MS) return false;
    await new Promise((resolve) => setTimeout(resolve));
    since = now();
    return true;
  };
}
