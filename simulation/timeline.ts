import type { DeviceClock, Timers } from '#app/api/timers.ts';

/** True time of a run, milliseconds since 1970. It advances only explicitly; nothing really sleeps. */
export interface Timeline extends Timers {
  now(): number;
  /** Advances the time and runs due timers in order. */
  advance(ms: number): void;
}

export function createTimeline(start: number): Timeline {
  let now = start;
  let nextId = 1;
  const waiting = new Map<number, { at: number; run: () => void }>();

  function earliest(until: number): [number, { at: number; run: () => void }] | null {
    let found: [number, { at: number; run: () => void }] | null = null;
    for (const entry of waiting) {
      if (entry[1].at <= until && (found === null || entry[1].at < found[1].at)) found = entry;
    }
    return found;
  }

  return {
    now: () => now,
    set: (run, ms) => {
      const id = nextId;
      nextId += 1;
      waiting.set(id, { at: now + Math.max(0, ms), run });
      return id;
    },
    clear: (timer) => {
      waiting.delete(timer as number);
    },
    advance: (ms) => {
      const until = now + ms;
      for (let due = earliest(until); due !== null; due = earliest(until)) {
        const [id, { at, run }] = due;
        waiting.delete(id);
        now = Math.max(now, at);
        run();
      }
      now = until;
    },
  };
}

/** Clocks of a device: the wall clock may be set to anything, the monotonic one stops in sleep. */
export interface SimulatedClock extends DeviceClock {
  /** Sets the wall clock forward, or back by a negative number. */
  shift(ms: number): void;
  /** Error of the wall clock. */
  skew(): number;
  /** Time that the monotonic clock did not count. */
  slept(ms: number): void;
  /** Resets the monotonic clock. */
  reboot(): void;
  /** A page is shown all the time, so that the device cannot have slept. */
  isShown: boolean;
}

export function createDeviceClock(timeline: Timeline, skewMs: number): SimulatedClock {
  let skew = skewMs;
  let origin = timeline.now();
  const clock: SimulatedClock = {
    isShown: false,
    mayHaveSlept: () => !clock.isShown,
    wall: () => timeline.now() + skew,
    monotone: () => timeline.now() - origin,
    shift: (ms) => {
      skew += ms;
    },
    skew: () => skew,
    slept: (ms) => {
      origin += ms;
    },
    reboot: () => {
      origin = timeline.now();
    },
  };
  return clock;
}
