const waiting: (() => void)[] = [];
/** WebKit has no idle periods. */
const PAUSE_MS = 50;
/** A page that is always busy does the work all the same. */
const MAX_WAIT_MS = 1_000;

const schedule: (callback: () => void) => void =
  'requestIdleCallback' in globalThis
    ? (callback) => void requestIdleCallback(callback, { timeout: MAX_WAIT_MS })
    : (callback) => void setTimeout(callback, PAUSE_MS);

function runNext(): void {
  const work = waiting.shift();
  if (waiting.length > 0) schedule(runNext);
  work?.();
}

/** Does each work in an idle period of its own: together they would occupy a slow phone while it paints. */
export function whenIdle(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) schedule(runNext);
}
