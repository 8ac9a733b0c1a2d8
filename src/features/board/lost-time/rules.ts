import type { BoardRow } from '#contract/board.ts';
import type { IsoPeriod, LostTime } from '#contract/lost-time.ts';
import type { Period } from '#domain/periods.ts';
import { isCandidate, type Candidate } from '#app/features/board/extra-time.ts';
import { bySurname } from '#app/features/board/rules.ts';

/** A student of the board with what the attempt lost. */
export interface LostRow {
  readonly row: Candidate;
  readonly lost: LostTime;
}

/** Students of the board who lost time, by surname. */
export function lostRows(rows: readonly BoardRow[], items: readonly LostTime[]): LostRow[] {
  const lostBy = new Map(items.map((lost) => [lost.attemptId, lost]));
  return bySurname(rows)
    .filter(isCandidate)
    .flatMap((row) => {
      const lost = lostBy.get(row.attemptId);
      return lost ? [{ row, lost }] : [];
    });
}

/** What the student would get back. */
export const minutesOf = ({ lost }: LostRow, withSilence: boolean): number =>
  withSilence ? lost.minutesWithSilence : lost.minutes;

/** The students who would get something back. */
export const withMinutes = (rows: readonly LostRow[], withSilence: boolean): LostRow[] =>
  rows.filter((row) => minutesOf(row, withSilence) > 0);

export const asPeriods = (periods: readonly IsoPeriod[]): Period[] =>
  periods.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }));
