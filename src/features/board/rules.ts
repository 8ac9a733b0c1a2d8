import type { Board, BoardRow } from '#contract/board.ts';
import { inAlphabet } from '#domain/alphabet.ts';

/** Pure rules for the rows of the board at a given moment; times in milliseconds since 1970. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** An online device reports about every half minute: until then the contact is fresh. */
const FRESH_MS = 45 * SECOND;
/** «Нет связи»; also preselected for extra time. */
const OFFLINE_AFTER_MS = MINUTE;
/** «Долго не доходят». */
const STUCK_AFTER_MS = 2 * MINUTE;

const ageOf = (at: string | null, now: number): number | null =>
  at === null ? null : Math.max(0, now - Date.parse(at));

/** Inputs are open, or answers written in time may still arrive. */
export const isInProgress = ({ state }: BoardRow): boolean =>
  state === 'running' || state === 'timeOver';

export type Contact =
  | { readonly kind: 'none' }
  | { readonly kind: 'fresh' | 'quiet' | 'offline'; readonly ageMs: number };

/** Contact with the student's device; `none` once the attempt is over. */
export function contactOf(row: BoardRow, now: number): Contact {
  const ageMs = ageOf(row.lastSeenAt, now);
  if (!isInProgress(row) || ageMs === null) return { kind: 'none' };
  if (ageMs > OFFLINE_AFTER_MS) return { kind: 'offline', ageMs };
  return { kind: ageMs > FRESH_MS ? 'quiet' : 'fresh', ageMs };
}

export const isOffline = (row: BoardRow, now: number): boolean =>
  contactOf(row, now).kind === 'offline';

/** Undelivered items known to the server: answers that the device reported, and files. */
export const missingOf = ({ unsent, filesUnderway }: BoardRow): number => unsent + filesUnderway;

/**
 * For how long answers are overdue: something has been missing for two minutes, or the device of a running
 * attempt has been offline as long. Else null.
 */
export function stuckForMs(row: BoardRow, now: number): number | null {
  const silent = isInProgress(row) ? (ageOf(row.lastSeenAt, now) ?? 0) : 0;
  const missing = missingOf(row) > 0 ? (ageOf(row.unsentSince, now) ?? 0) : 0;
  const longest = Math.max(silent, missing);
  return longest >= STUCK_AFTER_MS ? longest : null;
}

export interface BoardCounts {
  readonly writing: number;
  readonly finished: number;
  readonly notStarted: number;
  /** Running, without a report for a minute. */
  readonly offline: number;
  /** Past the deadline, and the finish has not arrived. */
  readonly timeOver: number;
  /** Ended by the server. */
  readonly closed: number;
  /** Undelivered answers and files, and the number of students they belong to. */
  readonly missing: number;
  readonly missingStudents: number;
}

/** Every row is in exactly one of the first six counts. */
export function countsOf(rows: readonly BoardRow[], now: number): BoardCounts {
  const count = (fits: (row: BoardRow) => boolean) => rows.filter(fits).length;
  const inContact = (row: BoardRow) => !isOffline(row, now);
  return {
    writing: count((row) => row.state === 'running' && inContact(row)),
    timeOver: count((row) => row.state === 'timeOver' && inContact(row)),
    offline: count((row) => isOffline(row, now)),
    finished: count(({ state }) => state === 'finished'),
    closed: count(({ state }) => state === 'closed'),
    notStarted: count(({ state }) => state === 'notStarted'),
    missing: rows.reduce((sum, row) => sum + missingOf(row), 0),
    missingStudents: count((row) => missingOf(row) > 0),
  };
}

/** Sorts by surname, which names start with. */
export const bySurname = (rows: readonly BoardRow[]): BoardRow[] =>
  inAlphabet(rows, ({ userId, userName }) => ({ name: userName, id: userId }));

/** The filter in the URL: all, those with undelivered answers, those who finished. */
export type Show = 'all' | 'stuck' | 'finished';

export const isDone = ({ state }: BoardRow): boolean => state === 'finished' || state === 'closed';

/** Splits a list into columns of nearly equal length, filled from the first. */
export function inColumns<T>(items: readonly T[], columns: number): T[][] {
  const height = Math.ceil(items.length / Math.max(1, columns));
  const made: T[][] = [];
  for (let from = 0; from < items.length; from += height)
    made.push(items.slice(from, from + height));
  return made;
}

/** The latest deadline of a running attempt; null if none runs. */
export function lastDeadline(rows: readonly BoardRow[]): number | null {
  const deadlines = rows.flatMap(({ state, deadline }) =>
    state === 'running' && deadline !== null ? [Date.parse(deadline)] : [],
  );
  return deadlines.length === 0 ? null : Math.max(...deadlines);
}

export type Phase = 'nobody' | 'notYet' | 'running' | 'over';

/** The phase of the test as a whole. */
export function phaseOf({ rows, startTime, endTime }: Board, now: number): Phase {
  if (rows.length === 0) return 'nobody';
  const hasStarted = rows.some(({ state }) => state !== 'notStarted');
  if (!hasStarted && startTime !== null && now < Date.parse(startTime)) return 'notYet';
  const isWritten = rows.some(isInProgress);
  const isPast = endTime !== null && now >= Date.parse(endTime);
  const isAllDone = rows.every(isDone);
  return !isWritten && (isPast || isAllDone) ? 'over' : 'running';
}
