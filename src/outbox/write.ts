import * as v from 'valibot';
import type { AttemptRow, FileRow, OperationRow, StreamRow } from '#app/storage/rows.ts';
import type { Transaction } from '#app/storage/storage.ts';
import { Answer } from '#contract/answers.ts';
import { attemptsOf } from './attempts.ts';
import { type Core, putClock } from './core.ts';
import { checkAppended, checkAttemptChange, checkTransition } from './invariants.ts';
import { OutboxRefusal, type StoredOperation } from './types.ts';
import { transition } from './transition.ts';

/** Write-ahead: one strict transaction stores the operation, its sequence and the operations that it folds. */

export interface NewFile {
  readonly row: Omit<FileRow, 'stream' | 'owner' | 'operationId'>;
  readonly parts: readonly ArrayBuffer[];
}

export interface NewOperation {
  readonly operationId: string;
  readonly attemptId: string;
  readonly answer: Answer | null;
  readonly finishReason: 'student' | 'deadline' | null;
  /** Files that no earlier operation stored. */
  readonly files: readonly NewFile[];
}

/** A moment on the device's timeline, as stored in an operation. */
export interface WrittenAt {
  readonly era: number;
  readonly wall: number;
  /** Server time of the same moment, milliseconds; null while no offset was known. */
  readonly server: number | null;
  /** ISO time of the latest server time seen then. */
  readonly seen: string | null;
}

/** @param agoMs how long ago it was, by the monotonic clock */
export function positionOf(core: Core, agoMs = 0): WrittenAt {
  const { era, seenServerTime } = core.clock.now();
  const server = core.clock.serverNow();
  return {
    era,
    wall: Math.floor(core.clock.wall() - agoMs),
    server: server === null ? null : Math.floor(server - agoMs),
    seen: seenServerTime === null ? null : new Date(seenServerTime).toISOString(),
  };
}

export const WRITE_STORES = ['attempts', 'operations', 'device', 'files', 'fileBytes'] as const;

export const streamKey = (attemptId: string, stream: string): string => `${attemptId}/${stream}`;

export function streamOf(attempt: AttemptRow, stream: string): StreamRow | null {
  return attempt.streams.find((one) => one.stream === stream) ?? null;
}

/** The attempt with one of its streams replaced. */
export function withStream(attempt: AttemptRow, changed: StreamRow): AttemptRow {
  const streams = attempt.streams.map((one) => (one.stream === changed.stream ? changed : one));
  return { ...attempt, streams };
}

/** Allocates the next sequence of a stream, above any that this page allocated in memory. */
export function takeSequence(
  core: Core,
  attempt: AttemptRow,
  stream: string,
): [AttemptRow, number] {
  const row = streamOf(attempt, stream);
  if (!row) throw new Error(`attempt ${attempt.attemptId} has no stream ${stream}`);
  const inMemory = core.runtime.highest.get(streamKey(attempt.attemptId, stream)) ?? 0;
  const sequence = Math.max(row.nextSequence, inMemory + 1);
  return [withStream(attempt, { ...row, nextSequence: sequence + 1 }), sequence];
}

/** Called once the transaction that allocated a sequence has completed. */
export function noteSequence(core: Core, operation: OperationRow): void {
  const key = streamKey(operation.attemptId, operation.stream);
  const { highest } = core.runtime;
  highest.set(key, Math.max(highest.get(key) ?? 0, operation.sequence));
}

function assertWritable(attempt: AttemptRow, wanted: NewOperation): void {
  if (attempt.takenOver) throw new OutboxRefusal('takenOver');
  // A finish with a lost row may be written again.
  const isOpen = attempt.state === 'running' || (attempt.state === 'finishing' && !wanted.answer);
  if (!isOpen) throw new OutboxRefusal('finished');
}

