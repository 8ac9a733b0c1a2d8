/** The longest wait that `setTimeout` keeps; a longer one fires at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** The time as this needs it; all in milliseconds. */
export interface ExpiryClock {
  /** Corrected to the server's where that is known. */
  now(): number;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

/** Watches one sign-in. `check` is called at wake-ups too, since timers sleep with the device. */
export interface ExpiryWatch {
  check(): void;
  stop(): void;
}

/**
 * Calls `onExpired` once `expiresAt` (ms since 1970) is reached, at once if it has passed.
 * Waits longer than a timer can are made of several.
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
    timer = clock.setTimeout(check, Math.min(left, LONGEST_WAIT_MS));
  };
  check();
  return { check, stop };
}
