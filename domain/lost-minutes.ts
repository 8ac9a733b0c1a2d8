import type { LossCause } from '#contract/lost-time.ts';
import { clipPeriods, lengthOf, subtractPeriods, unitePeriods, type Period } from './periods.ts';

/** What the server knows about the time that one attempt lost. Times are milliseconds since 1970. */
export interface LostTimeFacts {
  readonly startedAt: number;
  readonly deadline: number;
  readonly now: number;
  /** When the test opened for the student; null: it has no such date. */
  readonly opensAt: number | null;
  /** The student's whole time; with less until the deadline the end of the test shortened it. */
  readonly passMs: number;
  /** When no server ran. */
  readonly outages: readonly Period[];
  /** From the last use of one device to the beginning on the next. */
  readonly takeOvers: readonly Period[];
  readonly silences: readonly Period[];
  /** Given back already, or not part of the attempt's time. */
  readonly settled: readonly Period[];
}

export interface Loss {
  readonly cause: LossCause;
  readonly periods: readonly Period[];
}

export interface LostMinutes {
  /** The causes that took time, each moment under one cause. */
  readonly losses: readonly Loss[];
  /** Without silence: a student may go on writing without a network. */
  readonly minutes: number;
  readonly minutesWithSilence: number;
}

const MINUTE_MS = 60_000;
/** Less is not worth an act. */
const MIN_LOSS_MS = 30_000;
/** The time in which a waiting student gets in once the server is back. Who starts later did not wait for it. */
const ENTRY_MS = 5 * MINUTE_MS;

/** A started minute counts whole, but never more than the time in which it can have been lost. */
const asMinutes = (ms: number, mostMs: number): number =>
  ms < MIN_LOSS_MS
    ? 0
    : Math.min(Math.ceil(ms / MINUTE_MS), Math.max(0, Math.floor(mostMs / MINUTE_MS)));

/** The outages that delayed a start. The server may have come back in between, too briefly for a student to get in. */
function delaysOf(startedAt: number, outages: readonly Period[]): Period[] {
  const delays: Period[] = [];
  let awaited = startedAt;
  for (const outage of unitePeriods(outages).reverse()) {
    if (outage.to < awaited - ENTRY_MS) break;
    awaited = Math.min(awaited, outage.from);
    delays.push(outage);
  }
  return delays;
}

/**
 * The time that an attempt lost and has not got back, by causes. A moment with several causes counts once, under the
 * first of them: outage, take-over, silence.
 */
export function lostMinutes(facts: LostTimeFacts): LostMinutes {
  const { startedAt, deadline, now, opensAt, passMs, outages, settled } = facts;
  const running = { from: startedAt, to: Math.min(deadline, now) };
  let counted: readonly Period[] = settled;
  const take = (cause: LossCause, periods: readonly Period[]): Loss => {
    const own = subtractPeriods(clipPeriods(periods, running), counted);
    counted = unitePeriods([...counted, ...own]);
    return { cause, periods: own };
  };
  const beforeStart = { from: opensAt ?? startedAt, to: startedAt };
  const late = subtractPeriods(clipPeriods(delaysOf(startedAt, outages), beforeStart), settled);
  const shortenedMs = Math.max(0, startedAt + passMs - deadline);
  const lateMs = Math.min(lengthOf(late), shortenedMs);
  const schoolLosses = [take('outage', outages), take('takeOver', facts.takeOvers)];
  const silence = take('silence', facts.silences);
  const lostMs = schoolLosses.reduce((sum, { periods }) => sum + lengthOf(periods), lateMs);
  const mostMs = Math.max(0, running.to - running.from) + lateMs;
  const lateStart: Loss = { cause: 'lateStart', periods: lateMs === 0 ? [] : late };
  return {
    losses: [lateStart, ...schoolLosses, silence].filter(({ periods }) => periods.length > 0),
    minutes: asMinutes(lostMs, mostMs),
    minutesWithSilence: asMinutes(lostMs + lengthOf(silence.periods), mostMs),
  };
}
