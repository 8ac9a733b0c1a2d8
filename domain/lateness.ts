import { closesAt, GRACE_MS, type AttemptTime } from './deadline.ts';

/** When an operation came, and what its device says of when it was written. */
export interface Arrival {
  /** Server's clock, milliseconds. */
  readonly receivedAt: number;
  readonly ageMs: number | 'unknown';
  /** Newest server time the device had seen when it wrote the operation. */
  readonly seenServerTime: number | null;
}

export interface TimeVerdict {
  readonly outcome: 'stored' | 'held';
  readonly receivedLate: boolean;
  /** Null: the age is unknown, or not believed. */
  readonly writtenAt: number | null;
}

/** written = received − age, never before what the device had seen, never after receipt. */
export function writtenAt(arrival: Arrival): number | null {
  if (arrival.ageMs === 'unknown') return null;
  const byAge = arrival.receivedAt - arrival.ageMs;
  return Math.min(arrival.receivedAt, Math.max(byAge, arrival.seenServerTime ?? byAge));
}

/** A finish that counted: when the server received it, and the epoch of the stream that sent it. */
export interface CountedFinish {
  readonly receivedAt: number;
  readonly epoch: number;
}

/** What an arrival is judged against. */
export interface ArrivalContext {
  readonly time: Pick<AttemptTime, 'deadline' | 'windowMs'>;
  /** Of the stream that wrote it: its order, and when the server gave it out. */
  readonly epoch: number;
  readonly streamBeganAt: number;
  /** The finish that counted; null: none did. */
  readonly finish: CountedFinish | null;
  /** The attempt is over, and its student could have seen a part of the result. */
  readonly resultVisible: boolean;
}

/** Nobody writes before his stream begins; transit and rounding may make it look so by this much. */
const AGE_SLACK_MS = GRACE_MS;

/** An operation that arrived before the finish that counted, or belongs to an attempt without one. */
function judgeByTime(
  receivedAt: number,
  written: number | null,
  time: ArrivalContext['time'],
): Pick<TimeVerdict, 'outcome' | 'receivedLate'> {
  const graceEnd = time.deadline + GRACE_MS;
  if (receivedAt <= graceEnd) return { outcome: 'stored', receivedLate: false };
  const inTime = written === null || written < graceEnd;
  if (receivedAt <= closesAt(time) && inTime) return { outcome: 'stored', receivedLate: true };
  return { outcome: 'held', receivedLate: true };
}

/** Whether an answer counts by time (protocol, server rule 6). */
export function judgeArrival(arrival: Arrival, context: ArrivalContext): TimeVerdict {
  const { time, epoch, streamBeganAt, finish, resultVisible } = context;
  const byDevice = writtenAt(arrival);
  const isBelieved = byDevice === null || byDevice >= streamBeganAt - AGE_SLACK_MS;
  const said = isBelieved ? byDevice : null;
  if (resultVisible) return { outcome: 'held', receivedLate: true, writtenAt: said };
  // Without an age it would have been written when it came.
  const written = isBelieved ? byDevice : arrival.receivedAt;
  const byTime = judgeByTime(arrival.receivedAt, written, time);
  if (finish === null || arrival.receivedAt < finish.receivedAt)
    return { ...byTime, writtenAt: said };
  const wasBefore = epoch < finish.epoch && written !== null && written < finish.receivedAt;
  if (!wasBefore) return { outcome: 'held', receivedLate: true, writtenAt: said };
  return { ...byTime, receivedLate: true, writtenAt: said };
}
