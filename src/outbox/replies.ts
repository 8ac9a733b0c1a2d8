import { createModuleLoader } from '#app/lazy/module-loader.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import type { Receipt } from '#contract/passing.ts';
import { attemptsOf } from './attempts.ts';
import type { Core } from './core.ts';
import { setReachability } from './exchange.ts';
import { POISONED_EVERY_MS } from './plan.ts';
import {
  type ClaimedOperation,
  acknowledge,
  countFailure,
  renumber,
  reopen,
  setOperationAside,
} from './settle.ts';
import type { OperationRefusal } from './transition.ts';
import { type CallResult, type FailureVerdict, classify, RETRY_LATER } from './transport.ts';

/**
 * The consequences of the server's reply, or of none: the row's next event, back-off, pause, and events for the page.
 */

/** Counts and suspects of all exchanges of one pass. */
export interface FlushSummary {
  acknowledged: number;
  failed: number;
  setAside: number;
  /** Operations that failed because of the server or the network; checked by the health probe. */
  readonly suspects: OperationRow[];
}

/** The failure says nothing about the operation: back off, and count it only if other calls succeeded. */
export async function scheduleRetry(
  core: Core,
  key: string,
  operation: OperationRow | null,
  verdict: FailureVerdict & { kind: 'retry' },
  tally: FlushSummary,
): Promise<void> {
  const { runtime } = core;
  tally.failed += 1;
  const waitMs = verdict.waitMs === null ? undefined : await limitWait(core, verdict.waitMs);
  if (verdict.cause === 'busy') {
    runtime.backoffs.delayAll(waitMs);
    return;
  }
  runtime.backoffs.failed(key, operation?.poisoned ? POISONED_EVERY_MS : undefined);
  if (waitMs !== undefined) runtime.backoffs.postpone(key, waitMs);
  if (verdict.cause === 'network') runtime.backoffs.delayAll();
  if (!runtime.backoffs.allDue()) {
    setReachability(core, core.env.online?.() === false ? 'offline' : 'silent');
  }
  // A time-out shows that the line is slow, and nothing about the operation.
  if (operation && !verdict.timedOut) await suspect(core, key, operation, tally);
}

/** A requested wait ends this long before a deadline: a call with its time-out fits in, and a class is spread. */
const RESERVED_MS = 10_000;
const SPREAD_MS = 20_000;

/** The wait that a reply requests, limited to the next deadline or end of acceptance of an open attempt. */
async function limitWait(core: Core, waitMs: number): Promise<number> {
  const owner = core.runtime.session?.owner;
  const now = core.clock.serverNow();
  if (owner === undefined || now === null) return waitMs;
  const attempts = await attemptsOf(core, owner);
  const ends = attempts
    .filter(({ state, gone }) => state !== 'finished' && !gone)
    .flatMap(({ deadline, countsUntil }) => [deadline, countsUntil])
    .filter((at) => at > now);
  const left = Math.min(...ends) - now - RESERVED_MS - core.env.random() * SPREAD_MS;
  return Math.min(waitMs, Math.max(0, left));
}

async function suspect(
  core: Core,
  key: string,
  operation: OperationRow,
  tally: FlushSummary,
): Promise<void> {
  const { runtime } = core;
  tally.suspects.push(operation);
  const othersSucceeded = runtime.successes > (runtime.seenSuccesses.get(key) ?? 0);
  runtime.seenSuccesses.set(key, runtime.successes);
  if (!othersSucceeded || !(await countFailure(core, operation))) return;
  runtime.backoffs.failed(key, POISONED_EVERY_MS);
  tally.setAside += 1;
  core.log({ event: 'poisoned', operationId: operation.operationId });
  core.emit({
    kind: 'setAside',
    attemptId: operation.attemptId,
    operationId: operation.operationId,
  });
}

export function pauseAll(
  core: Core,
  verdict: FailureVerdict & { kind: 'pause' },
  token: string,
): void {
  core.runtime.pause = { why: verdict.pause, token, at: core.env.clock.monotone() };
  core.emit({ kind: 'paused', pause: verdict.pause });
}

export async function refuse(
  core: Core,
  operation: OperationRow,
  refusal: OperationRefusal,
  tally: FlushSummary,
): Promise<void> {
  await setOperationAside(core, operation.operationId, refusal);
  tally.setAside += 1;
  core.log({ event: 'setAside', operationId: operation.operationId, detail: refusal.code });
  const { attemptId, operationId } = operation;
  core.emit({ kind: 'setAside', attemptId, operationId });
}

/** Whether the receipt belongs to this operation. */
export function isReceiptOf(receipt: Receipt, operation: OperationRow): boolean {
  return receipt.operationId === operation.operationId && receipt.stream === operation.stream;
}

/** Counts time-outs in a row; any reply ends the row. */
function noteTimeOut({ runtime }: Core, key: string, sent: CallResult<Receipt>): void {
  if (!sent.ok && sent.failure.timedOut) {
    runtime.timeOuts.set(key, (runtime.timeOuts.get(key) ?? 0) + 1);
  } else if (sent.ok) runtime.timeOuts.delete(key);
}

// Lazy: the server seldom misses anything.
const loadFillGaps = createModuleLoader(() => import('./fill-gaps.ts'));

/** Applies the server's reply to the stored operation. */
export async function applyReply(
  core: Core,
  claimed: ClaimedOperation,
  sent: CallResult<Receipt>,
  token: string,
  tally: FlushSummary,
): Promise<void> {
  const { operation } = claimed;
  const key = operation.operationId;
  noteTimeOut(core, key, sent);
  if (sent.ok) {
    if (!isReceiptOf(sent.value, operation))
      return scheduleRetry(core, key, operation, RETRY_LATER, tally);
    const how = await acknowledge(core, claimed, sent.value, sent.facts);
    core.runtime.backoffs.succeeded(key);
    if (how === 'stale') return undefined;
    tally.acknowledged += 1;
    return announceFinish(core, operation, sent.value);
  }
  const verdict = classify(sent.failure);
  switch (verdict.kind) {
    case 'retry':
      return scheduleRetry(core, key, operation, verdict, tally);
    case 'pause':
      return pauseAll(core, verdict, token);
    case 'setAside':
      return refuse(core, operation, verdict, tally);
    case 'renumber':
      if (await renumber(core, key)) return undefined;
      // Its attempt is lost.
      return scheduleRetry(core, key, null, RETRY_LATER, tally);
    case 'incomplete': {
      const { fillGaps } = await loadFillGaps();
      const isChanged = await fillGaps(core, operation, verdict.missing, verdict.files);
      return isChanged ? undefined : scheduleRetry(core, key, null, RETRY_LATER, tally);
    }
    case 'deadlineMoved':
      await reopen(core, operation, verdict.deadline);
      core.emit({
        kind: 'deadlineMoved',
        attemptId: operation.attemptId,
        deadline: verdict.deadline,
      });
      return undefined;
    case 'outOfPlace':
    case 'mismatch':
      return scheduleRetry(core, key, operation, RETRY_LATER, tally);
  }
}

export function announceFinish(core: Core, operation: OperationRow, receipt: Receipt): void {
  if (operation.kind !== 'finish') return;
  const { attemptId } = operation;
  core.emit({ kind: receipt.outcome === 'superseded' ? 'takenOver' : 'finished', attemptId });
}
