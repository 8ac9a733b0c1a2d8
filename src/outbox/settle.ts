import type { ReplyFacts } from '#app/api/facts.ts';
import type { AttemptRow, FileRow, OperationRow, StoreName } from '#app/storage/rows.ts';
import { ignoreStorageFailure, type Storage, type Transaction } from '#app/storage/storage.ts';
import type { Receipt } from '#contract/passing.ts';
import { attemptsOf, unsentOf } from './attempts.ts';
import type { Core } from './core.ts';
import { checkAttemptChange, checkInvariant, checkTransition } from './invariants.ts';
import {
  type FinishManifest,
  createFinishManifest,
  fileIdsOf,
  followFiles,
  newerAnswer,
} from './plan.ts';
import {
  attemptAfter,
  transition,
  type OperationEvent,
  type OperationRefusal,
} from './transition.ts';
import { noteSequence, streamOf, takeSequence } from './write.ts';

/** Changes of stored rows by sending, one transaction per event. */

/** Applies an event to a stored operation. Null: it is gone, or the event does not concern its state. */
export async function advance(
  core: Core,
  tx: Transaction,
  operationId: string,
  event: OperationEvent,
): Promise<OperationRow | null> {
  const row = await tx.get('operations', operationId);
  const next = row && transition(row, event);
  if (!next) return null;
  checkTransition(core.log, row, event, next);
  await tx.put('operations', next);
  return next;
}

/** Applies the same event to the attempt, if its row is still there. */
async function advanceAttempt(
  core: Core,
  tx: Transaction,
  operation: OperationRow,
  event: OperationEvent,
): Promise<void> {
  const attempt = await tx.get('attempts', operation.attemptId);
  const next = attempt && attemptAfter(attempt, operation, event);
  if (!next || next === attempt) return;
  checkAttemptChange(core.log, attempt, next);
  await tx.put('attempts', next);
}

/**
 * Applies an event to a stored operation and its attempt; `more` if it concerned them, in the same transaction.
 * @param stores what `more` needs besides those of the two
 */
function applyEvent(
  core: Core,
  operationId: string,
  event: OperationEvent,
  more: (tx: Transaction) => Promise<void>,
  stores: readonly StoreName[] = [],
): Promise<void> {
  return core.storage
    .layerOf(operationId)
    .write(['operations', 'attempts', ...stores], async (tx) => {
      const row = await advance(core, tx, operationId, event);
      if (!row) return;
      await advanceAttempt(core, tx, row, event);
      await more(tx);
    });
}

export interface ClaimedOperation {
  readonly operation: OperationRow;
  /** Null: its row was lost; its operations are sent all the same. */
  readonly attempt: AttemptRow | null;
  readonly head: number;
  readonly manifest: FinishManifest;
}

/** Sequences folded into an answer, directly or transitively. */
async function foldedInto(storage: Storage, operationId: string): Promise<number[]> {
  return storage.read(['operations'], async (tx) => {
    const found: number[] = [];
    const open = [operationId];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const one of await tx.all('operations', 'foldedInto', id)) {
        found.push(one.sequence);
        open.push(one.operationId);
      }
    }
    return found;
  });
}

interface AttemptRecords {
  readonly operations: OperationRow[];
  readonly files: FileRow[];
}

/** All rows of an attempt, memory included: a finish must not leave any of them behind. */
export async function readAttemptRecords(core: Core, attemptId: string): Promise<AttemptRecords> {
  const operations = await core.storage.readEvery(['operations'], (tx) =>
    tx.all('operations', 'attempt', attemptId),
  );
  const files = await core.storage.readEvery(['files'], (tx) =>
    tx.all('files', 'attempt', attemptId),
  );
  return { operations, files };
}

