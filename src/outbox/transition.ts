import type { Receipt } from '#contract/passing.ts';
import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import { POISONED_AFTER } from './plan.ts';

/**
 * The states of an operation. Its content never changes; everything else does so only here.
 *
 *                     unfold
 *            ┌──────────────────────┐
 *            ▼    fold, foldTaken   │
 *   write ▶ waiting ───────────▶ folded        a newer answer stands for it
 *            │ ▲ │
 *            │ │ └──── drop ────▶ dropped       a finish from before a moved deadline
 *            │ │
 *            │ ├── retry ◀─┐
 *            │ └─ refuse ──▶ setAside           visible, in the export, declared by the finish
 *            │
 *            └── receipt ──▶ acknowledged       the only success; a finish that was held may be dropped
 *                  resend ◀──┘                  a restored server or INCOMPLETE asks again
 *
 * Within `waiting`: `claim` marks it as sent, `fail` counts up to `poisoned`, from which `progress` and
 * `retry` lead back; `renumber` changes its sequence; `staleReceipt` adds a receipt that proves nothing yet.
 * A receipt also acknowledges what was set aside meanwhile: the server has it. A held one leaves a dropped finish so.
 */
export type OperationEvent =
  /** A newer answer to its question was written. */
  | { readonly kind: 'fold'; readonly into: string }
  /** Its sequence belongs to another operation, and a newer answer to its question exists. */
  | { readonly kind: 'foldTaken'; readonly into: string }
  /** The answer that it is folded into was refused or poisoned. */
  | { readonly kind: 'unfold' }
  | { readonly kind: 'claim' }
  | { readonly kind: 'receipt'; readonly receipt: Receipt; readonly serverEpoch: number | null }
  /** A receipt from before a restore. */
  | { readonly kind: 'staleReceipt'; readonly receipt: Receipt }
  | { readonly kind: 'refuse'; readonly refusal: OperationRefusal }
  /** A failure while other calls succeeded. */
  | { readonly kind: 'fail' }
  /** Bytes of its file arrived: whatever failed before says nothing any more. */
  | { readonly kind: 'progress' }
  | { readonly kind: 'renumber'; readonly sequence: number }
  | { readonly kind: 'resend' }
  /** The user requested it, or the app was opened. */
  | { readonly kind: 'retry' }
  /** For a finish: the deadline was moved, in server time. */
  | { readonly kind: 'drop'; readonly deadline: number };

export interface OperationRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const FRESH = { failures: 0, poisoned: false, refusal: null } as const;

/** The row after the event; null when the event does not concern a row in this state. */
export function transition(row: OperationRow, event: OperationEvent): OperationRow | null {
  const isWaiting = row.state === 'waiting';
  switch (event.kind) {
    case 'receipt': {
      const { receipt, serverEpoch } = event;
      // A held finish has ended nothing, so one that was dropped since stays so.
      const isPast = row.state === 'dropped' && receipt.outcome === 'held';
      if (row.state === 'acknowledged' || isPast) return null;
      const acknowledgedAt = Date.parse(receipt.receivedAt);
      return { ...row, ...FRESH, state: 'acknowledged', receipt, acknowledgedAt, serverEpoch };
    }
    case 'staleReceipt':
      return row.state === 'acknowledged' ? null : { ...row, receipt: event.receipt };
    case 'unfold':
      return row.state === 'folded' ? { ...row, state: 'waiting', foldedInto: null } : null;
    case 'resend':
      return isWaiting || row.state === 'acknowledged'
        ? { ...row, state: 'waiting', sent: true }
        : null;
    case 'retry':
      return row.state === 'setAside' || row.poisoned
        ? { ...row, ...FRESH, state: 'waiting' }
        : null;
    case 'drop':
      // A held finish has ended nothing.
      return isWaiting || (row.state === 'acknowledged' && row.receipt?.outcome === 'held')
        ? { ...row, state: 'dropped' }
        : null;
    case 'progress':
      return row.poisoned || row.failures > 0 ? { ...row, poisoned: false, failures: 0 } : null;
    default:
      return isWaiting ? whileWaiting(row, event) : null;
  }
}

type WaitingEvent = Extract<
  OperationEvent,
  { kind: 'fold' | 'foldTaken' | 'claim' | 'refuse' | 'fail' | 'renumber' }
>;

function whileWaiting(row: OperationRow, event: WaitingEvent): OperationRow | null {
  switch (event.kind) {
    case 'fold':
      // A sent operation may be on the server, so it must not be folded.
      return row.sent || row.receipt ? null : { ...row, state: 'folded', foldedInto: event.into };
    case 'foldTaken':
      return { ...row, state: 'folded', foldedInto: event.into };
    case 'claim':
      return { ...row, sent: true };
    case 'refuse':
      return { ...row, state: 'setAside', refusal: event.refusal };
    case 'fail': {
      const failures = row.failures + 1;
      // A finish is never poisoned: nothing could replace it.
      const isPoisoned = row.kind === 'answer' && failures >= POISONED_AFTER;
      return { ...row, failures, poisoned: row.poisoned || isPoisoned };
    }
    case 'renumber': {
      const formerSequences = [...row.formerSequences, row.sequence];
      return { ...row, sequence: event.sequence, formerSequences };
    }
  }
}

/** The attempt after an event of one of its operations; the same object when nothing changes. */
export function attemptAfter(
  attempt: AttemptRow,
  operation: OperationRow,
  event: OperationEvent,
): AttemptRow {
  switch (event.kind) {
    case 'receipt':
      return afterReceipt(attempt, operation, event.receipt);
    case 'refuse': {
      if (event.refusal.code === 'GONE') return { ...attempt, gone: true };
      // A refused finish reopens the inputs, so that another one can be written.
      const isOpened = attempt.state === 'finishing' && operation.kind === 'finish';
      return isOpened ? { ...attempt, state: 'running' } : attempt;
    }
    case 'retry': {
      const isClosed = attempt.state === 'running' && attempt.stream === operation.stream;
      return isClosed && operation.kind === 'finish' ? { ...attempt, state: 'finishing' } : attempt;
    }
    case 'drop': {
      // A deadline that is no number is not later: stored, it would make the row unreadable.
      const moved = event.deadline > attempt.deadline ? event.deadline - attempt.deadline : 0;
      const wasHeld = operation.receipt?.outcome === 'held';
      return {
        ...attempt,
        state: attempt.state === 'finishing' || wasHeld ? 'running' : attempt.state,
        finishedAt: wasHeld ? null : attempt.finishedAt,
        deadline: attempt.deadline + moved,
        countsUntil: attempt.countsUntil + moved,
      };
    }
    default:
      return attempt;
  }
}

function afterReceipt(attempt: AttemptRow, operation: OperationRow, receipt: Receipt): AttemptRow {
  const here = { ...attempt, gone: false };
  if (operation.kind !== 'finish') return here;
  const isCurrent = operation.stream === attempt.stream;
  // What goes on in another stream since is ended only by what counts.
  if (receipt.outcome !== 'stored' && !isCurrent) return here;
  // A device that no longer owns the attempt cannot finish it.
  if (receipt.outcome === 'superseded')
    return attempt.state === 'finished' ? here : { ...here, state: 'running', takenOver: true };
  return { ...here, state: 'finished', finishedAt: Date.parse(receipt.receivedAt) };
}
