import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import type { OutboxLog } from './environment.ts';
import type { OperationEvent } from './transition.ts';

/**
 * What must hold whatever the server, the browser or another page does. A broken one is a bug of the outbox. It is
 * reported and changes nothing: an exception here would lose the answer that is being stored.
 */

export const BROKEN_INVARIANT = 'brokenInvariant';

export type InvariantLog = (event: OutboxLog) => void;

/** @param invariant the rule, for the log and the simulation */
export function checkInvariant(
  log: InvariantLog,
  holds: boolean,
  invariant: string,
  operationId?: string,
): void {
  if (!holds)
    log({ event: BROKEN_INVARIANT, detail: invariant, ...(operationId && { operationId }) });
}

type Check = readonly [holds: boolean, invariant: string];

function checkAll(log: InvariantLog, checks: readonly Check[], operationId?: string): void {
  for (const [holds, invariant] of checks) checkInvariant(log, holds, invariant, operationId);
}

/** Checks one step of an operation, see `transition`. */
export function checkTransition(
  log: InvariantLog,
  before: OperationRow,
  event: OperationEvent,
  after: OperationRow,
): void {
  const { receipt, state } = after;
  const checks: readonly Check[] = [
    [
      after.operationId === before.operationId &&
        after.owner === before.owner &&
        after.stream === before.stream &&
        after.answer === before.answer,
      'an operation keeps its content',
    ],
    [
      before.state !== 'acknowledged' || event.kind === 'resend',
      'an acknowledged operation is only sent again',
    ],
    [
      state !== 'acknowledged' || receipt?.operationId === after.operationId,
      'a receipt names its operation',
    ],
    [state !== 'setAside' || after.refusal !== null, 'an operation set aside has a refusal'],
    [
      state !== 'folded' || (after.foldedInto ?? after.operationId) !== after.operationId,
      'a folded operation names another one',
    ],
    [state !== 'folded' || after.kind === 'answer', 'only an answer is folded'],
    [!after.poisoned || after.kind === 'answer', 'a finish is never poisoned'],
    [
      event.kind !== 'renumber' || after.sequence > before.sequence,
      'a new sequence is higher than the former one',
    ],
  ];
  checkAll(log, checks, before.operationId);
}

/** Checks a change of an attempt's row. */
export function checkAttemptChange(log: InvariantLog, before: AttemptRow, after: AttemptRow): void {
  const isRetained = before.streams.every((old) =>
    after.streams.some((one) => one.stream === old.stream && one.nextSequence >= old.nextSequence),
  );
  const checks: readonly Check[] = [
    [after.owner === before.owner, 'an attempt keeps its owner'],
    [
      after.deadline >= before.deadline && after.countsUntil >= before.countsUntil,
      'a deadline never moves earlier',
    ],
    [isRetained, 'no stream is lost or counts back'],
    [
      before.state !== 'finished' || after.state === 'finished' || after.stream !== before.stream,
      'a finished stream stays finished',
    ],
    [
      after.state !== 'finished' || before.state === 'finished' || after.finishedAt !== null,
      'an attempt is finished at a known time',
    ],
  ];
  checkAll(log, checks);
}

/** Checks a new operation against those stored for its attempt. */
export function checkAppended(
  log: InvariantLog,
  operation: OperationRow,
  stored: readonly OperationRow[],
): void {
  const own = stored.filter(
    ({ owner, stream }) => owner === operation.owner && stream === operation.stream,
  );
  checkInvariant(
    log,
    own.every((one) => one.sequence < operation.sequence),
    'a new operation has the highest sequence of its stream',
    operation.operationId,
  );
}
