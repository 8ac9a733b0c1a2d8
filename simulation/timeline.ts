import type { DeviceClock, Timers } from '#app/outbox/surroundings.ts';

/** True time of a run, milliseconds since 1970. It moves only when told; nothing here ever sleeps. */
export interface Timeline extends Timers {
  now(): number;
  /** Moves on, and runs what is due on the way, in order. */
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

/** A device's clocks: the wall clock may be set to anything, the monotone one stops in sleep. */
export interface SimulatedClock extends DeviceClock {
  /** Sets the wall clock forward, or back by a negative number. */
  shift(ms: number): void;
  /** How wrong the wall clock is. */
  skew(): number;
  /** Time that passed without the monotone clock. */
  slept(ms: number): void;
  /** The monotone clock starts over. */
  reboot(): void;
}

export function createDeviceClock(timeline: Timeline, skewMs: number): SimulatedClock {
  let skew = skewMs;
  let origin = timeline.now();
  return {
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
}
