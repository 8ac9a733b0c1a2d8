import type { OperationRow } from '#app/storage/rows.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { readBoth, type Core } from './core.ts';

/** Operations that are tried once more: at opening, or because somebody asked. */

async function ownersAside(core: Core, owner: string): Promise<OperationRow[]> {
  return readBoth(core, ['operations'], async (tx) => [
    ...(await tx.all('operations', 'ownerState', [owner, 'setAside'])),
    ...(await tx.all('operations', 'ownerState', [owner, 'waiting'])),
  ]);
}

async function revive(core: Core, operation: OperationRow): Promise<void> {
  try {
    await putBack(core, operation.operationId);
  } catch (error) {
    // On a full device it stays set aside until the next time.
    if (!(error instanceof StorageFailure)) throw error;
    return;
  }
  const { backoffs, seenSuccesses } = core.runtime;
  backoffs.succeeded(operation.operationId);
  if (operation.fileId !== null) backoffs.succeeded(operation.fileId);
  seenSuccesses.delete(operation.operationId);
}

async function putBack(core: Core, operationId: string): Promise<void> {
  await core.storageOf(operationId).write(['operations', 'files', 'attempts'], async (tx) => {
    const row = await tx.get('operations', operationId);
    if (!row || (row.state !== 'setAside' && !row.poisoned)) return;
    const fresh = { state: 'waiting', failures: 0, poisoned: false, refusal: null } as const;
    await tx.put('operations', { ...row, ...fresh });
    const file = row.fileId === null ? null : await tx.get('files', row.fileId);
    if (file?.state === 'setAside') {
      await tx.put('files', { ...file, state: 'unchecked', mismatches: 0, refusal: null });
    }
    const attempt = row.kind === 'finish' ? await tx.get('attempts', row.attemptId) : null;
    const closes = attempt?.state === 'running' && attempt.stream === row.stream;
    if (closes) await tx.put('attempts', { ...attempt, state: 'finishing' });
  });
}

/** Everything of an attempt that was set aside goes once more. */
export async function retrySetAside(core: Core, attemptId: string): Promise<void> {
  const all = await readBoth(core, ['operations'], (tx) =>
    tx.all('operations', 'attempt', attemptId),
  );
  for (const one of all) {
    const isAside = one.state === 'setAside' || (one.state === 'waiting' && one.poisoned);
    if (isAside) await revive(core, one);
  }
  core.emit({ kind: 'changed', attemptId });
  core.emit({ kind: 'written', attemptId });
}

/** At opening: poisoned ones are due, and a deleted attempt may have been restored meanwhile. */
export async function reviveAtOpening(core: Core, owner: string): Promise<void> {
  for (const one of await ownersAside(core, owner)) {
    if (one.state === 'setAside' && one.refusal?.code === 'GONE') await revive(core, one);
    if (one.state === 'waiting' && one.poisoned) core.runtime.backoffs.succeeded(one.operationId);
  }
}
