import type { PoolClient } from 'pg';
import type { ErrorCode } from '#contract/errors.ts';
import { judgeArrival, type ArrivalContext, type CountedFinish } from '#domain/lateness.ts';
import { one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { isResultSeen } from '#server/tests/visible.ts';
import { attemptTime, isOver, lockAttempt, type Attempt } from './attempt.ts';
import { closeIfDue } from './close.ts';
import type { OperationRequest } from './incoming.ts';
import { assertInvariant } from './invariant.ts';
import {
  deleteOperation,
  insertOperation,
  findOperation,
  isSequenceUsed,
  receiptOf,
  spareSequences,
  type JournalOutcome,
  type JournalEntry,
  type Operation,
} from './journal.ts';
import { recordContact, recordHead, readStreamPosition, type StreamPosition } from './streams.ts';
import { NeedsExclusiveLock, refused, RollbackWithVerdict, type AnswerVerdict } from './verdict.ts';

/** The effects of a kind of operation that is neither a repeat nor refused. */
export interface Effects {
  /** New operation: judge it, journal it, apply it. */
  accept(context: Context): Promise<AnswerVerdict>;
  /**
   * A repeat of a journalled operation that is not refused: may still change it; null returns the stored
   * receipt.
   */
  repeat(context: Context, existing: Operation): Promise<Operation | null>;
  /** Called at the end, whatever became of the operation. */
  conclude?(context: Context): Promise<void>;
}

export interface Context {
  readonly client: PoolClient;
  readonly deps: Deps;
  readonly attempt: Attempt;
  readonly streamPosition: StreamPosition;
  readonly operation: JournalEntry;
}

/** The attempt of an operation, and its sender. */
interface Sender {
  readonly attemptId: string;
  readonly userId: string;
}

/**
 * One operation in one transaction, committed before the reply (server rule 2). Repeats get the stored receipt;
 * concurrent ones wait for the first. The owner of the attempt is checked again here.
 */
export async function receive(
  deps: Deps,
  sender: Sender,
  request: OperationRequest,
  effects: Effects,
  strength: 'share' | 'update',
): Promise<AnswerVerdict> {
  try {
    return await transaction(deps.pool, (client) =>
      inTransaction(client, deps, sender, request, effects, strength),
    );
  } catch (error) {
    if (error instanceof RollbackWithVerdict) return error.verdict;
    if (!(error instanceof NeedsExclusiveLock)) throw error;
    return receive(deps, sender, request, effects, 'update');
  }
}

async function inTransaction(
  client: PoolClient,
  deps: Deps,
  { attemptId, userId }: Sender,
  request: OperationRequest,
  effects: Effects,
  strength: 'share' | 'update',
): Promise<AnswerVerdict> {
  const locked = await lockAttempt(client, attemptId, strength);
  if (locked?.userId !== userId) return refused('NOT_FOUND', null);
  if (locked.deletedAt) return refused('GONE', null);
  if (strength === 'share' && isOver(locked, request.receivedAt)) throw new NeedsExclusiveLock();
  const attempt = await closeIfDue(client, locked, request.receivedAt);
  assertInvariant(
    attempt.ended !== null || !isOver(attempt, request.receivedAt),
    'an attempt is closed before an operation after its end is judged',
  );

  const streamPosition = await readStreamPosition(
    client,
    attempt,
    request.stream,
    request.claimedEpoch,
    request.sequence,
  );
  if (strength === 'share' && streamPosition.finishWaits) throw new NeedsExclusiveLock();
  assertInvariant(
    !streamPosition.known || streamPosition.epoch <= attempt.activeEpoch,
    'no stream has a higher epoch than the owner',
  );
  const operation: JournalEntry = {
    ...request,
    stream: streamPosition.id,
    epoch: streamPosition.epoch,
  };
  const context: Context = { client, deps, attempt, streamPosition, operation };
  // First, in the lock order of the fast path: two orders would deadlock.
  await recordDevice(context, request);
  const verdict = await settle(context, request, effects);
  await effects.conclude?.(context);
  assertInvariant(
    verdict.kind !== 'receipt' || verdict.receipt.operationId === operation.id,
    'a receipt names the operation that was sent',
  );
  return verdict;
}

async function recordDevice(
  { client, attempt, streamPosition }: Context,
  { byHandover, head, ageMs, receivedAt }: OperationRequest,
): Promise<void> {
  const { id } = streamPosition;
  if (!byHandover) return recordContact(client, attempt.id, id, head, receivedAt);
  const writtenAt = ageMs === 'unknown' ? null : new Date(receivedAt.getTime() - ageMs);
  return recordHead(client, attempt.id, id, head, writtenAt);
}

async function settle(
  context: Context,
  request: OperationRequest,
  effects: Effects,
): Promise<AnswerVerdict> {
  const { client, attempt, streamPosition, operation } = context;
  const existing = await findOperation(client, attempt.id, operation.id);
  const isProven = existing !== null && (await provesFile(context, request, existing));
  if (existing && !isProven) return repeated(context, existing, effects);
  if (await hasUsedSequence(context)) return refused('SEQUENCE_TAKEN', attempt.activeStream);
  if (existing) await deleteOperation(client, attempt.id, existing.id);
  await spareSequences(client, attempt.id, streamPosition.id, request.folded, 'folded');
  if (request.misfit) return journalRefused(context, request.misfit.code, request.misfit.details);
  return effects.accept(context);
}

async function hasUsedSequence({
  client,
  attempt,
  streamPosition,
  operation,
}: Context): Promise<boolean> {
  if (operation.sequence === null) return false;
  return isSequenceUsed(client, attempt.id, streamPosition.id, operation.sequence, operation.id);
}

const isCopy = (existing: Operation, operation: JournalEntry): boolean =>
  existing.kind === operation.kind && existing.bodyDigest.equals(operation.digest);

/**
 * Whether the device sends what a plain file brought before: that proves it, so it is judged as if there had been no
 * file. Once the result could be seen, what came before stays as it came.
 */
async function provesFile(
  { client, attempt, operation }: Context,
  { misfit }: OperationRequest,
  existing: Operation,
): Promise<boolean> {
  const isOpen = existing.byFile && existing.decision === null;
  if (!isOpen || misfit !== null || !isCopy(existing, operation)) return false;
  return !(await isResultSeen(client, attempt, operation.receivedAt));
}

/** Same id: the stored receipt, unless the body differs; a second sequence is consumed as well. */
async function repeated(
  context: Context,
  existing: Operation,
  effects: Effects,
): Promise<AnswerVerdict> {
  const { client, deps, attempt, streamPosition, operation } = context;
  if (!isCopy(existing, operation)) return refused('OPERATION_REUSED', attempt.activeStream);
  if (operation.sequence !== null && operation.sequence !== existing.sequence) {
    if (await hasUsedSequence(context)) return refused('SEQUENCE_TAKEN', attempt.activeStream);
    await spareSequences(
      client,
      attempt.id,
      streamPosition.id,
      [operation.sequence],
      'renumbered',
      existing.id,
    );
  }
  if (existing.outcome === 'refused') {
    const code = existing.refusal ?? 'INVALID_ANSWER';
    return refused(code, attempt.activeStream, refusalDetails(code, attempt));
  }
  const changed = await effects.repeat(context, existing);
  const receipt = receiptOf(deps.state.sealKey, attempt, changed ?? existing);
  return { kind: 'receipt', receipt, activeStream: attempt.activeStream };
}

function refusalDetails(code: ErrorCode, attempt: Attempt): unknown {
  return code === 'DEADLINE_MOVED' ? { deadline: attempt.deadline.toISOString() } : undefined;
}

/** A refused operation is journalled with the reason and consumes its sequence (server rule 4). */
export async function journalRefused(
  context: Context,
  code: ErrorCode,
  details?: unknown,
): Promise<AnswerVerdict> {
  const { attempt, operation } = context;
  if (operation.sequence !== null) {
    await journalOperation(context, {
      outcome: 'refused',
      refusal: code,
      afterResult: false,
      receivedLate: false,
      writtenAt: null,
    });
  }
  return refused(code, attempt.activeStream, details ?? refusalDetails(code, attempt));
}

/**
 * Journals an operation with an id and a sequence that were free at the last read; a race with a duplicate starts over.
 */
export async function journalOperation(
  context: Context,
  entry: JournalOutcome,
): Promise<Operation> {
  const entered = await insertOperation(
    context.client,
    context.attempt.id,
    context.operation,
    entry,
  );
  if (!entered) throw new NeedsExclusiveLock();
  return entered;
}

/** Judges an operation by time, against the finish that counted, if there is one. */
export async function judge(context: Context): Promise<JournalOutcome> {
  const { attempt, operation, streamPosition } = context;
  const arrival = {
    receivedAt: operation.receivedAt.getTime(),
    ageMs: operation.ageMs,
    seenServerTime: operation.seenServerTime?.getTime() ?? null,
  };
  const resultVisible = await isResultSeen(context.client, attempt, operation.receivedAt);
  const against = await arrivalContext(context.client, attempt, streamPosition);
  const verdict = judgeArrival(arrival, { ...against, resultVisible });
  return {
    outcome: streamPosition.known ? verdict.outcome : 'held',
    afterResult: resultVisible,
    refusal: null,
    receivedLate: streamPosition.known ? verdict.receivedLate : true,
    writtenAt: verdict.writtenAt === null ? null : new Date(verdict.writtenAt),
  };
}

/** The context for judging an operation of a stream, except whether its student could have seen the result. */
export async function arrivalContext(
  client: PoolClient,
  attempt: Attempt,
  streamPosition: Pick<StreamPosition, 'epoch' | 'beganAt'>,
): Promise<Omit<ArrivalContext, 'resultVisible'>> {
  return {
    time: attemptTime(attempt),
    epoch: streamPosition.epoch,
    streamBeganAt: streamPosition.beganAt.getTime(),
    finish: await countedFinish(client, attempt),
  };
}

/** The finish that ended the attempt; null while it runs or when the server closed it. */
async function countedFinish(client: PoolClient, attempt: Attempt): Promise<CountedFinish | null> {
  if (attempt.finishOperation === null) return null;
  const finish = await one<{ epoch: number; receivedAt: Date }>(
    client,
    'select epoch, received_at as "receivedAt" from operations where attempt_id = $1 and id = $2',
    [attempt.id, attempt.finishOperation],
  );
  return finish ? { epoch: finish.epoch, receivedAt: finish.receivedAt.getTime() } : null;
}
