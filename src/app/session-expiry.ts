/** The maximum delay of `setTimeout`; a longer one fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Clock and timers; all in milliseconds. */
export interface ExpiryClock {
  /** Corrected by the server offset if known. */
  now(): number;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

/** Watches one session. `check` is also called at wake-ups, since timers are suspended while the device sleeps. */
export interface ExpiryWatch {
  check(): void;
  stop(): void;
}

/**
 * Calls `onExpired` once `expiresAt` (ms since 1970) is reached, at once if it has passed.
 * Delays beyond the maximum are split into several timers.
 */
export function watchExpiry(
  expiresAt: number,
  clock: ExpiryClock,
  onExpired: () => void,
): ExpiryWatch {
  let timer: number | null = null;
  let done = false;
  const stop = () => {
    done = true;
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  };
  const check = () => {
    if (done) return;
    if (timer !== null) clock.clearTimeout(timer);
    const left = expiresAt - clock.now();
    if (left <= 0) {
      stop();
      onExpired();
      return;
    }
    timer = clock.setTimeout(check, Math.min(left, MAX_DELAY_MS));
  };
  check();
  return { check, stop };
}
