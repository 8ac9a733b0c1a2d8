import { judgeArrival } from '#domain/lateness.ts';
import { one } from '#server/db/query.ts';
import { isResultSeen } from '#server/tests/visible.ts';
import { applyStored, rescore } from './counting.ts';
import { applyEarlyFinish } from './finish.ts';
import { assertInvariant } from './invariant.ts';
import { OPERATION_COLUMNS, receiptOf, type Operation } from './journal.ts';
import {
  arrivalContext,
  journalOperation,
  judge,
  type Context,
  type Effects,
} from './operation.ts';
import { readStreamPosition } from './streams.ts';
import type { AnswerVerdict } from './verdict.ts';

async function accept(context: Context): Promise<AnswerVerdict> {
  const { client, deps, attempt, operation } = context;
  let entered = await journalOperation(context, await judge(context));
  if (entered.outcome === 'stored') {
    entered = await applyStored(client, entered);
    if (attempt.ended !== null) await rescore(client, attempt, 'lateAnswer', operation.receivedAt);
  }
  assertInvariant(entered.outcome !== 'refused', 'an accepted answer is not refused');
  const receipt = receiptOf(deps.state.sealKey, attempt, entered);
  return { kind: 'receipt', receipt, activeStream: attempt.activeStream };
}

/**
 * A repeat with an earlier time of writing may turn `held` into `stored`, never the reverse (server rule 6). It never
 * does once the result could be seen: otherwise the student could choose among earlier answers.
 */
async function repeat(context: Context, existing: Operation): Promise<Operation | null> {
  const { client, attempt, operation } = context;
  const isOpen = existing.outcome === 'held' && existing.decision === null;
  if (!isOpen || existing.afterResult || operation.ageMs === 'unknown') return null;
  // The stream it was journalled under, whichever stream this repeat names.
  const streamPosition = await readStreamPosition(client, attempt, existing.stream, existing.epoch);
  if (!streamPosition.known || (await isResultSeen(client, attempt, operation.receivedAt)))
    return null;
  const writtenBy = operation.receivedAt.getTime() - operation.ageMs;
  const receivedAt = existing.receivedAt.getTime();
  const arrival = {
    receivedAt,
    ageMs: Math.max(0, receivedAt - writtenBy),
    seenServerTime: existing.seenServerAt?.getTime() ?? null,
  };
  const against = await arrivalContext(client, attempt, streamPosition);
  const verdict = judgeArrival(arrival, { ...against, resultVisible: false });
  const isEarlier =
    verdict.writtenAt !== null &&
    (existing.writtenAt === null || verdict.writtenAt < existing.writtenAt.getTime());
  if (verdict.outcome !== 'stored' || !isEarlier) return null;
  const stored = await one<Operation>(
    client,
    `update operations set outcome = 'stored', received_late = true, written_at = $3
     where attempt_id = $1 and id = $2 returning ${OPERATION_COLUMNS}`,
    [attempt.id, existing.id, new Date(verdict.writtenAt)],
  );
  if (!stored) return null;
  assertInvariant(
    stored.sequence === existing.sequence && stored.bodyDigest.equals(operation.digest),
    'a repeat changes neither the sequence nor the text',
  );
  const settled = await applyStored(client, stored);
  if (attempt.ended !== null) await rescore(client, attempt, 'lateAnswer', operation.receivedAt);
  return settled;
}

/** It may be what an early finish waited for, even if it is held, refused or a repeat. */
async function conclude({ client, attempt, operation, streamPosition }: Context): Promise<void> {
  if (streamPosition.finishWaits) await applyEarlyFinish(client, attempt.id, operation.receivedAt);
}

export const answerEffects: Effects = { accept, repeat, conclude };
