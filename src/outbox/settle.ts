import type { Receipt } from '#contract/passing.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import type { AttemptRow, FileRow, OperationRow } from '#app/storage/rows.ts';
import { StorageFailure, type Storage, type Transaction } from '#app/storage/storage.ts';
import { changeAttempt, findAttempt } from './attempts.ts';
import { POISONED_AFTER } from './backoff.ts';
import { askedFor, barrierWord, type BarrierWord } from './barrier.ts';
import { readEvery, type Core } from './core.ts';
import { noteSequence, streamOf, takeSequence, withStream } from './write.ts';

/** What a reply does to what is stored: one transaction per verdict. */

/** Times a sequence is sent again for one INCOMPLETE after another before it is given up. */
const ASKED_ENOUGH = 3;

export interface Taken {
  readonly operation: OperationRow;
  /** Null: its row was lost; what it wrote is sent all the same. */
  readonly attempt: AttemptRow | null;
  readonly head: number;
  readonly word: BarrierWord;
}

/** Sequences folded, directly or through others, into an answer. */
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

interface Held {
  readonly operations: OperationRow[];
  readonly files: FileRow[];
}

/** Everything of an attempt on this device, memory included: a finish may leave none of it behind. */
async function heldOf(core: Core, attemptId: string): Promise<Held> {
  const operations = await readEvery(core, ['operations'], (tx) =>
    tx.all('operations', 'attempt', attemptId),
  );
  const files = await readEvery(core, ['files'], (tx) => tx.all('files', 'attempt', attemptId));
  return { operations, files };
}

async function wordOf(core: Core, operation: OperationRow): Promise<BarrierWord> {
  if (operation.kind === 'answer') {
    const folded = await foldedInto(core.storageOf(operation.operationId), operation.operationId);
    return { folded, sequences: [], files: [] };
  }
  const attempt = await findAttempt(core, operation.attemptId);
  const { operations, files } = await heldOf(core, operation.attemptId);
  return barrierWord(operation, attempt && streamOf(attempt, operation.stream), operations, files);
}

/** Takes an operation for sending; from now on it is never folded. Null: it does not wait any more. */
export async function takeForSending(
  core: Core,
  owner: string,
  operationId: string,
): Promise<Taken | null> {
  const storage = core.storageOf(operationId);
  const look = async (tx: Transaction): Promise<OperationRow | null> => {
    const row = await tx.get('operations', operationId);
    return row?.state === 'waiting' && row.owner === owner ? row : null;
  };
  const mark = async (tx: Transaction): Promise<OperationRow | null> => {
    const row = await look(tx);
    if (row && !row.sent) await tx.put('operations', { ...row, sent: true });
    return row;
  };
  const operation = await storage.write(['operations'], mark).catch((error: unknown) => {
    // No room even for the mark: what was stored before the device filled up goes all the same.
    if (!(error instanceof StorageFailure)) throw error;
    return storage.read(['operations'], look);
  });
  if (!operation) return null;
  const attempt = await findAttempt(core, operation.attemptId);
  const next = (attempt && streamOf(attempt, operation.stream)?.nextSequence) ?? 1;
  const head = Math.max(next - 1, operation.sequence);
  return { operation, attempt, head, word: await wordOf(core, operation) };
}

/** The only way out of «waiting» with success: a receipt that names the operation. */
export async function acknowledge(
  core: Core,
  taken: Taken,
  receipt: Receipt,
  facts: ReplyFacts,
): Promise<'acknowledged' | 'stale'> {
  const { operation } = taken;
  const known = core.runtime.serverEpoch;
  // A reply from before a restore: what it confirms may be gone, so it is sent again with the receipt.
  const isStale = facts.serverEpoch !== null && known !== null && facts.serverEpoch < known;
  await core.storageOf(operation.operationId).write(['operations', 'attempts'], async (tx) => {
    const row = await tx.get('operations', operation.operationId);
    if (!row || row.state === 'acknowledged') return;
    if (isStale) {
      await tx.put('operations', { ...row, receipt });
      return;
    }
    const at = Date.parse(receipt.receivedAt);
    await tx.put('operations', {
      ...row,
      state: 'acknowledged',
      receipt,
      acknowledgedAt: at,
      serverEpoch: facts.serverEpoch ?? known,
      failures: 0,
      poisoned: false,
      refusal: null,
    });
    const attempt = await tx.get('attempts', row.attemptId);
    if (attempt) await tx.put('attempts', afterReceipt(attempt, row, receipt));
  });
  return isStale ? 'stale' : 'acknowledged';
}

