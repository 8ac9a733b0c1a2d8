import type { Receipt } from '#contract/passing.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import { classify, type Verdict } from './classify.ts';
import { POISONED_EVERY_MS } from './backoff.ts';
import type { Core } from './core.ts';
import { setReachability } from './exchange.ts';
import {
  acknowledge,
  countFailure,
  fillGaps,
  putAside,
  renumber,
  reopen,
  type Taken,
} from './settle.ts';
import type { Sent } from './transport.ts';

/** What one exchange added to a pass. */
export interface Tally {
  acknowledged: number;
  failed: number;
  setAside: number;
  /** Operations that failed by the server's or the way's fault, for the witness call. */
  readonly suspects: OperationRow[];
}

/** A failure that says nothing about the operation: wait, and count it if others got through. */
export async function holdBack(
  core: Core,
  key: string,
  operation: OperationRow | null,
  verdict: Verdict & { kind: 'retry' },
  tally: Tally,
): Promise<void> {
  const { runtime } = core;
  tally.failed += 1;
  if (verdict.cause === 'busy') {
    runtime.backoffs.holdAll(verdict.waitMs ?? undefined);
    return;
  }
  runtime.backoffs.failed(
    key,
    operation?.poisoned ? POISONED_EVERY_MS : (verdict.waitMs ?? undefined),
  );
  if (verdict.cause === 'network') runtime.backoffs.holdAll();
  if (verdict.cause === 'network' || !runtime.backoffs.allDue()) {
    setReachability(core, core.env.online?.() === false ? 'offline' : 'silent');
  }
  if (operation) await suspect(core, key, operation, tally);
}

async function suspect(
  core: Core,
  key: string,
  operation: OperationRow,
  tally: Tally,
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

export function pauseAll(core: Core, verdict: Verdict & { kind: 'pause' }, token: string): void {
  core.runtime.pause = { why: verdict.pause, token, at: core.env.clock.monotone() };
  core.emit({ kind: 'paused', pause: verdict.pause });
}

export async function refuse(
  core: Core,
  operation: OperationRow,
  refusal: { status: number; code: string; message: string },
  tally: Tally,
): Promise<void> {
  await putAside(core, operation.operationId, refusal);
  tally.setAside += 1;
  core.log({ event: 'setAside', operationId: operation.operationId, detail: refusal.code });
  const { attemptId, operationId } = operation;
  core.emit({ kind: 'setAside', attemptId, operationId });
}

/** Whether a reply is a receipt for this very operation. */
function names(receipt: Receipt, operation: OperationRow): boolean {
  return receipt.operationId === operation.operationId && receipt.stream === operation.stream;
}

const NOT_NAMED: Verdict & { kind: 'retry' } = {
  kind: 'retry',
  cause: 'server',
  timedOut: false,
  waitMs: null,
};

/** Does with an operation what the reply to it says. */
export async function applyReply(
  core: Core,
  taken: Taken,
  sent: Sent<Receipt>,
  token: string,
  tally: Tally,
): Promise<void> {
  const { operation } = taken;
  const key = operation.operationId;
  if (sent.ok) {
    if (!names(sent.value, operation)) return holdBack(core, key, operation, NOT_NAMED, tally);
    const how = await acknowledge(core, taken, sent.value, sent.facts);
    core.runtime.backoffs.succeeded(key);
    if (how === 'stale') return undefined;
    tally.acknowledged += 1;
    return tell(core, operation, sent.value);
  }
  const verdict = classify(sent.failure);
  switch (verdict.kind) {
    case 'retry':
      return holdBack(core, key, operation, verdict, tally);
    case 'pause':
      return pauseAll(core, verdict, token);
    case 'setAside':
      return refuse(core, operation, verdict, tally);
    case 'renumber':
      return renumber(core, key);
    case 'incomplete': {
      const isChanged = await fillGaps(core, operation, verdict.missing, verdict.files);
      return isChanged ? undefined : holdBack(core, key, null, NOT_NAMED, tally);
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
      return holdBack(core, key, operation, NOT_NAMED, tally);
  }
}

function tell(core: Core, operation: OperationRow, receipt: Receipt): void {
  if (operation.kind !== 'finish') return;
  const { attemptId } = operation;
  core.emit({ kind: receipt.outcome === 'superseded' ? 'takenOver' : 'finished', attemptId });
}
