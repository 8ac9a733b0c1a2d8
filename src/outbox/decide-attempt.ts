import type { AttemptRow } from '#app/storage/rows.ts';
import type { Transaction } from '#app/storage/storage.ts';
import { changeIn } from './attempts.ts';
import type { Core } from './core.ts';

/**
 * Updates an attempt's row by a decision of the server; on a full device in memory, since what a lost decision leaves
 * waiting would be sent again at once.
 */
export async function decideAttempt(
  core: Core,
  attemptId: string,
  change: (row: AttemptRow) => AttemptRow,
): Promise<void> {
  const { storage } = core;
  const run = (tx: Transaction) => changeIn(core, tx, attemptId, change);
  if (storage.copies.has(attemptId)) await storage.writeBoth(attemptId, ['attempts'], run);
  else await storage.writeEither(['attempts', 'operations'], run, attemptId);
  core.emit({ kind: 'changed', attemptId });
}