function afterReceipt(attempt: AttemptRow, operation: OperationRow, receipt: Receipt): AttemptRow {
  const here = { ...attempt, gone: false };
  if (operation.kind !== 'finish') return here;
  // A finish of a device that no longer owns the attempt finishes nothing.
  if (receipt.outcome === 'superseded') {
    const isCurrent = operation.stream === attempt.stream && attempt.state !== 'finished';
    return isCurrent ? { ...here, state: 'running', takenOver: true } : here;
  }
  return { ...here, state: 'finished', finishedAt: Date.parse(receipt.receivedAt) };
}

/** An attempt that is deleted, or whose journal is full, takes no older version either. */
const REFUSES_EVERY_VERSION = new Set(['GONE', 'TOO_MANY_ANSWERS']);

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Refused for good: kept, told, and its predecessor, if it was folded, goes instead. */
export async function putAside(
  core: Core,
  operationId: string,
  { status, code, message }: Refusal,
): Promise<void> {
  const refusal = { status, code, message };
  await core.storageOf(operationId).write(['operations', 'attempts'], async (tx) => {
    const row = await tx.get('operations', operationId);
    if (row?.state !== 'waiting') return;
    await tx.put('operations', { ...row, state: 'setAside', refusal });
    const isGone = code === 'GONE';
    const attempt = await tx.get('attempts', row.attemptId);
    if (attempt && isGone) await tx.put('attempts', { ...attempt, gone: true });
    // A refused finish opens the inputs again, so that another one can be written.
    const opens = attempt?.state === 'finishing' && row.kind === 'finish' && !isGone;
    if (opens) await tx.put('attempts', { ...attempt, state: 'running' });
    if (!REFUSES_EVERY_VERSION.has(code)) await unfold(tx, operationId);
  });
}

async function unfold(tx: Transaction, operationId: string): Promise<void> {
  for (const one of await tx.all('operations', 'foldedInto', operationId)) {
    await tx.put('operations', { ...one, state: 'waiting', foldedInto: null });
  }
}

/** Its file moves again: a poisoned answer is none any more. */
export async function forgiveOperation(core: Core, operationId: string): Promise<void> {
  await core.storageOf(operationId).write(['operations'], async (tx) => {
    const row = await tx.get('operations', operationId);
    if (row?.poisoned) await tx.put('operations', { ...row, poisoned: false, failures: 0 });
  });
}

/** One more failure while other calls succeeded. True: it is poisoned now. A finish never is. */
export async function countFailure(core: Core, operation: OperationRow): Promise<boolean> {
  return core.storageOf(operation.operationId).write(['operations'], async (tx) => {
    const row = await tx.get('operations', operation.operationId);
    if (row?.state !== 'waiting') return false;
    const failures = row.failures + 1;
    const becomes = row.kind === 'answer' && !row.poisoned && failures >= POISONED_AFTER;
    await tx.put('operations', { ...row, failures, poisoned: row.poisoned || becomes });
    if (becomes) await unfold(tx, row.operationId);
    return becomes;
  });
}

/**
 * Its number belongs to another operation. It gets the next one; but an answer with a newer one beside it
 * must not rise above that, and is folded into it instead.
 */
