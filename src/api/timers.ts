/** The device's two clocks, in milliseconds. */
export interface DeviceClock {
  /** May be wrong, and may be changed at any moment. */
  wall(): number;
  /** Never goes back within a page; may stop in sleep. */
  monotone(): number;
  /** Whether the device may have slept since the last call; absent: always. */
  mayHaveSlept?(): boolean;
}

export interface Timers {
  set(run: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

/** The browser's clocks and timers, in the page and in the worker. */
export const browserClock: DeviceClock = {
  wall: () => Date.now(),
  monotone: () => performance.now(),
};

export const browserTimers: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
};
