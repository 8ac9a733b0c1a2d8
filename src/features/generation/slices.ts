/** Length of a time slice, milliseconds. */
const SLICE_MS = 40;

/** Resolves at once within the slice, else after yielding; returns whether it yielded. */
export type Breath = () => Promise<boolean>;

/** Creates a yield function for long work: call it often, it yields rarely. */
export function breath(now: () => number = () => performance.now()): Breath {
  let since = now();
  return async () => {
    if (now() - since < SLICE_MS) return false;
    await new Promise((resolve) => setTimeout(resolve));
    since = now();
    return true;
  };
}
