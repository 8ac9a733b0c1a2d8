import type { Layers } from './layers.ts';
import { hasFinish, mergeAttempts } from './merge.ts';
import type { OperationRow } from './rows.ts';
import { ATTEMPT_STORES, ignoreStorageFailure } from './storage.ts';

/** Moves rows from the page's memory to the device, once it has space. */

/** Moves the attempt, its sequences and its operations without files in one transaction; null: nothing to move. */
async function moveAttempt(
  { device, memory, unsaved }: Layers,
  attemptId: string,
): Promise<OperationRow[] | null> {
  const { row, content, operations } = await memory.read(ATTEMPT_STORES, async (tx) => ({
    row: await tx.get('attempts', attemptId),
    content: await tx.get('contents', attemptId),
    operations: await tx.all('operations', 'attempt', attemptId),
  }));
  if (!row) return null;
  const light = operations.filter((one) => one.fileId === null);
  const merged = await device.write(ATTEMPT_STORES, async (tx) => {
    const stored = await tx.get('attempts', attemptId);
    const joined = stored ? mergeAttempts(stored, row, hasFinish(row, operations)) : row;
    await tx.put('attempts', joined);
    if (content && !(await tx.get('contents', attemptId))) await tx.put('contents', content);
    for (const one of light) await tx.put('operations', one);
    return joined;
  });
  await memory.write(ATTEMPT_STORES, async (tx) => {
    for (const one of light) await tx.delete('operations', one.operationId);
    await tx.put('attempts', merged);
  });
  for (const one of light) unsaved.delete(one.operationId);
  return operations.filter((one) => one.fileId !== null);
}

async function moveFile(
  { device, memory, unsaved }: Layers,
  operation: OperationRow,
): Promise<void> {
  const { operationId, attemptId } = operation;
  const { files, bytes } = await memory.read(ATTEMPT_STORES, async (tx) => {
    const all = await tx.all('files', 'attempt', attemptId);
    const own = all.filter((one) => one.operationId === operationId);
    const parts = own.map(({ fileId }) => tx.all('fileBytes', 'file', fileId));
    return { files: own, bytes: (await Promise.all(parts)).flat() };
  });
  await device.write(ATTEMPT_STORES, async (tx) => {
    await tx.put('operations', operation);
    for (const file of files) await tx.put('files', file);
    for (const part of bytes) await tx.put('fileBytes', part);
  });
  await memory.write(ATTEMPT_STORES, async (tx) => {
    await tx.delete('operations', operationId);
    for (const { fileId } of files) await tx.delete('files', fileId);
    for (const part of bytes) await tx.delete('fileBytes', [part.fileId, part.part]);
  });
  unsaved.delete(operationId);
}

/** Deletes the copy of an attempt when no operation in memory needs it. */
async function dropCopy({ memory, copies }: Layers, attemptId: string): Promise<void> {
  const isDropped = await memory.write(ATTEMPT_STORES, async (tx) => {
    if ((await tx.all('operations', 'attempt', attemptId)).length > 0) return false;
    await tx.delete('attempts', attemptId);
    await tx.delete('contents', attemptId);
    return true;
  });
  if (isDropped) copies.delete(attemptId);
}

async function moveAll(layers: Layers, attemptId: string): Promise<boolean> {
  let isMoved = false;
  try {
    const heavy = await moveAttempt(layers, attemptId);
    isMoved = true;
    for (const one of heavy ?? []) await moveFile(layers, one);
    await dropCopy(layers, attemptId);
  } catch (error) {
    // Still no space: it stays in memory and is sent from there.
    ignoreStorageFailure(error);
  }
  if (isMoved) layers.options.onChange(attemptId);
  return isMoved;
}

/** True: the device has everything of the attempt. */
export function storeAttempt(layers: Layers, attemptId: string): Promise<boolean> {
  const move = layers.moving.then(() =>
    layers.copies.has(attemptId) ? moveAll(layers, attemptId) : true,
  );
  layers.moving = move.catch(() => undefined);
  return move;
}
