import { formatDuration } from '#domain/format-time.ts';
import { plural } from '#domain/format.ts';

const MINUTE = 60_000;

/** Minutes before the end at which the time is told; ten are spoken only, five and one are shown too. */
export type Threshold = 10 | 5 | 1;
const THRESHOLDS: readonly Threshold[] = [1, 5, 10];

/** A minute is told by its name down to here; below it «Последняя минута» says no wrong figure. */
const NEARLY_MINUTE = 50_000;

/** What was told of one attempt, and for which deadline: a moved one is told of anew. */
export interface Told {
  readonly deadline: number;
  /** The least threshold told; all greater ones are past with it. */
  readonly threshold: Threshold;
}

export interface Clock {
  readonly startedAt: number;
  readonly deadline: number;
  /** Server time, milliseconds, like the two above. */
  readonly now: number;
}

/**
 * The threshold to tell of now, or null. After a sleep that skipped several only the last one; nothing twice
 * for one deadline. A test shorter than five or ten minutes does not begin with a warning of them.
 */
export function dueThreshold(
  { startedAt, deadline, now }: Clock,
  told: Told | null,
): Threshold | null {
  const left = deadline - now;
  if (left <= 0) return null;
  const threshold = THRESHOLDS.find((minutes) => left <= minutes * MINUTE);
  if (threshold === undefined) return null;
  if (told !== null && told.deadline === deadline && told.threshold <= threshold) return null;
  const isWholeTest = deadline - startedAt <= threshold * MINUTE;
  return isWholeTest && threshold !== 1 ? null : threshold;
}

/** «Осталось 5 минут»; what is true now, not what the threshold was. */
export function leftWords(left: number): string {
  if (left < NEARLY_MINUTE) return 'Последняя минута';
  const minutes = Math.ceil(left / MINUTE);
  return `${plural(minutes, ['Осталась', 'Осталось', 'Осталось'])} ${formatDuration(minutes * MINUTE)}`;
}