export async function renumber(core: Core, operationId: string): Promise<void> {
  const renumbered = await core
    .storageOf(operationId)
    .write(['operations', 'attempts'], async (tx): Promise<OperationRow | null> => {
      const row = await tx.get('operations', operationId);
      const attempt = row && (await tx.get('attempts', row.attemptId));
      if (!attempt || row.state !== 'waiting') return null;
      const newer = await newerAnswer(tx, row);
      if (newer) {
        await tx.put('operations', { ...row, state: 'folded', foldedInto: newer.operationId });
        return null;
      }
      const [counted, sequence] = takeSequence(core, attempt, row.stream);
      const formerSequences = [...row.formerSequences, row.sequence];
      const changed = { ...row, sequence, formerSequences };
      await tx.put('operations', changed);
      await tx.put('attempts', counted);
      return changed;
    });
  if (renumbered) noteSequence(core, renumbered);
}

async function newerAnswer(tx: Transaction, row: OperationRow): Promise<OperationRow | null> {
  if (row.kind !== 'answer') return null;
  const all = await tx.all('operations', 'attempt', row.attemptId);
  const newer = all.find(
    (one) =>
      one.stream === row.stream &&
      one.questionId === row.questionId &&
      one.sequence > row.sequence &&
      (one.state === 'waiting' || one.state === 'acknowledged'),
  );
  return newer ?? null;
}

/** INCOMPLETE: what is held goes again, the rest is named set aside. False: nothing changed by it. */
export async function fillGaps(
  core: Core,
  finish: OperationRow,
  missing: readonly number[],
  missingFiles: readonly string[],
): Promise<boolean> {
  const tired = new Set<string>();
  for (const key of [...missing.map(String), ...missingFiles]) {
    const times = core.runtime.askedAgain.get(`${finish.attemptId}/${finish.stream}/${key}`) ?? 0;
    if (times >= ASKED_ENOUGH) tired.add(key);
    core.runtime.askedAgain.set(`${finish.attemptId}/${finish.stream}/${key}`, times + 1);
  }
  const attempt = await findAttempt(core, finish.attemptId);
  const stream = attempt && streamOf(attempt, finish.stream);
  if (!stream) return false;
  const { operations, files } = await heldOf(core, finish.attemptId);
  const asked = askedFor(finish, missing, missingFiles, operations, files, tired);
  for (const one of asked.again) await sendAgain(core, one);
  for (const file of asked.filesAgain) await askAgain(core, file);
  const lost = asked.lost.filter((n) => !stream.notHere.includes(n));
  const filesLost = asked.filesLost.filter((id) => !stream.filesNotHere.includes(id));
  if (lost.length + filesLost.length > 0) {
    await changeAttempt(core, finish.attemptId, (row) => {
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
  return asked.again.length + asked.filesAgain.length + lost.length + filesLost.length > 0;
}

async function sendAgain(core: Core, one: OperationRow): Promise<void> {
  await core.storageOf(one.operationId).write(['operations'], async (tx) => {
    const row = await tx.get('operations', one.operationId);
    if (row) await tx.put('operations', { ...row, state: 'waiting', sent: true });
  });
}

async function askAgain(core: Core, file: FileRow): Promise<void> {
  await core.storageOf(file.operationId).write(['files'], async (tx) => {
    const row = await tx.get('files', file.fileId);
    if (row) await tx.put('files', { ...row, state: 'unchecked', wanted: true });
  });
}

/** The deadline was moved: this finish is dropped, inputs open, another one is written later. */
export async function reopen(core: Core, finish: OperationRow, deadline: number): Promise<void> {
  await core.storageOf(finish.operationId).write(['operations', 'attempts'], async (tx) => {
    const row = await tx.get('operations', finish.operationId);
    if (row?.state === 'waiting') await tx.put('operations', { ...row, state: 'dropped' });
    const attempt = await tx.get('attempts', finish.attemptId);
    if (!attempt) return;
    const moved = Math.max(0, deadline - attempt.deadline);
    await tx.put('attempts', {
      ...attempt,
      state: attempt.state === 'finishing' ? 'running' : attempt.state,
      deadline: attempt.deadline + moved,
      countsUntil: attempt.countsUntil + moved,
    });
  });
}