async function buildFinishManifest(core: Core, operation: OperationRow): Promise<FinishManifest> {
  if (operation.kind === 'answer') {
    const folded = await foldedInto(
      core.storage.layerOf(operation.operationId),
      operation.operationId,
    );
    return { folded, sequences: [], files: [] };
  }
  const attempt = await core.storage.readAttempt(operation.attemptId);
  const { operations, files } = await readAttemptRecords(core, operation.attemptId);
  return createFinishManifest(
    operation,
    attempt && streamOf(attempt, operation.stream),
    operations,
    files,
  );
}

/** Claims an operation that leaves the device; from now on it is never folded. Null: it is no longer waiting. */
export async function claim(
  core: Core,
  owner: string,
  operationId: string,
): Promise<ClaimedOperation | null> {
  const storage = core.storage.layerOf(operationId);
  const readWaiting = async (tx: Transaction): Promise<OperationRow | null> => {
    const row = await tx.get('operations', operationId);
    return row?.state === 'waiting' && row.owner === owner ? row : null;
  };
  const mark = async (tx: Transaction): Promise<OperationRow | null> => {
    const row = await readWaiting(tx);
    if (row) await advance(core, tx, operationId, { kind: 'claim' });
    return row;
  };
  const operation = await storage.write(['operations'], mark).catch((error: unknown) => {
    // No space even for the mark: an operation stored before the device filled up is sent anyway.
    ignoreStorageFailure(error);
    return storage.read(['operations'], readWaiting);
  });
  if (!operation) return null;
  const attempt = await core.storage.readAttempt(operation.attemptId);
  const next = (attempt && streamOf(attempt, operation.stream)?.nextSequence) ?? 1;
  const head = Math.max(next - 1, operation.sequence);
  return { operation, attempt, head, manifest: await buildFinishManifest(core, operation) };
}

/** Claims an operation for sending, once the server knows its attempt. */
export async function claimForSending(
  core: Core,
  owner: string,
  operationId: string,
): Promise<ClaimedOperation | null> {
  const claimed = await claim(core, owner, operationId);
  const isBegun = claimed?.attempt?.begin?.state !== 'waiting';
  checkInvariant(core.log, isBegun, 'beginGoesFirst', operationId);
  return claimed;
}

/** Whether a reply was made before a restore that this device knows of: what it confirms may be lost. */
export function isFromBeforeRestore(
  { runtime }: Core,
  { serverEpoch }: Pick<ReplyFacts, 'serverEpoch'>,
): boolean {
  return serverEpoch !== null && runtime.serverEpoch !== null && serverEpoch < runtime.serverEpoch;
}

/** A receipt that names the operation is the only successful transition from `waiting`. */
export async function acknowledge(
  core: Core,
  { operation }: Pick<ClaimedOperation, 'operation'>,
  receipt: Receipt,
  facts: Pick<ReplyFacts, 'serverEpoch'>,
): Promise<'acknowledged' | 'stale'> {
  // A repeated receipt changes nothing.
  if (operation.state !== 'acknowledged') await sendFilesElsewhere(core, operation, true);
  // Sent again, with the receipt.
  const isStale = isFromBeforeRestore(core, facts);
  const event: OperationEvent = isStale
    ? { kind: 'staleReceipt', receipt }
    : { kind: 'receipt', receipt, serverEpoch: facts.serverEpoch ?? core.runtime.serverEpoch };
  const fileIds = isStale ? [] : fileIdsOf(operation);
  await applyEvent(
    core,
    operation.operationId,
    event,
    (tx) => sendFiles(tx, fileIds, true),
    // Most answers have none, and need not wait for an upload.
    fileIds.length > 0 ? ['files'] : [],
  );
  return isStale ? 'stale' : 'acknowledged';
}

/** A deleted attempt or a full journal refuses older versions too. */
const REFUSES_EVERY_VERSION = new Set(['GONE', 'TOO_MANY_ANSWERS']);

/** Permanently refused: stays visible, and its folded predecessor is sent instead. */
export async function setOperationAside(
  core: Core,
  operationId: string,
  { status, code, message }: OperationRefusal,
): Promise<void> {
  const event: OperationEvent = { kind: 'refuse', refusal: { status, code, message } };
  await applyEvent(core, operationId, event, async (tx) => {
    if (!REFUSES_EVERY_VERSION.has(code)) await unfold(core, tx, operationId);
  });
}

