import type { FileBytesRow, FileRow, OperationRow } from '#app/storage/rows.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { mergeAttempts } from './attempts.ts';
import type { Core } from './core.ts';

interface Unsaved {
  readonly operation: OperationRow;
  readonly files: FileRow[];
  readonly bytes: FileBytesRow[];
}

async function readUnsaved(core: Core, operationId: string): Promise<Unsaved | null> {
  return core.overflow.read(['operations', 'files', 'fileBytes'], async (tx) => {
    const operation = await tx.get('operations', operationId);
    if (!operation) return null;
    const file = operation.fileId === null ? null : await tx.get('files', operation.fileId);
    const bytes = file ? await tx.all('fileBytes', 'file', file.fileId) : [];
    return { operation, files: file ? [file] : [], bytes };
  });
}

/** Moves what only memory holds to the device, once it has room again. */
export async function rescueUnsaved(core: Core): Promise<void> {
  if (!core.main.durable) return;
  try {
    await rescueAttempts(core);
    for (const operationId of core.runtime.unsaved) await rescueOperation(core, operationId);
  } catch (error) {
    // Still no room: memory keeps it, and it is sent from there.
    if (!(error instanceof StorageFailure)) throw error;
  }
}

async function rescueAttempts(core: Core): Promise<void> {
  const { overflow, main } = core;
  for (const row of await overflow.read(['attempts'], (tx) => tx.all('attempts'))) {
    const { attemptId } = row;
    const content = await overflow.read(['contents'], (tx) => tx.get('contents', attemptId));
    await main.write(['attempts', 'contents'], async (tx) => {
      const stored = await tx.get('attempts', attemptId);
      await tx.put('attempts', stored ? mergeAttempts(stored, row) : row);
      if (content && !(await tx.get('contents', attemptId))) await tx.put('contents', content);
    });
    await overflow.write(['attempts', 'contents', 'operations'], async (tx) => {
      const isUsed = (await tx.all('operations', 'attempt', attemptId)).length > 0;
      if (isUsed) return;
      await tx.delete('attempts', attemptId);
      await tx.delete('contents', attemptId);
    });
  }
}

async function rescueOperation(core: Core, operationId: string): Promise<void> {
  const { unsaved } = core.runtime;
  const held = await readUnsaved(core, operationId);
  if (held) {
    const { operation, files, bytes } = held;
    await core.main.write(['operations', 'files', 'fileBytes'], async (tx) => {
      await tx.put('operations', operation);
      for (const file of files) await tx.put('files', file);
      for (const part of bytes) await tx.put('fileBytes', part);
    });
    unsaved.delete(operationId);
    await core.overflow.write(['operations', 'files', 'fileBytes'], async (tx) => {
      await tx.delete('operations', operationId);
      for (const file of files) await tx.delete('files', file.fileId);
      for (const part of bytes) await tx.delete('fileBytes', [part.fileId, part.part]);
    });
    core.emit({ kind: 'changed', attemptId: operation.attemptId });
  }
  unsaved.delete(operationId);
}
