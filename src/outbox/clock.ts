import type { ClockRow } from '#app/storage/rows.ts';
import type { DeviceClock } from './surroundings.ts';

/** A changed offset beyond this means that somebody set the device's clock. */
const JUMP_MS = 30_000;
/** A wall clock this far behind what it must show was set back. */
const SET_BACK_MS = 2_000;
/** How much a good measurement worsens with age: quartz drifts about 100 millionths. */
const DRIFT = 0.0001;

/** Where a moment of writing stands on the device's timeline. */
export interface Moment {
  readonly era: number;
  readonly wall: number;
}

/** One reply's word on the server's time. Milliseconds. */
export interface TimeSample {
  readonly serverTime: number;
  readonly receivedWall: number;
  readonly rttMs: number;
}

export const NEW_CLOCK: ClockRow = {
  key: 'clock',
  kind: 'clock',
  era: 0,
  offset: null,
  offsetRtt: 0,
  offsetAt: 0,
  lastWall: 0,
  seenServerTime: null,
};

/** The timeline broke: ages across it are unknown. Server time goes on from where it was. */
function nextEra(clock: ClockRow, serverNow: number | null, wall: number): ClockRow {
  const offset = serverNow === null ? null : serverNow - wall;
  return {
    ...clock,
    era: clock.era + 1,
    offset,
    offsetRtt: JUMP_MS,
    offsetAt: wall,
    lastWall: wall,
  };
}

/** Notices across reloads that the wall clock stands before one already seen. */
export function seeWall(clock: ClockRow, wall: number): ClockRow {
  if (clock.lastWall - wall <= SET_BACK_MS) {
    return { ...clock, lastWall: Math.max(clock.lastWall, wall) };
  }
  const serverNow = clock.offset === null ? null : clock.lastWall + clock.offset;
  return nextEra(clock, serverNow, wall);
}

/**
 * Notices within a page that the wall clock advanced less than the monotone one. The monotone clock
 * may stop in sleep, so the other way round says nothing.
 */
export function seeElapsed(
  clock: ClockRow,
  from: { wall: number; monotone: number },
  to: { wall: number; monotone: number },
): ClockRow {
  const elapsed = to.monotone - from.monotone;
  if (to.wall - from.wall - elapsed >= -SET_BACK_MS) return seeWall(clock, to.wall);
  const serverNow = clock.offset === null ? null : from.wall + clock.offset + elapsed;
  return nextEra(clock, serverNow, to.wall);
}

/** How far the offset may be off by a moment: its round trip, and what the quartz has drifted since. */
function agedRtt(clock: ClockRow, wall: number): number {
  if (clock.offset === null) return Infinity;
  return clock.offsetRtt + Math.max(0, wall - clock.offsetAt) * DRIFT;
}

/** Takes a reply's time: a jump begins a new era, otherwise the smallest round trip wins. */
export function seeReply(clock: ClockRow, sample: TimeSample): ClockRow {
  const offset = sample.serverTime - sample.receivedWall + sample.rttMs / 2;
  const seenServerTime = Math.max(clock.seenServerTime ?? sample.serverTime, sample.serverTime);
  const measured = {
    offset,
    offsetRtt: sample.rttMs,
    offsetAt: sample.receivedWall,
    seenServerTime,
  };
  if (clock.offset !== null && Math.abs(offset - clock.offset) > JUMP_MS) {
    return { ...clock, ...measured, era: clock.era + 1, lastWall: sample.receivedWall };
  }
  const lastWall = Math.max(clock.lastWall, sample.receivedWall);
  const isBetter = clock.offset === null || sample.rttMs <= agedRtt(clock, sample.receivedWall);
  return isBetter ? { ...clock, ...measured, lastWall } : { ...clock, seenServerTime, lastWall };
}

/** Joins what this page knows with what another one stored. */
export function mergeClocks(mine: ClockRow, stored: ClockRow): ClockRow {
  const seen = Math.max(mine.seenServerTime ?? 0, stored.seenServerTime ?? 0);
  const seenServerTime = seen === 0 ? null : seen;
  if (stored.era !== mine.era) {
    return { ...(stored.era > mine.era ? stored : mine), seenServerTime };
  }
  // What was measured beats what was only carried over a jump, however fresh.
  const at = Math.max(mine.offsetAt, stored.offsetAt);
  const isMine = mine.offset !== null && agedRtt(mine, at) <= agedRtt(stored, at);
  const newer = isMine ? mine : stored;
  return { ...newer, lastWall: Math.max(mine.lastWall, stored.lastWall), seenServerTime };
}

/** Milliseconds since the writing, or `unknown` when the timeline broke in between. */
export function ageOf(clock: ClockRow, written: Moment, wall: number): number | 'unknown' {
  if (written.era !== clock.era) return 'unknown';
  const age = Math.round(wall - written.wall);
  return age < -SET_BACK_MS ? 'unknown' : Math.max(0, age);
}

/** The page's hold on time: pure rules above, state here. */
export interface Timekeeper {
  /** Looks at the clocks; call before every use. */
  now(): ClockRow;
  wall(): number;
  /** Corrected server time, never going back within an era; null before the first reply ever. */
  serverNow(): number | null;
  observe(sample: TimeSample): void;
  /** Takes what another page or an earlier life of this one stored. */
  adopt(stored: ClockRow): void;
  age(written: Moment): number | 'unknown';
}

export function createTimekeeper(device: DeviceClock): Timekeeper {
  let state = NEW_CLOCK;
  let from = { wall: device.wall(), monotone: device.monotone() };
  let shown = { era: -1, at: 0 };

  function now(): ClockRow {
    const to = { wall: device.wall(), monotone: device.monotone() };
    state = seeElapsed(state, from, to);
    from = to;
    return state;
  }

  return {
    now,
    wall: () => device.wall(),
    serverNow: () => {
      const { era, offset } = now();
      if (offset === null) return null;
      const at = Math.round(device.wall() + offset);
      shown = { era, at: shown.era === era ? Math.max(shown.at, at) : at };
      return shown.at;
    },
    observe: (sample) => {
      now();
      state = seeReply(state, sample);
    },
    adopt: (stored) => {
      const wall = device.wall();
      const isFirst = state === NEW_CLOCK || state.lastWall === 0;
      state = seeWall(isFirst ? stored : mergeClocks(now(), stored), wall);
      from = { wall, monotone: device.monotone() };
    },
    age: (written) => ageOf(now(), written, device.wall()),
  };
}
