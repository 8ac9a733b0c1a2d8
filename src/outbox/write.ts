import * as v from 'valibot';
import { Answer } from '#contract/answers.ts';
import type { AttemptRow, FileRow, OperationRow, StreamRow } from '#app/storage/rows.ts';
import type { Transaction } from '#app/storage/storage.ts';
import { copyForMemory } from './attempts.ts';
import { putClock, type Core } from './core.ts';
import { rescueAttempt } from './rescue.ts';
import { OutboxRefusal, type StoredOperation } from './types.ts';

/** Writing first: one strict transaction stores the operation, its sequence and what it folds. */

export interface NewFile {
  readonly row: Omit<FileRow, 'stream' | 'owner' | 'operationId'>;
  readonly parts: readonly ArrayBuffer[];
}

interface NewOperation {
  readonly operationId: string;
  readonly attemptId: string;
  readonly answer: Answer | null;
  readonly finishReason: 'student' | 'deadline' | null;
  readonly file: NewFile | null;
}

const WRITE_STORES = ['attempts', 'operations', 'device', 'files', 'fileBytes'] as const;

export const streamKey = (attemptId: string, stream: string): string => `${attemptId}/${stream}`;

export function streamOf(attempt: AttemptRow, stream: string): StreamRow | null {
  return attempt.streams.find((one) => one.stream === stream) ?? null;
}

/** The attempt with one of its streams replaced. */
export function withStream(attempt: AttemptRow, changed: StreamRow): AttemptRow {
  const streams = attempt.streams.map((one) => (one.stream === changed.stream ? changed : one));
  return { ...attempt, streams };
}

/** Takes the next sequence of a stream, beyond any that this page gave out in memory. */
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

/** Called once the transaction that took a sequence has completed. */
export function noteSequence(core: Core, operation: OperationRow): void {
  const key = streamKey(operation.attemptId, operation.stream);
  const { highest } = core.runtime;
  highest.set(key, Math.max(highest.get(key) ?? 0, operation.sequence));
}

function assertWritable(attempt: AttemptRow, wanted: NewOperation): void {
  if (attempt.takenOver) throw new OutboxRefusal('takenOver');
  // A finish whose row was lost may be written again.
  const isOpen = attempt.state === 'running' || (attempt.state === 'finishing' && !wanted.answer);
  if (!isOpen) throw new OutboxRefusal('finished');
}

/** Folds a waiting, never sent, older answer of the same question; it stays, in case the newer is refused. */
async function foldOlder(tx: Transaction, owner: string, newer: OperationRow): Promise<void> {
  for (const one of await tx.all('operations', 'ownerState', [owner, 'waiting'])) {
    const isOlder =
      one.kind === 'answer' &&
      one.attemptId === newer.attemptId &&
      one.stream === newer.stream &&
      one.questionId === newer.questionId &&
      !one.sent &&
      one.receipt === null;
    if (isOlder) {
      await tx.put('operations', { ...one, state: 'folded', foldedInto: newer.operationId });
    }
  }
}

async function enqueueIn(tx: Transaction, core: Core, wanted: NewOperation): Promise<OperationRow> {
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
  const clock = core.keeper.now();
  const [counted, sequence] = takeSequence(core, attempt, attempt.stream);
  const { answer } = wanted;
  const operation: OperationRow = {
    operationId: wanted.operationId,
    owner: attempt.owner,
    attemptId: attempt.attemptId,
    stream: attempt.stream,
    epoch: streamOf(attempt, attempt.stream)?.epoch ?? 1,
    sequence,
    formerSequences: [],
    kind: answer ? 'answer' : 'finish',
    questionId: answer?.questionId ?? null,
    answer,
    fileId: answer?.kind === 'file' ? answer.fileId : null,
    finishReason: wanted.finishReason,
    writtenEra: clock.era,
    writtenWall: core.keeper.wall(),
    writtenServer: core.keeper.serverNow(),
    seenServerTime:
      clock.seenServerTime === null ? null : new Date(clock.seenServerTime).toISOString(),
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
  if (answer) await foldOlder(tx, attempt.owner, operation);
  await tx.put('operations', operation);
  await tx.put('attempts', answer ? counted : { ...counted, state: 'finishing' });
  if (wanted.file) await putFile(tx, wanted.file, operation);
  return operation;
}

async function putFile(tx: Transaction, file: NewFile, operation: OperationRow): Promise<void> {
  const { owner, stream, operationId } = operation;
  await tx.put('files', { ...file.row, owner, stream, operationId });
  for (const [part, bytes] of file.parts.entries()) {
    await tx.put('fileBytes', { fileId: file.row.fileId, part, bytes });
  }
}

async function enqueue(core: Core, wanted: NewOperation) {
  const { attemptId } = wanted;
  const put = (tx: Transaction): Promise<OperationRow> => enqueueIn(tx, core, wanted);
  // While memory knows more of the attempt than the device, only memory may be written to.
  if (core.runtime.copies.has(attemptId) && !(await rescueAttempt(core, attemptId))) {
    return { value: await core.overflow.write(WRITE_STORES, put), saved: false };
  }
  return core.writeAnywhere(WRITE_STORES, put, () => copyForMemory(core, attemptId));
}

async function write(core: Core, wanted: NewOperation): Promise<StoredOperation> {
  await core.ready();
  const { value: operation, saved } = await enqueue(core, wanted);
  const { operationId, sequence, attemptId } = operation;
  noteSequence(core, operation);
  if (!saved && core.main.durable) core.runtime.unsaved.add(operationId);
  // A finish that waited already is nothing new.
  if (operationId === wanted.operationId) {
    core.emit({ kind: 'changed', attemptId });
    core.emit({ kind: 'written', attemptId });
  }
  return { operationId, sequence, saved };
}

/** Stores one answer. Throws `OutboxRefusal`. */
export function writeAnswer(
  core: Core,
  attemptId: string,
  answer: Answer,
  file: NewFile | null = null,
): Promise<StoredOperation> {
  const parsed = v.parse(Answer, answer);
  const operationId = core.env.newId();
  return write(core, { operationId, attemptId, answer: parsed, finishReason: null, file });
}

/** Stores the finish; one that waits already is given back. Throws `OutboxRefusal`. */
export function writeFinish(
  core: Core,
  attemptId: string,
  finishReason: 'student' | 'deadline',
): Promise<StoredOperation> {
  const operationId = core.env.newId();
  return write(core, { operationId, attemptId, answer: null, finishReason, file: null });
}
