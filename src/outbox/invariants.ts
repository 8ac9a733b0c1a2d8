import { hasEstimateAgain } from '#app/storage/merge.ts';
import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import type { OutboxLog } from './environment.ts';
import type { OperationEvent } from './transition.ts';

/**
 * What must hold whatever the server, the browser or another page does. A broken one is a bug of the outbox. It is
 * reported and changes nothing: an exception here would lose the answer that is being stored.
 */

export const BROKEN_INVARIANT = 'brokenInvariant';

export type InvariantLog = (event: OutboxLog) => void;

/** @param invariant its name, for the log and the simulation */
export function checkInvariant(
  log: InvariantLog,
  holds: boolean,
  invariant: string,
  operationId?: string,
): void {
  if (!holds)
    log({ event: BROKEN_INVARIANT, detail: invariant, ...(operationId && { operationId }) });
}

function checkAll(
  log: InvariantLog,
  invariants: Readonly<Record<string, boolean>>,
  operationId?: string,
): void {
  for (const [name, holds] of Object.entries(invariants))
    checkInvariant(log, holds, name, operationId);
}

/** Checks one step of an operation, see `transition`. */
export function checkTransition(
  log: InvariantLog,
  before: OperationRow,
  event: OperationEvent,
  after: OperationRow,
): void {
  const { kind, operationId, state } = after;
  const isAnswer = kind === 'answer';
  const isFolded = state === 'folded';
  const invariants = {
    contentStays:
      operationId === before.operationId &&
      after.owner === before.owner &&
      after.stream === before.stream &&
      after.answer === before.answer,
    // Once acknowledged it is only sent again, or dropped if it was held.
    acknowledgedStays:
      before.state !== 'acknowledged' ||
      event.kind === 'resend' ||
      (event.kind === 'drop' && before.receipt?.outcome === 'held'),
    receiptNamesOperation: state !== 'acknowledged' || after.receipt?.operationId === operationId,
    setAsideHasRefusal: state !== 'setAside' || after.refusal !== null,
    foldedNamesAnother: !isFolded || (after.foldedInto ?? operationId) !== operationId,
    finishIsNotFolded: !isFolded || isAnswer,
    finishIsNotPoisoned: !after.poisoned || isAnswer,
    renumberGoesUp: event.kind !== 'renumber' || after.sequence > before.sequence,
  };
  checkAll(log, invariants, operationId);
}

/** Checks a change of an attempt's row. */
export function checkAttemptChange(log: InvariantLog, before: AttemptRow, after: AttemptRow): void {
  const isFinished = after.state === 'finished';
  const wasFinished = before.state === 'finished';
  // While the teacher decides on its begin, a deadline that moves reopens it.
  const mayReopen =
    before.begin?.state === 'held' && after.deadline > (before.finishedAt ?? Infinity);
  const isFirstReply = before.begin?.estimate !== after.begin?.estimate;
  const wasEstimate = isFirstReply || hasEstimateAgain(before);
  checkAll(log, {
    ownerStays: after.owner === before.owner,
    deadlineNeverEarlier:
      wasEstimate || (after.deadline >= before.deadline && after.countsUntil >= before.countsUntil),
    streamsStay: before.streams.every((old) =>
      after.streams.some(
        (one) => one.stream === old.stream && one.nextSequence >= old.nextSequence,
      ),
    ),
    finishedStays: !wasFinished || isFinished || after.stream !== before.stream || mayReopen,
    acceptedBeginStays: before.begin?.state !== 'accepted' || after.begin?.state === 'accepted',
    finishHasTime: !isFinished || wasFinished || after.finishedAt !== null,
  });
}

/** Checks a new operation against those stored for its attempt. */
export function checkAppended(
  log: InvariantLog,
  { operationId, owner, stream, sequence }: OperationRow,
  stored: readonly OperationRow[],
): void {
  const isHighest = stored.every(
    (one) => one.owner !== owner || one.stream !== stream || one.sequence < sequence,
  );
  checkInvariant(log, isHighest, 'newSequenceIsHighest', operationId);
}