/** Folds a waiting, never sent, older answer to the same question; its row stays in case the newer is refused. */
async function foldOlder(
  core: Core,
  tx: Transaction,
  stored: readonly OperationRow[],
  newer: OperationRow,
): Promise<void> {
  const event = { kind: 'fold', into: newer.operationId } as const;
  for (const one of stored) {
    const isOlder =
      one.owner === newer.owner &&
      one.stream === newer.stream &&
      one.questionId === newer.questionId;
    const folded = isOlder ? transition(one, event) : null;
    if (!folded) continue;
    checkTransition(core.log, one, event, folded);
    await tx.put('operations', folded);
  }
}

/** A dropped finish is declared by the next answer, so that the server sees no gap until the next finish. */
async function foldDropped(
  tx: Transaction,
  stored: readonly OperationRow[],
  newer: OperationRow,
): Promise<void> {
  for (const one of stored) {
    const isDropped = one.state === 'dropped' && one.stream === newer.stream;
    if (!isDropped || one.foldedInto !== null) continue;
    await tx.put('operations', { ...one, foldedInto: newer.operationId });
  }
}

/** @param requestedAt by the monotonic clock: text typed while the device was read or written is newer */
async function enqueueIn(
  tx: Transaction,
  core: Core,
  wanted: NewOperation,
  requestedAt: number,
): Promise<OperationRow> {
  // A transaction that ran again after a lost connection may have completed the first time.
  const already = await tx.get('operations', wanted.operationId);
  if (already) return already;
  const attempt = await tx.get('attempts', wanted.attemptId);
  if (!attempt) throw new OutboxRefusal('unknownAttempt');
  const waiting = await tx.all('operations', 'ownerState', [attempt.owner, 'waiting']);
  const finish = waiting.find(
    (one) =>
      one.kind === 'finish' && one.attemptId === attempt.attemptId && one.stream === attempt.stream,
  );
  if (finish && wanted.answer === null) return finish;
  if (finish) throw new OutboxRefusal('finished');
  assertWritable(attempt, wanted);

  await putClock(tx, core);
  const writtenAt = positionOf(core, core.env.clock.monotone() - requestedAt);
  const { stream } = attempt;
  return appendIn(tx, core, attempt, wanted, { stream, writtenAt });
}

/** Stores an operation with the next sequence of the stream; needs a transaction over `WRITE_STORES`. */
export async function appendIn(
  tx: Transaction,
  core: Core,
  attempt: AttemptRow,
  wanted: NewOperation,
  { stream, writtenAt }: { readonly stream: string; readonly writtenAt: WrittenAt },
): Promise<OperationRow> {
  const [counted, sequence] = takeSequence(core, attempt, stream);
  const { answer } = wanted;
  const operation: OperationRow = {
    operationId: wanted.operationId,
    owner: attempt.owner,
    attemptId: attempt.attemptId,
    stream,
    epoch: streamOf(attempt, stream)?.epoch ?? 1,
    sequence,
    formerSequences: [],
    kind: answer ? 'answer' : 'finish',
    questionId: answer?.questionId ?? null,
    answer,
    fileId: answer?.kind === 'file' ? answer.fileId : null,
    finishReason: wanted.finishReason,
    writtenEra: writtenAt.era,
    writtenWall: writtenAt.wall,
    writtenServer: writtenAt.server,
    seenServerTime: writtenAt.seen,
    state: 'waiting',
    sent: false,
    failures: 0,
    poisoned: false,
    foldedInto: null,
    refusal: null,
    receipt: null,
    acknowledgedAt: null,
    serverEpoch: null,
  };
  const stored = await tx.all('operations', 'attempt', attempt.attemptId);
  checkAppended(core.log, operation, stored);
  if (answer) {
    await foldOlder(core, tx, stored, operation);
    await foldDropped(tx, stored, operation);
  }
  await tx.put('operations', operation);
  const changed: AttemptRow = answer ? counted : { ...counted, state: 'finishing' };
  checkAttemptChange(core.log, attempt, changed);
  await tx.put('attempts', changed);
  for (const file of wanted.files) await putFile(tx, file, operation);
  return operation;
}

