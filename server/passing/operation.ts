import type { PoolClient } from 'pg';
import type { ErrorCode } from '#contract/errors.ts';
import { judgeArrival, type ArrivalContext, type CountedFinish } from '#domain/lateness.ts';
import { one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { isResultSeen } from '#server/tests/visible.ts';
import { attemptClosesAt, attemptTime, lockAttempt, type Attempt } from './attempt.ts';
import { closeIfDue } from './close.ts';
import type { Arriving } from './incoming.ts';
import {
  enterOperation,
  findOperation,
  isSequenceTaken,
  receiptOf,
  spareSequences,
  type Entry,
  type IncomingOperation,
  type Operation,
} from './journal.ts';
import { hear, placeOf, type StreamPlace } from './streams.ts';
import { NeedsExclusiveLock, refused, Undone, type Verdict } from './verdict.ts';

/** What a kind of operation does once it is neither a repeat nor refused. */
export interface Effects {
  /** New operation: judge it, enter it, apply it. */
  accept(context: Context): Promise<Verdict>;
  /** A repeat of a journalled one that is not refused: may still change it; null keeps the receipt. */
  repeat(context: Context, existing: Operation): Promise<Operation | null>;
}

export interface Context {
  readonly client: PoolClient;
  readonly deps: Deps;
  readonly attempt: Attempt;
  readonly place: StreamPlace;
  readonly operation: IncomingOperation;
}

/** Which attempt an operation is for, and who sent it. */
interface Sender {
  readonly attemptId: string;
  readonly userId: string;
}

/**
 * One operation in one transaction, committed before the reply (server rule 2). Repeats get the stored
 * receipt; concurrent ones wait for the first. Whose attempt it is, is asked here again.
 */
export async function receive(
  deps: Deps,
  sender: Sender,
  arriving: Arriving,
  effects: Effects,
  strength: 'share' | 'update',
): Promise<Verdict> {
  try {
    return await transaction(deps.pool, (client) =>
      inTransaction(client, deps, sender, arriving, effects, strength),
    );
  } catch (error) {
    if (error instanceof Undone) return error.verdict;
    if (!(error instanceof NeedsExclusiveLock)) throw error;
    return receive(deps, sender, arriving, effects, 'update');
  }
}

async function inTransaction(
  client: PoolClient,
  deps: Deps,
  { attemptId, userId }: Sender,
  arriving: Arriving,
  effects: Effects,
  strength: 'share' | 'update',
): Promise<Verdict> {
  const locked = await lockAttempt(client, attemptId, strength);
  if (locked?.userId !== userId) return refused('NOT_FOUND', null);
  if (locked.deletedAt) return refused('GONE', null);
  const isOver = locked.ended !== null || arriving.receivedAt >= attemptClosesAt(locked);
  if (isOver && strength === 'share') throw new NeedsExclusiveLock();
  const attempt = isOver ? await closeIfDue(client, locked, arriving.receivedAt) : locked;

  const place = await placeOf(client, attempt, arriving.stream, arriving.claimedEpoch);
  const operation: IncomingOperation = { ...arriving, stream: place.id, epoch: place.epoch };
  const context: Context = { client, deps, attempt, place, operation };
  // First, in the order of the one-statement way: two ways that lock in two orders would deadlock.
  await hear(client, attempt.id, place.id, arriving.head, arriving.receivedAt);
  return settle(context, arriving, effects);
}

async function settle(context: Context, arriving: Arriving, effects: Effects): Promise<Verdict> {
  const { client, attempt, place, operation } = context;
  const existing = await findOperation(client, attempt.id, operation.id);
  if (existing) return repeated(context, existing, effects);
  if (await sequenceIsTaken(context)) return refused('SEQUENCE_TAKEN', attempt.activeStream);
  await spareSequences(client, attempt.id, place.id, arriving.folded, 'folded');
  if (arriving.misfit) return enterRefused(context, arriving.misfit.code, arriving.misfit.details);
  return effects.accept(context);
}

async function sequenceIsTaken({ client, attempt, place, operation }: Context): Promise<boolean> {
  if (operation.sequence === null) return false;
  return isSequenceTaken(client, attempt.id, place.id, operation.sequence, operation.id);
}

/** Same id: the stored receipt, unless the body differs; a second sequence is consumed as well. */
async function repeated(context: Context, existing: Operation, effects: Effects): Promise<Verdict> {
  const { client, deps, attempt, place, operation } = context;
  const isSame = existing.kind === operation.kind && existing.bodyDigest.equals(operation.digest);
  if (!isSame) return refused('OPERATION_REUSED', attempt.activeStream);
  if (operation.sequence !== null && operation.sequence !== existing.sequence) {
    if (await sequenceIsTaken(context)) return refused('SEQUENCE_TAKEN', attempt.activeStream);
    await spareSequences(
      client,
      attempt.id,
      place.id,
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
export async function enterRefused(
  context: Context,
  code: ErrorCode,
  details?: unknown,
): Promise<Verdict> {
  const { attempt, operation } = context;
  if (operation.sequence !== null) {
    await enter(context, {
      outcome: 'refused',
      refusal: code,
      afterResult: false,
      receivedLate: false,
      writtenAt: null,
    });
  }
  return refused(code, attempt.activeStream, details ?? refusalDetails(code, attempt));
}

/** Enters an operation whose id and sequence were free a moment ago; a race with its twin starts over. */
export async function enter(context: Context, entry: Entry): Promise<Operation> {
  const entered = await enterOperation(
    context.client,
    context.attempt.id,
    context.operation,
    entry,
  );
  if (!entered) throw new NeedsExclusiveLock();
  return entered;
}

/** How an operation is judged by time, against the finish that counted, if there is one. */
export async function judge(context: Context): Promise<Entry> {
  const { attempt, operation, place } = context;
  const arrival = {
    receivedAt: operation.receivedAt.getTime(),
    ageMs: operation.ageMs,
    seenServerTime: operation.seenServerTime?.getTime() ?? null,
  };
  const resultVisible = await isResultSeen(context.client, attempt, operation.receivedAt);
  const against = await arrivalContext(context.client, attempt, place);
  const verdict = judgeArrival(arrival, { ...against, resultVisible });
  return {
    outcome: place.known ? verdict.outcome : 'held',
    afterResult: resultVisible,
    refusal: null,
    receivedLate: place.known ? verdict.receivedLate : true,
    writtenAt: verdict.writtenAt === null ? null : new Date(verdict.writtenAt),
  };
}

/** What an operation of a stream is judged against, apart from what its student could have seen. */
export async function arrivalContext(
  client: PoolClient,
  attempt: Attempt,
  place: Pick<StreamPlace, 'epoch' | 'beganAt'>,
): Promise<Omit<ArrivalContext, 'resultVisible'>> {
  return {
    time: attemptTime(attempt),
    epoch: place.epoch,
    streamBeganAt: place.beganAt.getTime(),
    finish: await countedFinish(client, attempt),
  };
}

/** The finish that ended the attempt; null while it runs or when the server closed it. */
async function countedFinish(client: PoolClient, attempt: Attempt): Promise<CountedFinish | null> {
  if (attempt.ended !== 'finished' || attempt.finishOperation === null) return null;
  const finish = await one<{ epoch: number; receivedAt: Date }>(
    client,
    'select epoch, received_at as "receivedAt" from operations where attempt_id = $1 and id = $2',
    [attempt.id, attempt.finishOperation],
  );
  return finish ? { epoch: finish.epoch, receivedAt: finish.receivedAt.getTime() } : null;
}
