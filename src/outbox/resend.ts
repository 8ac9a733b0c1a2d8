import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import { ignoreStorageFailure, type Transaction } from '#app/storage/storage.ts';
import { attemptsOf } from './attempts.ts';
import type { Core } from './core.ts';
import { isBehind, resendBegin } from './restored.ts';
import { advance } from './settle.ts';

/** Sends again what a server that was restored from a backup may lack, including file bytes. */

/** Operations that were acknowledged before the restore, and the whole files of their attempts. */
export async function resendOperations(
  core: Core,
  tx: Transaction,
  behind: readonly OperationRow[],
): Promise<void> {
  for (const one of behind) await advance(core, tx, one.operationId, { kind: 'resend' });
  for (const attemptId of new Set(behind.map((one) => one.attemptId))) {
    for (const file of await tx.all('files', 'attempt', attemptId)) {
      if (file.state === 'complete')
        await tx.put('files', { ...file, state: 'unchecked', wanted: true });
    }
  }
}

/** A begin goes again where no receipt can make its attempt anew: what is held proves nothing. */
export async function resendBeginOf(
  tx: Transaction,
  row: AttemptRow | null,
  epoch: number,
): Promise<void> {
  const own = row && (await tx.all('operations', 'attempt', row.attemptId));
  const resent = own && resendBegin(row, own, epoch);
  if (resent && resent !== row) await tx.put('attempts', resent);
}

/**
 * What the note of a restore (`noteServerEpoch`) left out: begins, which a page of 1.0.0 does not know; rows in memory;
 * operations that were acknowledged while another page noted it; everything on a device that had no space for the note.
 */
export async function resendBehind(core: Core, owner: string): Promise<void> {
  const { storage, runtime } = core;
  const epoch = runtime.serverEpoch ?? 0;
  for (const attempt of await attemptsOf(core, owner)) {
    const { attemptId } = attempt;
    if (resendBegin(attempt, [], epoch) === attempt) continue;
    await storage.writeBoth(attemptId, ['attempts', 'operations'], async (tx) =>
      resendBeginOf(tx, await tx.get('attempts', attemptId), epoch),
    );
    core.emit({ kind: 'changed', attemptId });
  }
  const known = `${owner} ${epoch}`;
  if (runtime.resentFor === known) return;
  const acknowledged = await storage.readEvery(['operations'], (tx) =>
    tx.all('operations', 'ownerState', [owner, 'acknowledged']),
  );
  const behind = acknowledged.filter((one) => isBehind(one, epoch));
  for (const one of behind) {
    await storage
      .layerOf(one.operationId)
      .write(['operations', 'files'], (tx) => resendOperations(core, tx, [one]))
      .catch(ignoreStorageFailure);
    core.emit({ kind: 'changed', attemptId: one.attemptId });
  }
  // A row that was moved to the device meanwhile, or had no space, is found by the next look.
  if (behind.length === 0) runtime.resentFor = known;
}
