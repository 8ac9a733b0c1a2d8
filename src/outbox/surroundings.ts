import type { DeviceClock, Timers } from './types.ts';

/** The browser's clocks and timers, in the page and in the worker. */
export const browserClock: DeviceClock = {
  wall: () => Date.now(),
  monotone: () => performance.now(),
};

export const browserTimers: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
};