async function putFile(tx: Transaction, file: NewFile, operation: OperationRow): Promise<void> {
  const { owner, stream, operationId } = operation;
  await tx.put('files', { ...file.row, owner, stream, operationId });
  for (const [part, bytes] of file.parts.entries()) {
    await tx.put('fileBytes', { fileId: file.row.fileId, part, bytes });
  }
}

/** Called once the transaction that stored an operation has completed. */
export function noteWritten(
  core: Core,
  operation: OperationRow,
  saved: boolean,
  isNew = true,
): void {
  noteSequence(core, operation);
  if (!saved) core.storage.noteUnsaved(operation.operationId);
  if (!isNew) return;
  const { attemptId } = operation;
  core.emit({ kind: 'changed', attemptId });
  core.emit({ kind: 'written', attemptId });
}

async function write(core: Core, wanted: NewOperation): Promise<StoredOperation> {
  const requestedAt = core.env.clock.monotone();
  await core.ready();
  const store = () =>
    core.storage.writeNew(wanted.attemptId, WRITE_STORES, (tx) =>
      enqueueIn(tx, core, wanted, requestedAt),
    );
  const { value: operation, saved } = await store().catch(async (error: unknown) => {
    if (!(error instanceof OutboxRefusal) || error.reason !== 'unknownAttempt') throw error;
    // The database may have been cleared under the page: reading writes its rows again.
    if (!(await core.storage.readAttempt(wanted.attemptId))) throw error;
    return store();
  });
  const { operationId, stream, sequence } = operation;
  // A finish that already waited is not an event.
  noteWritten(core, operation, saved, operationId === wanted.operationId);
  return { operationId, stream, sequence, saved };
}

/** Stores one answer. Throws `OutboxRefusal`. */
export function writeAnswer(
  core: Core,
  attemptId: string,
  answer: Answer,
  files: readonly NewFile[] = [],
): Promise<StoredOperation> {
  const parsed = v.parse(Answer, answer);
  const operationId = core.env.newId();
  return write(core, { operationId, attemptId, answer: parsed, finishReason: null, files });
}

/** Stores the finish; returns one that already waits. Throws `OutboxRefusal`. */
export function writeFinish(
  core: Core,
  attemptId: string,
  finishReason: 'student' | 'deadline',
): Promise<StoredOperation> {
  const operationId = core.env.newId();
  return write(core, { operationId, attemptId, answer: null, finishReason, files: [] });
}

/** An open page finishes at zero itself, after storing the typed text; this delay gives it time. */
const FINISH_DELAY_MS = 5_000;

/** A pending finish is enough; a refused one is retried only by the user. */
async function hasFinish(core: Core, attempt: AttemptRow): Promise<boolean> {
  const all = await core.storage.readAll(['operations'], (tx) =>
    tx.all('operations', 'attempt', attempt.attemptId),
  );
  return all.some(
    (one) => one.kind === 'finish' && one.stream === attempt.stream && one.state !== 'dropped',
  );
}

/** Queues the finish of attempts if their deadline passed while the app was closed or suspended. */
export async function queueMissedFinishes(core: Core, owner: string): Promise<void> {
  const isMissed = (row: AttemptRow): boolean => {
    const now = core.clock.serverNow();
    const isOpen = row.state !== 'finished' && !row.takenOver && !row.gone;
    return isOpen && now !== null && now >= row.deadline + FINISH_DELAY_MS;
  };
  const missed = (await attemptsOf(core, owner)).filter(isMissed);
  // Another page may have seen that the wall clock was set.
  if (missed.length > 0) await core.adoptStoredClock();
  for (const row of missed) {
    if (!isMissed(row) || (await hasFinish(core, row))) continue;
    try {
      await writeFinish(core, row.attemptId, 'deadline');
    } catch (error) {
      // The attempt was finished or moved to another device in the meantime.
      if (!(error instanceof OutboxRefusal)) throw error;
    }
  }
}
