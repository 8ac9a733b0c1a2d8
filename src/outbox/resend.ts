import type { OperationRow } from '#app/storage/rows.ts';
import { ignoreStorageFailure, type Transaction } from '#app/storage/storage.ts';
import { attemptsOf } from './attempts.ts';
import type { Core } from './core.ts';
import { SENT_AGAIN } from './plan.ts';
import { isBehind, resendBegin } from './restored.ts';
import { advance, readAttemptRecords } from './settle.ts';

/** Sends again what a server that was restored from a backup may lack, including file bytes. */

/** Rows that come from memory, or from another page, after a look are rare; a look reads all confirmed ones. */
const LOOK_EVERY_MS = 60_000;

/** Operations that were acknowledged before the restore, and the whole files of their attempts. */
export async function resendOperations(
  core: Core,
  tx: Transaction,
  behind: readonly OperationRow[],
): Promise<void> {
  for (const one of behind) await advance(core, tx, one.operationId, { kind: 'resend' });
  for (const attemptId of new Set(behind.map((one) => one.attemptId))) {
    for (const file of await tx.all('files', 'attempt', attemptId)) {
      if (file.state === 'complete') await tx.put('files', { ...file, ...SENT_AGAIN });
    }
  }
}

/**
 * What the note of a restore (`noteServerEpoch`) left out: begins, which a page of 1.0.0 does not know; rows in memory;
 * operations that were acknowledged while another page noted it; everything on a device that had no space for the note.
 */
export async function resendBehind(core: Core, owner: string): Promise<void> {
  const { env, runtime, storage } = core;
  const epoch = runtime.serverEpoch ?? 0;
  await resendBegins(core, owner, epoch);
  const now = env.clock.monotone();
  const { looked } = runtime;
  const isKnown = looked?.owner === owner && looked.epoch === epoch;
  if (isKnown && now - looked.at < LOOK_EVERY_MS) return;
  const acknowledged = await storage.readAll(['operations'], (tx) =>
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
  if (behind.length === 0) runtime.looked = { owner, epoch, at: now };
}

/** A begin goes again where no receipt can make its attempt anew: what is held proves nothing. */
async function resendBegins(core: Core, owner: string, epoch: number): Promise<void> {
  for (const attempt of await attemptsOf(core, owner)) {
    if (resendBegin(attempt, [], epoch) === attempt) continue;
    const { operations } = await readAttemptRecords(core, attempt.attemptId);
    if (resendBegin(attempt, operations, epoch) === attempt) continue;
    await core.storage.writeBoth(attempt.attemptId, ['attempts'], async (tx) => {
      const row = await tx.get('attempts', attempt.attemptId);
      if (row) await tx.put('attempts', resendBegin(row, operations, epoch));
    });
    core.emit({ kind: 'changed', attemptId: attempt.attemptId });
  }
}
