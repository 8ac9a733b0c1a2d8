import type { BeginHold, Offer } from '#contract/offers.ts';
import { GRACE_MS, initialDeadline } from './deadline.ts';
import { parseDuration } from './duration.ts';
import { writtenAt, type Arrival } from './lateness.ts';
import { fromZonedInput, toZonedInput } from './zoned-time.ts';

/** What the moment of a begin without a network is judged by. Times are milliseconds since 1970. */
export interface MomentFacts {
  /** When its begin arrived, and the device's report about its time. */
  readonly arrival: Arrival;
  readonly offerMadeAt: number;
  /** When the code was shown first; null: it was not. */
  readonly codeShownAt: number | null;
  /** The student's own opening, or that of the offer if it is earlier. */
  readonly opensAt: number | null;
}

/** What else the server knows about it. */
export interface BeginFacts extends MomentFacts {
  /** From then on another offer or content took its place; null: none did. */
  readonly replacedAt: number | null;
  /** The student's own end. */
  readonly endsAt: number | null;
  /** The end that the offer named; null: it named none. */
  readonly promisedEndsAt: number | null;
  readonly passMs: number;
  readonly extraMs: number;
  /** Whether the device proved that it opened the content. */
  readonly isProofRight: boolean;
  /** Whether the test is archived, or no longer assigned to the student. */
  readonly isTestClosed: boolean;
  readonly attemptsLeft: number;
  /** Ends of the student's other attempts at this test. */
  readonly otherEnds: readonly number[];
}

export interface BeginVerdict {
  readonly begunAt: number;
  readonly deadline: number;
  /** Why it waits for the teacher; null: it counts. */
  readonly hold: BeginHold | null;
}

/**
 * The moment of a begin. With an unknown age the earliest that the evidence allows, so that nobody gains a minute.
 */
export function beginMoment({ arrival, offerMadeAt, codeShownAt, opensAt }: MomentFacts): number {
  const reported = writtenAt(arrival);
  if (reported !== null) return reported;
  const bounds = [arrival.seenServerTime, codeShownAt, opensAt].map((bound) => bound ?? 0);
  return Math.min(arrival.receivedAt, Math.max(offerMadeAt, ...bounds));
}

/** Clocks, transit and rounding may shift a begin by this much before a moment. */
const isBefore = (begunAt: number, moment: number) => begunAt < moment - GRACE_MS;

function holdOf(facts: BeginFacts, begunAt: number, deadline: number): BeginHold | null {
  const { arrival, codeShownAt, opensAt, endsAt, replacedAt } = facts;
  if (!facts.isProofRight) return 'proof';
  if (replacedAt !== null && begunAt >= replacedAt) return 'replacedOffer';
  if (isBefore(begunAt, facts.offerMadeAt)) return 'beforeOffer';
  if (codeShownAt === null || isBefore(begunAt, codeShownAt)) return 'beforeCode';
  if (opensAt !== null && isBefore(begunAt, opensAt)) return 'beforeOpening';
  if (endsAt !== null && begunAt >= endsAt) return 'afterEnd';
  if (facts.isTestClosed) return 'testClosed';
  if (facts.otherEnds.some((end) => end > begunAt + GRACE_MS)) return 'otherAttempt';
  if (facts.attemptsLeft <= 0) return 'noAttemptsLeft';
  const isOver = arrival.receivedAt > deadline + GRACE_MS;
  return arrival.ageMs === 'unknown' && isOver ? 'unknownTime' : null;
}

/** Whether a begin without a network counts, from when, and until when (protocol, server rule 12). */
export function judgeBegin(facts: BeginFacts): BeginVerdict {
  const begunAt = beginMoment(facts);
  const { endsAt, promisedEndsAt, passMs, extraMs } = facts;
  const isCut = endsAt !== null && promisedEndsAt !== null && begunAt < endsAt;
  // An earlier end takes no promised time. A begin after the end is held: accepted, it gets its whole time.
  const testEnd = isCut ? Math.max(endsAt, promisedEndsAt) : null;
  const deadline = initialDeadline({ startedAt: begunAt, passMs, extraMs, testEnd });
  return { begunAt, deadline, hold: holdOf(facts, begunAt, deadline) };
}

const MINUTE_MS = 60_000;

/** The end of the day of a moment on the school's clock. */
function endOfDay(at: number, timeZone: string): number {
  const [day] = toZonedInput(at, timeZone).split('T');
  const lastMinute = fromZonedInput(`${day}T23:59`, timeZone);
  return lastMinute === null ? at : lastMinute + MINUTE_MS;
}

/** How long after its deadline answers of such an attempt count: at least as long as for everybody. */
export function offlineWindowMs(
  deadline: number,
  { windowMs, offlineMs }: { readonly windowMs: number; readonly offlineMs: number | null },
  timeZone: string,
): number {
  return Math.max(windowMs, offlineMs ?? endOfDay(deadline, timeZone) - deadline);
}

/** Until when answers of an attempt that began by this offer count without the teacher. */
export function offerCountsUntil(
  { lateWindow, offlineWindow }: Pick<Offer, 'lateWindow' | 'offlineWindow'>,
  deadline: number,
  timeZone: string,
): number {
  const windowMs = parseDuration(lateWindow);
  const offlineMs = offlineWindow === null ? null : parseDuration(offlineWindow);
  return deadline + offlineWindowMs(deadline, { windowMs, offlineMs }, timeZone);
}
