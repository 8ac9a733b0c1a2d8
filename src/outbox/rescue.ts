import type { OperationRow } from '#app/storage/rows.ts';
import { StorageFailure, type Transaction } from '#app/storage/storage.ts';
import type { Core } from './core.ts';
import { hasFinish, mergeAttempts } from './merge.ts';

/** Moves what only memory holds to the device, once it has room again. */

const STORES = ['attempts', 'contents', 'operations', 'files', 'fileBytes'] as const;

/** The attempt, its stream's place and its light operations in one transaction; null: nothing to move. */
async function moveAttempt(core: Core, attemptId: string): Promise<OperationRow[] | null> {
  const held = await core.overflow.read(STORES, async (tx) => ({
    row: await tx.get('attempts', attemptId),
    content: await tx.get('contents', attemptId),
    operations: await tx.all('operations', 'attempt', attemptId),
  }));
  const { row, content, operations } = held;
  if (!row) return null;
  const light = operations.filter((one) => one.fileId === null);
  const merged = await core.main.write(STORES, async (tx) => {
    const stored = await tx.get('attempts', attemptId);
    const joined = stored ? mergeAttempts(stored, row, hasFinish(row, operations)) : row;
    await tx.put('attempts', joined);
    if (content && !(await tx.get('contents', attemptId))) await tx.put('contents', content);
    for (const one of light) await tx.put('operations', one);
    return joined;
  });
  await core.overflow.write(STORES, async (tx) => {
    for (const one of light) await tx.delete('operations', one.operationId);
    await tx.put('attempts', merged);
  });
  for (const one of light) core.runtime.unsaved.delete(one.operationId);
  return operations.filter((one) => one.fileId !== null);
}

async function moveFile(core: Core, operation: OperationRow): Promise<void> {
  const { operationId, fileId } = operation;
  const { file, bytes } = await core.overflow.read(STORES, async (tx) => ({
    file: fileId === null ? null : await tx.get('files', fileId),
    bytes: fileId === null ? [] : await tx.all('fileBytes', 'file', fileId),
  }));
  await core.main.write(STORES, async (tx) => {
    await tx.put('operations', operation);
    if (file) await tx.put('files', file);
    for (const part of bytes) await tx.put('fileBytes', part);
  });
  await core.overflow.write(STORES, async (tx) => {
    await tx.delete('operations', operationId);
    if (file) await tx.delete('files', file.fileId);
    for (const part of bytes) await tx.delete('fileBytes', [part.fileId, part.part]);
  });
  core.runtime.unsaved.delete(operationId);
}

/** A copy that nothing in memory stands on any more. */
async function dropCopy(core: Core, attemptId: string): Promise<void> {
  const isDropped = await core.overflow.write(STORES, async (tx: Transaction) => {
    if ((await tx.all('operations', 'attempt', attemptId)).length > 0) return false;
    await tx.delete('attempts', attemptId);
    await tx.delete('contents', attemptId);
    return true;
  });
  if (isDropped) core.runtime.copies.delete(attemptId);
}

async function rescueNow(core: Core, attemptId: string): Promise<boolean> {
  let isMoved = false;
  try {
    const heavy = await moveAttempt(core, attemptId);
    isMoved = true;
    for (const one of heavy ?? []) await moveFile(core, one);
    await dropCopy(core, attemptId);
  } catch (error) {
    // Still no room: memory keeps it, and it is sent from there.
    if (!(error instanceof StorageFailure)) throw error;
  }
  if (isMoved) core.emit({ kind: 'changed', attemptId });
  return isMoved;
}

/** True: the device knows the attempt as memory does, so that it can be written to. */
export function rescueAttempt(core: Core, attemptId: string): Promise<boolean> {
  const { runtime } = core;
  const mine = runtime.rescue.then(() =>
    runtime.copies.has(attemptId) ? rescueNow(core, attemptId) : true,
  );
  runtime.rescue = mine.catch(() => undefined);
  return mine;
}

export async function rescueUnsaved(core: Core): Promise<void> {
  for (const attemptId of core.runtime.copies) await rescueAttempt(core, attemptId);
}
