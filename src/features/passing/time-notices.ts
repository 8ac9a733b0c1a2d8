import { formatDuration } from '#domain/format-time.ts';
import { plural } from '#domain/format.ts';

const MINUTE = 60_000;

/** Minutes before the deadline at which the time is announced; ten only to screen readers, five and one visibly too. */
export type Threshold = 10 | 5 | 1;
const THRESHOLDS: readonly Threshold[] = [1, 5, 10];

/** Below this many milliseconds the figure would be wrong, so the text is «Последняя минута». */
const NEARLY_MINUTE = 50_000;

/** The last warning announced for an attempt and its deadline: a moved deadline is announced again. */
export interface AnnouncedWarning {
  readonly deadline: number;
  /** The smallest announced threshold; it covers all greater ones. */
  readonly threshold: Threshold;
}

export interface Clock {
  readonly startedAt: number;
  readonly deadline: number;
  /** Server time in milliseconds, like the two above. */
  readonly now: number;
}

/**
 * The threshold to announce now, or null. After a sleep past several, only the last one; none twice per
 * deadline. A test shorter than a threshold does not start with its warning.
 */
export function dueThreshold(
  { startedAt, deadline, now }: Clock,
  announced: AnnouncedWarning | null,
): Threshold | null {
  const left = deadline - now;
  if (left <= 0) return null;
  const threshold = THRESHOLDS.find((minutes) => left <= minutes * MINUTE);
  if (threshold === undefined) return null;
  if (announced !== null && announced.deadline === deadline && announced.threshold <= threshold)
    return null;
  const isWholeTest = deadline - startedAt <= threshold * MINUTE;
  return isWholeTest && threshold !== 1 ? null : threshold;
}

/** «Осталось 5 минут»: the actual time left, not the threshold. */
export function timeLeftMessage(left: number): string {
  if (left < NEARLY_MINUTE) return 'Последняя минута';
  const minutes = Math.ceil(left / MINUTE);
  return `${plural(minutes, ['Осталась', 'Осталось', 'Осталось'])} ${formatDuration(minutes * MINUTE)}`;
}
