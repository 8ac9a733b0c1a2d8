import { closesAt, GRACE_MS, type AttemptTime } from './deadline.ts';

/** The time of an operation's arrival, and the device's report about its writing. */
export interface Arrival {
  /** Server's clock, milliseconds. */
  readonly receivedAt: number;
  readonly ageMs: number | 'unknown';
  /** Newest server time that the device had seen at the time of writing. */
  readonly seenServerTime: number | null;
}

export interface TimeVerdict {
  readonly outcome: 'stored' | 'held';
  readonly receivedLate: boolean;
  /** Null: the age is unknown, or not plausible. */
  readonly writtenAt: number | null;
}

/** written = received − age, but never before the server time that the device had seen, and never after receipt. */
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

/** The facts for judging an arrival. */
export interface ArrivalContext {
  readonly time: Pick<AttemptTime, 'deadline' | 'windowMs'>;
  /** Epoch of the writing stream: its order, and the time when the server issued it. */
  readonly epoch: number;
  readonly streamBeganAt: number;
  /** The finish that counted; null: there is none. */
  readonly finish: CountedFinish | null;
  /** Whether the attempt is over and its student could have seen a part of the result. */
  readonly resultVisible: boolean;
}

/** An operation cannot be written before its stream begins; transit and rounding can shift times by this much. */
const AGE_SLACK_MS = GRACE_MS;

/** `writtenAt`, unless the age reaches back beyond the beginning of the stream. */
export function believedWriting(arrival: Arrival, streamBeganAt: number): number | null {
  const byDevice = writtenAt(arrival);
  return byDevice !== null && byDevice >= streamBeganAt - AGE_SLACK_MS ? byDevice : null;
}

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
  const believedTime = believedWriting(arrival, streamBeganAt);
  if (resultVisible) return { outcome: 'held', receivedLate: true, writtenAt: believedTime };
  // Without an age the time of receipt counts as the time of writing.
  const written = arrival.ageMs === 'unknown' ? null : (believedTime ?? arrival.receivedAt);
  const byTime = judgeByTime(arrival.receivedAt, written, time);
  if (finish === null || arrival.receivedAt < finish.receivedAt)
    return { ...byTime, writtenAt: believedTime };
  const wasBefore = epoch < finish.epoch && written !== null && written < finish.receivedAt;
  if (!wasBefore) return { outcome: 'held', receivedLate: true, writtenAt: believedTime };
  return { ...byTime, receivedLate: true, writtenAt: believedTime };
}
