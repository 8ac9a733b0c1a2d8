import type { ClockRow } from '#app/storage/rows.ts';
import type { DeviceClock } from '#app/api/timers.ts';

/** An offset change above this means that the device clock was set. */
const JUMP_MS = 30_000;
/** A wall clock this far behind its expected value was set back. */
const SET_BACK_MS = 2_000;
/** Uncertainty added per millisecond of age: quartz drifts by about 100 ppm. */
const DRIFT = 0.0001;

/** Position of a write on the device's timeline. */
export interface ClockPosition {
  readonly era: number;
  readonly wall: number;
}

/** Server time as measured by one reply, milliseconds. */
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
  leastServerTime: null,
};

/**
 * The wall clock went back by at least `by`. What was seen to be set forward just before is undone, and costs no time. The
 * rest may undo a change that nobody saw: the time comes back with it, but never before the certainly passed time, and
 * never beyond the shown time.
 */
function wentBack(clock: ClockRow, shown: number | null, wall: number, by: number): ClockRow {
  const ahead = clock.aheadMs ?? 0;
  const aheadMs = Math.max(0, ahead - by);
  const less = { ...clock, aheadMs };
  if (clock.offset === null || shown === null) return nextEra(less, null, wall);
  const byWall = wall + clock.offset + ahead - aheadMs;
  return nextEra(less, Math.min(shown, Math.max(byWall, clock.leastServerTime ?? shown)), wall);
}

/** The timeline is interrupted: ages across it are unknown. Server time continues from its last value. */
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

/** Whether the clock was set forward since another page stored it is unknown, unless that was a moment ago. */
const afterPause = (clock: ClockRow, wall: number): ClockRow =>
  wall - clock.lastWall > JUMP_MS ? { ...clock, aheadMs: 0 } : clock;

/** Detects across reloads that the wall clock is behind a value already seen. */
export function seeWall(clock: ClockRow, wall: number): ClockRow {
  if (clock.lastWall - wall <= SET_BACK_MS) {
    return { ...clock, lastWall: Math.max(clock.lastWall, wall) };
  }
  const shown = clock.offset === null ? null : clock.lastWall + clock.offset;
  return wentBack(clock, shown, wall, clock.lastWall - wall);
}

/**
 * Detects within a page that the wall clock was set: it advanced less than the monotonic one, or much more although the
 * device cannot have slept. The monotonic clock may stop in sleep; then the wall clock counts until it goes back or a
 * reply arrives.
 */
export function seeElapsed(
  clock: ClockRow,
  from: { wall: number; monotone: number },
  to: { wall: number; monotone: number },
  mayHaveSlept = true,
): ClockRow {
  const elapsed = Math.max(0, to.monotone - from.monotone);
  const least = clock.leastServerTime;
  const passed = { ...clock, leastServerTime: least === null ? null : least + elapsed };
  const jump = to.wall - from.wall - elapsed;
  const shown = clock.offset === null ? null : from.wall + clock.offset + elapsed;
  if (jump < -SET_BACK_MS) return wentBack(passed, shown, to.wall, -jump);
  const isSetForward = jump > JUMP_MS && !mayHaveSlept && shown !== null;
  if (isSetForward)
    return nextEra({ ...passed, aheadMs: (clock.aheadMs ?? 0) + jump }, shown, to.wall);
  return seeWall(jump > JUMP_MS ? { ...passed, aheadMs: 0 } : passed, to.wall);
}

/** Uncertainty of the offset at a moment: round trip plus drift since the measurement; infinite without one. */
function agedRtt(clock: ClockRow, wall: number): number {
  if (clock.offset === null) return Infinity;
  return clock.offsetRtt + Math.max(0, wall - clock.offsetAt) * DRIFT;
}

/** Applies a reply's time: a jump starts a new era, otherwise the smallest round trip wins. */
export function seeReply(clock: ClockRow, sample: TimeSample): ClockRow {
  const offset = sample.serverTime - sample.receivedWall + sample.rttMs / 2;
  const seenServerTime = Math.max(clock.seenServerTime ?? sample.serverTime, sample.serverTime);
  const leastServerTime = sample.serverTime;
  const measured = {
    offset,
    offsetRtt: sample.rttMs,
    offsetAt: sample.receivedWall,
    seenServerTime,
    leastServerTime,
  };
  if (clock.offset !== null && Math.abs(offset - clock.offset) > JUMP_MS) {
    return {
      ...clock,
      ...measured,
      era: clock.era + 1,
      lastWall: sample.receivedWall,
      aheadMs: 0,
    };
  }
  const lastWall = Math.max(clock.lastWall, sample.receivedWall);
  const isBetter = sample.rttMs <= agedRtt(clock, sample.receivedWall);
  return isBetter
    ? { ...clock, ...measured, lastWall }
    : { ...clock, seenServerTime, leastServerTime, lastWall };
}

/** Server time of the offset's measurement; an offset only carried over a jump was never measured. */
const measuredAt = ({ offset, offsetRtt, offsetAt }: ClockRow): number =>
  offset === null || offsetRtt >= JUMP_MS ? -Infinity : offsetAt + offset;

/** Whether two pages counted different changes of the wall clock, though perhaps with the same era. */
const isSplit = (a: ClockRow, b: ClockRow): boolean =>
  a.offset !== null && b.offset !== null && Math.abs(a.offset - b.offset) > JUMP_MS;

