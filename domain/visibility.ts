import type { DisclosureTime } from '#contract/tests.ts';
import { GRACE_MS } from './deadline.ts';

/**
 * When a test is closed for everybody: after its end and all personal deadlines with their windows. Nobody starts an
 * archived one, so only its attempts count. Null: it has no end.
 * @param facts.latestClose when the last of its attempts closes, by that attempt's own window
 */
export function testClosedAt(facts: {
  archived: boolean;
  testEnd: number | null;
  latestClose: number | null;
  windowMs: number;
}): number | null {
  if (facts.archived) return facts.latestClose ?? 0;
  if (facts.testEnd === null) return null;
  return Math.max(facts.testEnd + Math.max(facts.windowMs, GRACE_MS), facts.latestClose ?? 0);
}

/** From when a student may see a part of the result of an ended attempt. Null: never with the present settings. */
export function visibleFrom(
  moment: DisclosureTime,
  endedAt: number,
  closedAt: number | null,
): number | null {
  if (moment === 'never') return null;
  return moment === 'atOnce' ? endedAt : closedAt;
}

/** The parts of a result that the teacher shows or hides separately. */
export type Parts<T> = Readonly<Record<'ownAnswers' | 'points' | 'correctAnswers', T>>;

/** From when a student may see each part of the result of an attempt that ends at `endedAt`; milliseconds. */
export function partsVisibleFrom(
  visibility: Parts<DisclosureTime>,
  endedAt: number,
  closedAt: number | null,
): Parts<number | null> {
  return {
    ownAnswers: visibleFrom(visibility.ownAnswers, endedAt, closedAt),
    points: visibleFrom(visibility.points, endedAt, closedAt),
    correctAnswers: visibleFrom(visibility.correctAnswers, endedAt, closedAt),
  };
}

/** Whether a student may see any part of the result of an ended attempt. */
export function showsAnything(from: Parts<number | null>, now: number): boolean {
  return Object.values(from).some((moment) => moment !== null && moment <= now);
}

/**
 * What a reader may see of an attempt now. Its student: while it runs only the own answers, afterwards what the teacher
 * chose. The teacher: everything of an ended one; of a running one everything but points.
 */
export function shownParts(
  reader: 'student' | 'teacher',
  isEnded: boolean,
  from: Parts<number | null>,
  now: number,
): Parts<boolean> {
  if (reader === 'teacher') return { ownAnswers: true, points: isEnded, correctAnswers: true };
  if (!isEnded) return { ownAnswers: true, points: false, correctAnswers: false };
  const isPast = (moment: number | null) => moment !== null && now >= moment;
  return {
    ownAnswers: isPast(from.ownAnswers),
    points: isPast(from.points),
    correctAnswers: isPast(from.correctAnswers),
  };
}
