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
  /** Null: the age is unknown. */
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

/** An operation that arrived before the finish that counted, or belongs to an attempt without one. */
function judgeByTime(
  receivedAt: number,
  written: number | null,
  time: Pick<AttemptTime, 'deadline' | 'windowMs'>,
): Pick<TimeVerdict, 'outcome' | 'receivedLate'> {
  const graceEnd = time.deadline + GRACE_MS;
  if (receivedAt <= graceEnd) return { outcome: 'stored', receivedLate: false };
  const inTime = written === null || written < graceEnd;
  if (receivedAt <= closesAt(time) && inTime) return { outcome: 'stored', receivedLate: true };
  return { outcome: 'held', receivedLate: true };
}

/**
 * Whether an answer counts by time (protocol, server rule 6).
 * @param epoch the order of the stream that wrote it
 * @param finish the finish that counted, if there was one before this receipt
 */
export function judgeArrival(
  arrival: Arrival,
  epoch: number,
  time: Pick<AttemptTime, 'deadline' | 'windowMs'>,
  finish: CountedFinish | null,
): TimeVerdict {
  const written = writtenAt(arrival);
  const byTime = judgeByTime(arrival.receivedAt, written, time);
  if (finish === null || arrival.receivedAt < finish.receivedAt)
    return { ...byTime, writtenAt: written };
  const wasBefore = epoch < finish.epoch && written !== null && written < finish.receivedAt;
  if (!wasBefore) return { outcome: 'held', receivedLate: true, writtenAt: written };
  return { ...byTime, receivedLate: true, writtenAt: written };
}
