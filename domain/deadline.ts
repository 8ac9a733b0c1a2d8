/** Transit allowance after a deadline, milliseconds (protocol, server rule 6). */
export const GRACE_MS = 60_000;

/** What determines an attempt's time. Times are milliseconds since 1970. */
export interface AttemptTime {
  readonly deadline: number;
  /** «Ответы, дошедшие после срока», milliseconds. */
  readonly windowMs: number;
  /** Null while neither finished nor closed by the server. */
  readonly endedAt: number | null;
}

/** The terms of one person for an attempt, milliseconds. */
export interface AttemptTerms {
  readonly startedAt: number;
  readonly passMs: number;
  readonly extraMs: number;
  /** When the test closes; null: never. */
  readonly testEnd: number | null;
}

/** Deadline = start + pass time + the person's extra time, capped by the test's end. */
export function initialDeadline(terms: AttemptTerms): number {
  const own = terms.startedAt + terms.passMs + terms.extraMs;
  return terms.testEnd === null ? own : Math.min(own, terms.testEnd);
}

/** Duration of an attempt that starts now: a start gives exactly the time promised before. */
export const grantedMs = (terms: AttemptTerms): number =>
  Math.max(0, initialDeadline(terms) - terms.startedAt);

/** When the server closes an unfinished attempt; answers written in time count until then. */
export function closesAt(time: Pick<AttemptTime, 'deadline' | 'windowMs'>): number {
  return time.deadline + Math.max(time.windowMs, GRACE_MS);
}

/** Deadlines move by whole minutes, and the clocks of devices differ by less. */
const CLOCKS_DIFFER_MS = GRACE_MS / 2;

/** When a finish came, and when it was written; null: unknown. Milliseconds since 1970. */
interface FinishTime {
  readonly receivedAt: number;
  readonly writtenAt: number | null;
}

/** Whether an automatic finish is one of this deadline. One of an earlier deadline ends nothing, whenever it comes. */
export const isFinishOf = (deadline: number, { receivedAt, writtenAt }: FinishTime): boolean =>
  Math.min(receivedAt, writtenAt ?? receivedAt) >= deadline - CLOCKS_DIFFER_MS;

/** 0 idle, 1 run, 2 over. For a student's inputs it is over from the deadline on. */
export function attemptState(time: AttemptTime | null, now: number): 0 | 1 | 2 {
  if (time === null) return 0;
  return time.endedAt === null && now < time.deadline ? 1 : 2;
}

/** Points, results and keys may show only when an attempt is finished or closed (server rule 7). */
export function isEnded(time: AttemptTime, now: number): boolean {
  return time.endedAt !== null || now >= closesAt(time);
}

/** Milliseconds left; 0 when the attempt is over. */
export function remainingMs(time: AttemptTime, now: number): number {
  return attemptState(time, now) === 1 ? time.deadline - now : 0;
}

/** New deadline after added minutes: from the old one, or from now when that has passed. Never earlier. */
export function movedDeadline(deadline: number, addedMs: number, now: number): number {
  return Math.max(deadline, now) + Math.max(0, addedMs);
}
