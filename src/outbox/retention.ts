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

const isUnsent = ({ state }: OperationRow): boolean => state === 'waiting' || state === 'setAside';

/** Server time from which nothing of an attempt is needed; null: never while anything waits or was set aside. */
export function outlivedAt(
  attempt: AttemptRow | null,
  operations: readonly OperationRow[],
): number | null {
  if (attempt === null || operations.some(isUnsent)) return null;
  if (attempt.finishedAt !== null) return attempt.finishedAt + RETAINED_MS;
  return attempt.takenOver ? attempt.countsUntil + RETAINED_WITHOUT_RECEIPT_MS : null;
}

/** Nothing of it waits, and nothing more is written into it here. */
export function isOver(attempt: AttemptRow | null, operations: readonly OperationRow[]): boolean {
  if (attempt === null || operations.some(isUnsent)) return false;
  return attempt.state === 'finished' || attempt.takenOver || attempt.gone;
}

export const ATTEMPT_STORES = ['attempts', 'contents', 'operations', 'files', 'fileBytes'] as const;

/** Deletes everything of an attempt, in a transaction over `ATTEMPT_STORES`. */
export async function deleteAttempt(tx: Transaction, attemptId: string): Promise<void> {
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

/** Deletes what is encrypted here and outlived, whoever owns it: he may never be back. */
async function deleteOutlived(core: Core, now: number): Promise<void> {
  await core.main.write(['encrypted'], async (tx) => {
    for (const one of await tx.all('encrypted', 'kind', 'attempt')) {
      if (one.outlivedAt === null || now < one.outlivedAt) continue;
      for (const fileId of one.fileIds) {
        for (const bytes of await tx.all('encrypted', 'file', fileId)) {
          await tx.delete('encrypted', bytes.id);
        }
      }
      await tx.delete('encrypted', one.id);
    }
  });
}

/** Deletes the owner's attempts that are outlived, each in one transaction. */
export async function forgetOutlived(core: Core, owner: string): Promise<void> {
  const now = core.keeper.serverNow();
  if (now === null) return;
  await deleteOutlived(core, now).catch(forgive);
  for (const { attemptId } of await attemptsOf(core, owner)) {
    await core.main
      .write(ATTEMPT_STORES, async (tx) => {
        const attempt = await tx.get('attempts', attemptId);
        const operations = await tx.all('operations', 'attempt', attemptId);
        const until = outlivedAt(attempt, operations);
        if (until !== null && now >= until) await deleteAttempt(tx, attemptId);
      })
      .catch(forgive);
  }
}

function forgive(error: unknown): void {
  if (!(error instanceof StorageFailure)) throw error;
}