async function unfold(core: Core, tx: Transaction, operationId: string): Promise<void> {
  for (const one of await tx.all('operations', 'foldedInto', operationId)) {
    await advance(core, tx, one.operationId, { kind: 'unfold' });
  }
}

/** Upload progress clears the failures of the answer. */
export async function clearFailures(core: Core, operationId: string): Promise<void> {
  const storage = core.storage.layerOf(operationId);
  const row = await storage.read(['operations'], (tx) => tx.get('operations', operationId));
  const hasFailed = row?.poisoned === true || (row?.failures ?? 0) > 0;
  if (!hasFailed) return;
  await storage.write(['operations'], (tx) => advance(core, tx, operationId, { kind: 'progress' }));
}

/** Counts a failure while other calls succeeded. True: it is poisoned now. */
export async function countFailure(core: Core, operation: OperationRow): Promise<boolean> {
  const { operationId } = operation;
  return core.storage.layerOf(operationId).write(['operations'], async (tx) => {
    const before = await tx.get('operations', operationId);
    const row = await advance(core, tx, operationId, { kind: 'fail' });
    const becomes = row?.poisoned === true && before?.poisoned === false;
    if (becomes) await unfold(core, tx, operationId);
    return becomes;
  });
}

/**
 * Its sequence belongs to another operation, so it gets the next one. An answer with a newer one of the
 * same question must not outrank it and is folded into it instead. False: nothing changed.
 */
export async function renumber(core: Core, operationId: string): Promise<boolean> {
  const changed = await core.storage
    .layerOf(operationId)
    .write(['operations', 'attempts'], async (tx): Promise<OperationRow | null> => {
      const row = await tx.get('operations', operationId);
      const attempt = row && (await tx.get('attempts', row.attemptId));
      if (!attempt || row.state !== 'waiting') return null;
      const newer = newerAnswer(row, await tx.all('operations', 'attempt', row.attemptId));
      if (newer)
        return advance(core, tx, operationId, { kind: 'foldTaken', into: newer.operationId });
      const [counted, sequence] = takeSequence(core, attempt, row.stream);
      checkAttemptChange(core.log, attempt, counted);
      await tx.put('attempts', counted);
      return advance(core, tx, operationId, { kind: 'renumber', sequence });
    });
  if (changed?.state === 'waiting') noteSequence(core, changed);
  return changed !== null;
}

/** The deadline was moved: drops this finish and reopens the inputs; another finish is written later. */
export async function reopen(core: Core, finish: OperationRow, deadline: number): Promise<void> {
  const event: OperationEvent = { kind: 'drop', deadline };
  await core.storage.layerOf(finish.operationId).write(['operations', 'attempts'], async (tx) => {
    await advance(core, tx, finish.operationId, event);
    await advanceAttempt(core, tx, finish, event);
  });
}

/** Less time than this is not worth another finish. */
const WORTHWHILE_MS = 1_000;

/**
 * The time came back, by the device's clock or by a reply, before the server confirmed a finish of the deadline. Drops
 * the finish, so that its sequence is declared like any dropped one, and reopens the inputs. If the server has it after
 * all, it replies as to any finish before the deadline.
 */
export async function reopenEarlyFinishes(core: Core, owner: string): Promise<void> {
  const now = core.clock.serverNow();
  if (now === null) return;
  for (const attempt of await attemptsOf(core, owner)) {
    if (attempt.state !== 'finishing' || now > attempt.deadline - WORTHWHILE_MS) continue;
    const { operations } = await readAttemptRecords(core, attempt.attemptId);
    const early = operations.find(
      (one) =>
        one.kind === 'finish' &&
        one.finishReason === 'deadline' &&
        one.stream === attempt.stream &&
        one.state === 'waiting' &&
        one.receipt === null,
    );
    if (!early || core.runtime.sending.has(early.operationId)) continue;
    // No later deadline: the row may have a checked, earlier one since it was read.
    await reopen(core, early, 0);
    core.emit({ kind: 'changed', attemptId: attempt.attemptId });
  }
}

