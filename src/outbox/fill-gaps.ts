import type { FileRow, OperationRow } from '#app/storage/rows.ts';
import type { Core } from './core.ts';
import { decideAttempt } from './decide-attempt.ts';
import { staysEncrypted } from './decrypt-again.ts';
import { checkInvariant } from './invariants.ts';
import { planResend, SENT_AGAIN } from './plan.ts';
import { advance, readAttemptRecords } from './settle.ts';
import { streamOf, withStream } from './write.ts';

/** What the server misses at a finish. Loaded when it misses something. */

/** A sequence still missing after this many resends is declared lost. */
const MAX_RESENDS = 3;

/** INCOMPLETE: resends what the device has and declares the rest lost. False: nothing changed. */
export async function fillGaps(
  core: Core,
  finish: OperationRow,
  missing: readonly number[],
  missingFiles: readonly string[],
): Promise<boolean> {
  // What lies encrypted for want of space is not lost.
  if (await staysEncrypted(core, finish.owner, finish.attemptId)) return false;
  const { resendCounts } = core.runtime;
  const countKey = (key: string): string => `${finish.attemptId}/${finish.stream}/${key}`;
  const timesOf = (key: string): number => resendCounts.get(countKey(key)) ?? 0;
  const count = (key: string): unknown => resendCounts.set(countKey(key), timesOf(key) + 1);
  const keys = [...missing.map(String), ...missingFiles];
  const exhausted = new Set(keys.filter((key) => timesOf(key) >= MAX_RESENDS));
  const attempt = await core.storage.readAttempt(finish.attemptId);
  const stream = attempt && streamOf(attempt, finish.stream);
  if (!stream) return false;
  const { operations, files } = await readAttemptRecords(core, finish.attemptId);
  const plan = planResend(finish, missing, missingFiles, operations, files, exhausted);
  // Counted after the write: what a full device could not send again is not lost.
  for (const { operationId, sequence } of plan.resend) {
    await core.storage
      .layerOf(operationId)
      .write(['operations'], (tx) => advance(core, tx, operationId, { kind: 'resend' }));
    count(String(sequence));
  }
  for (const file of plan.filesToResend) {
    await requestUpload(core, file);
    count(file.fileId);
  }
  const lost = plan.lost.filter((n) => !stream.notHere.includes(n));
  const filesLost = plan.filesLost.filter((id) => !stream.filesNotHere.includes(id));
  checkInvariant(
    core.log,
    lost.every((n) => n < stream.nextSequence),
    'lostWasGiven',
    finish.operationId,
  );
  if (lost.length + filesLost.length > 0) {
    await decideAttempt(core, finish.attemptId, (row) => {
      const old = streamOf(row, finish.stream);
      if (!old) return row;
      const notHere = [...old.notHere, ...lost];
      return withStream(row, {
        ...old,
        notHere,
        filesNotHere: [...old.filesNotHere, ...filesLost],
      });
    });
  }
  return plan.resend.length + plan.filesToResend.length + lost.length + filesLost.length > 0;
}

async function requestUpload(core: Core, file: FileRow): Promise<void> {
  await core.storage.layerOf(file.operationId).write(['files'], async (tx) => {
    const row = await tx.get('files', file.fileId);
    if (row) await tx.put('files', { ...row, ...SENT_AGAIN });
  });
}
