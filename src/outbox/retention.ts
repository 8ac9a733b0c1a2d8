import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import type { Transaction } from '#app/storage/storage.ts';
import { attemptsOf } from './attempts.ts';
import type { Core } from './core.ts';
import { StorageFailure } from '#app/storage/storage.ts';

const DAY_MS = 86_400_000;
/** Acknowledged operations, receipts and files are kept this long after the finish receipt. */
const RETAINED_MS = 7 * DAY_MS;
/** Attempts that ended elsewhere, without a receipt of this device's own. */
const RETAINED_WITHOUT_RECEIPT_MS = 30 * DAY_MS;

/** Whether everything of an attempt may be deleted. Never while anything waits or was set aside. */
function isOutlived(
  attempt: AttemptRow,
  operations: readonly OperationRow[],
  serverNow: number,
): boolean {
  const isKept = operations.some((one) => one.state === 'waiting' || one.state === 'setAside');
  if (isKept) return false;
  if (attempt.finishedAt !== null) return serverNow >= attempt.finishedAt + RETAINED_MS;
  return attempt.takenOver && serverNow >= attempt.countsUntil + RETAINED_WITHOUT_RECEIPT_MS;
}

async function deleteAll(tx: Transaction, attemptId: string): Promise<void> {
  for (const one of await tx.all('operations', 'attempt', attemptId)) {
    await tx.delete('operations', one.operationId);
  }
  for (const file of await tx.all('files', 'attempt', attemptId)) {
    for (const part of await tx.all('fileBytes', 'file', file.fileId)) {
      await tx.delete('fileBytes', [part.fileId, part.part]);
    }
    await tx.delete('files', file.fileId);
  }
  await tx.delete('contents', attemptId);
  await tx.delete('attempts', attemptId);
}

/** Deletes the owner's attempts that are outlived, each in one transaction. */
export async function forgetOutlived(core: Core, owner: string): Promise<void> {
  const now = core.keeper.serverNow();
  if (now === null) return;
  for (const { attemptId } of await attemptsOf(core, owner)) {
    try {
      await core.main.write(
        ['attempts', 'contents', 'operations', 'files', 'fileBytes'],
        async (tx) => {
          const attempt = await tx.get('attempts', attemptId);
          const operations = await tx.all('operations', 'attempt', attemptId);
          if (attempt && isOutlived(attempt, operations, now)) await deleteAll(tx, attemptId);
        },
      );
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
    }
  }
}