/** Whether the wall clock was set back since a clock was stored, and this page's clock includes the change. */
const isSetBackSince = (own: ClockRow, stored: ClockRow): boolean =>
  own.offset !== null && stored.lastWall - own.lastWall > SET_BACK_MS;

const newestSeen = ({ seenServerTime }: ClockRow): number => seenServerTime ?? -Infinity;

/** Whether one page had a reply after the other one; the reply may have been too slow to measure by. */
function isSeenLater(page: ClockRow, other: ClockRow): boolean {
  const [at, otherAt] = [newestSeen(page), newestSeen(other)];
  return at > otherAt || (at === otherAt && measuredAt(page) > measuredAt(other));
}

/** Whether much of the time that a clock shows passed by the wall clock alone. */
function isDoubtful(clock: ClockRow): boolean {
  const least = clock.leastServerTime;
  return least !== null && clock.offset !== null && clock.lastWall + clock.offset - least > JUMP_MS;
}

/** Whether this page measured the time, and the stored clock measured it earlier or only carried it over a jump. */
function isOwnNewer(own: ClockRow, stored: ClockRow): boolean {
  // Another page saw that the wall clock was set; this one was hidden and could not notice.
  if (measuredAt(stored) === -Infinity) return !isDoubtful(own) && isSeenLater(own, stored);
  // With the same newest time seen, server times do not show an order: the school's own clock may have been set back
  // since.
  return newestSeen(own) > newestSeen(stored) && isSplit(own, stored);
}

/** Merges this page's clock, as of now, with the one another page stored. */
export function mergeClocks(own: ClockRow, stored: ClockRow): ClockRow {
  const seen = Math.max(own.seenServerTime ?? 0, stored.seenServerTime ?? 0);
  const seenServerTime = seen === 0 ? null : seen;
  if (own.era > stored.era) return { ...own, seenServerTime };
  // Neither timeline continues: operations written in the other one have an unknown age.
  const era = stored.era + 1;
  if (isSetBackSince(own, stored)) return { ...own, era, seenServerTime };
  if (stored.era > own.era)
    return isOwnNewer(own, stored)
      ? { ...own, era, seenServerTime }
      : { ...stored, seenServerTime };
  if (isSplit(own, stored)) {
    const newest = isSeenLater(stored, own) ? stored : own;
    return { ...newest, era, seenServerTime };
  }
  // A measured offset beats one only carried over a jump, however fresh.
  const at = Math.max(own.offsetAt, stored.offsetAt);
  const isOwn = agedRtt(own, at) <= agedRtt(stored, at);
  const newer = isOwn ? own : stored;
  const leastServerTime = Math.max(own.leastServerTime ?? 0, stored.leastServerTime ?? 0) || null;
  const lastWall = Math.max(own.lastWall, stored.lastWall);
  return { ...newer, lastWall, seenServerTime, leastServerTime };
}

/** Milliseconds since the write, or `unknown` when the timeline was interrupted in between. */
export function ageOf(clock: ClockRow, written: ClockPosition, wall: number): number | 'unknown' {
  if (written.era !== clock.era) return 'unknown';
  const age = Math.round(wall - written.wall);
  return age < -SET_BACK_MS ? 'unknown' : Math.max(0, age);
}

/** The page's clock state; the rules above are pure. */
export interface OutboxClock {
  /** Reads the clocks; call before every use. */
  now(): ClockRow;
  wall(): number;
  /** Corrected server time, never going back within an era; null before the first reply ever. */
  serverNow(): number | null;
  /** The same; null also while it was only carried over a change of the wall clock. */
  measuredNow(): number | null;
  observe(sample: TimeSample): void;
  /** Merges the clock stored by another page or before a reload. */
  adopt(stored: ClockRow): void;
  age(written: ClockPosition): number | 'unknown';
}

/** @param onSet called when the wall clock was found changed, or a reply showed it */
export function createOutboxClock(
  device: DeviceClock,
  onSet: () => void = () => undefined,
): OutboxClock {
  let state = NEW_CLOCK;
  let from = { wall: device.wall(), monotone: device.monotone() };
  let shown = { era: 0, at: 0 };

  function now(): ClockRow {
    const to = { wall: device.wall(), monotone: device.monotone() };
    change(seeElapsed(state, from, to, device.mayHaveSlept?.() ?? true));
    from = to;
    return state;
  }

  function change(next: ClockRow): void {
    const isSet = next.era !== state.era;
    state = next;
    if (isSet) onSet();
  }

  function serverNow(): number | null {
    const { era, offset } = now();
    if (offset === null) return null;
    const at = Math.round(device.wall() + offset);
    shown = { era, at: shown.era === era ? Math.max(shown.at, at) : at };
    return shown.at;
  }

  return {
    now,
    wall: () => device.wall(),
    serverNow,
    measuredNow: () => (measuredAt(now()) === -Infinity ? null : serverNow()),
    observe: (sample) => {
      now();
      change(seeReply(state, sample));
    },
    adopt: (stored) => {
      const wall = device.wall();
      const isFirst = state.lastWall === 0;
      const known = afterPause(stored, wall);
      state = seeWall(isFirst ? known : mergeClocks(now(), known), wall);
      from = { wall, monotone: device.monotone() };
    },
    age: (written) => ageOf(now(), written, device.wall()),
  };
}
