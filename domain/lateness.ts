import { closesAt, GRACE_MS, type AttemptTime } from './deadline.ts';

/** When an operation arrived, and when its device reports to have written it. */
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

/** The facts that an arrival is judged by. */
export interface ArrivalContext {
  readonly time: Pick<AttemptTime, 'deadline' | 'windowMs'>;
  /** Of the stream that wrote it: its order, and when the server issued it. */
  readonly epoch: number;
  readonly streamBeganAt: number;
  /** The finish that counted; null: none did. */
  readonly finish: CountedFinish | null;
  /** The attempt is over, and its student could have seen a part of the result. */
  readonly resultVisible: boolean;
}

/** Nobody writes before the stream begins; transit and rounding can shift times by this much. */
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
  const believedTime = isBelieved ? byDevice : null;
  if (resultVisible) return { outcome: 'held', receivedLate: true, writtenAt: believedTime };
  // Without an age the time of receipt counts as the time of writing.
  const written = isBelieved ? byDevice : arrival.receivedAt;
  const byTime = judgeByTime(arrival.receivedAt, written, time);
  if (finish === null || arrival.receivedAt < finish.receivedAt)
    return { ...byTime, writtenAt: believedTime };
  const wasBefore = epoch < finish.epoch && written !== null && written < finish.receivedAt;
  if (!wasBefore) return { outcome: 'held', receivedLate: true, writtenAt: believedTime };
  return { ...byTime, receivedLate: true, writtenAt: believedTime };
}
