import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';

/** What a server that was restored from a backup may lack. Pure. */

/** Acknowledged before the restore that began this epoch. */
export const isBehind = (one: OperationRow, epoch: number): boolean =>
  one.state === 'acknowledged' && (one.serverEpoch ?? 0) < epoch;

/** Whether the receipt goes again and can make the attempt anew: what is held proves nothing. */
export const isProof = ({ state, receipt, kind }: OperationRow): boolean =>
  (state === 'acknowledged' || state === 'waiting') &&
  (receipt?.outcome === 'stored' || (receipt?.outcome === 'superseded' && kind === 'answer'));

/**
 * The attempt with a begin that waits again, where no receipt of `operations` can make the attempt anew. A refused one
 * waits too: what the former database did not know may be in this one.
 */
export function resendBegin(
  attempt: AttemptRow,
  operations: readonly OperationRow[],
  epoch: number,
): AttemptRow {
  const { begin } = attempt;
  if (!begin || begin.state === 'waiting' || (begin.serverEpoch ?? 0) >= epoch) return attempt;
  if (begin.state === 'accepted' && operations.some(isProof)) return attempt;
  return { ...attempt, begin: { ...begin, state: 'waiting' } };
}