async function retryOperation(core: Core, operation: OperationRow): Promise<void> {
  try {
    await resetOperation(core, operation);
  } catch (error) {
    // On a full device it stays set aside until the next retry.
    ignoreStorageFailure(error);
    return;
  }
  const { backoffs, seenSuccesses, fileFailures } = core.runtime;
  backoffs.succeeded(operation.operationId);
  for (const fileId of fileIdsOf(operation)) {
    backoffs.succeeded(fileId);
    fileFailures.delete(fileId);
  }
  seenSuccesses.delete(operation.operationId);
}

const UNREFUSED = { state: 'unchecked', mismatches: 0, refusal: null } as const;

/** Files that were set aside are sent once more. Those of an answer that the server has already, `isThere`, follow it. */
async function sendFiles(tx: Transaction, fileIds: string[], isThere: boolean): Promise<void> {
  for (const fileId of fileIds) {
    const file = await tx.get('files', fileId);
    if (file && file.state !== 'complete')
      await tx.put('files', {
        ...file,
        ...(file.state === 'setAside' && UNREFUSED),
        wanted: file.wanted || isThere,
      });
  }
}

/**
 * The same for files in the other layer, where an earlier operation stored them: a full device has later ones in memory.
 * Before the answer is confirmed, so that none is without its files. Throws `StorageFailure`.
 */
async function sendFilesElsewhere(
  core: Core,
  operation: OperationRow,
  isThere: boolean,
): Promise<void> {
  const { attemptId, operationId } = operation;
  const read = (tx: Transaction): Promise<FileRow[]> => tx.all('files', 'attempt', attemptId);
  const missing = new Set(fileIdsOf(operation));
  if (missing.size === 0) return;
  const own = core.storage.layerOf(operationId);
  for (const { fileId } of await own.read(['files'], read)) missing.delete(fileId);
  if (missing.size === 0) return;
  for (const file of await core.storage.readEvery(['files'], read))
    if (missing.has(file.fileId) && file.state !== 'complete' && !file.wanted)
      await core.storage
        .layerOf(file.operationId)
        .write(['files'], (tx) => sendFiles(tx, [file.fileId], isThere));
}

async function resetOperation(core: Core, operation: OperationRow): Promise<void> {
  const { operationId, acknowledgedAt } = operation;
  const isThere = acknowledgedAt !== null;
  await sendFilesElsewhere(core, operation, isThere);
  await core.storage.layerOf(operationId).write(['operations', 'files', 'attempts'], async (tx) => {
    await sendFiles(tx, fileIdsOf(operation), isThere);
    const event: OperationEvent = { kind: 'retry' };
    const row = await advance(core, tx, operationId, event);
    if (row) await advanceAttempt(core, tx, row, event);
  });
}

/** Retries everything of an attempt that was set aside. */
export async function retrySetAside(core: Core, attemptId: string): Promise<void> {
  const { operations, files } = await core.storage.readRecords(attemptId);
  for (const one of followFiles(operations, files)) {
    const isAside = one.state === 'setAside' || (one.state === 'waiting' && one.poisoned);
    if (isAside) await retryOperation(core, one);
  }
  core.emit({ kind: 'changed', attemptId });
  core.emit({ kind: 'written', attemptId });
}

/** When the app opens, poisoned operations are due, and a deleted attempt may have been restored. */
export async function retryAtStartup(core: Core, owner: string): Promise<void> {
  for (const one of await unsentOf(owner, core.storage.readAll)) {
    if (one.refusal?.code === 'GONE') await retryOperation(core, one);
    if (one.poisoned) core.runtime.backoffs.succeeded(one.operationId);
  }
}
