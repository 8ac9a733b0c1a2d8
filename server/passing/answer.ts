import { one } from '#server/db/query.ts';
import { judgeArrival } from '#domain/lateness.ts';
import { attemptTime } from './attempt.ts';
import { applyAnswer, rescore } from './counting.ts';
import { OPERATION_COLUMNS, receiptOf, type Entry, type Operation } from './journal.ts';
import { countedFinish, enter, judge, type Context, type Effects } from './operation.ts';
import type { Verdict } from './verdict.ts';

/** Whether a greater answer to the same question stands already (server rule 3). */
async function isLesser({ client, attempt, operation }: Context): Promise<boolean> {
  if (operation.sequence === null) {
    const newer = await one(
      client,
      'select 1 from answers where attempt_id = $1 and question_id = $2 and epoch > $3',
      [attempt.id, operation.questionId, operation.epoch],
    );
    return newer !== null;
  }
  const greater = await one(
    client,
    `select 1 from answers
     where attempt_id = $1 and question_id = $2 and (epoch, rank) > ($3::integer, $4::integer)`,
    [attempt.id, operation.questionId, operation.epoch, operation.sequence],
  );
  return greater !== null;
}

async function accept(context: Context): Promise<Verdict> {
  const { client, deps, attempt, operation } = context;
  const judged = await judge(context);
  const entry: Entry =
    judged.outcome === 'stored' && (await isLesser(context))
      ? { ...judged, outcome: 'superseded' }
      : judged;
  const entered = await enter(context, entry);
  if (entered.outcome === 'stored') {
    await applyAnswer(client, entered);
    if (attempt.ended !== null) await rescore(client, attempt, 'lateAnswer', operation.receivedAt);
  }
  const receipt = receiptOf(deps.state.sealKey, attempt, entered);
  return { kind: 'receipt', receipt, activeStream: attempt.activeStream };
}

/** A repeat with an earlier written may turn `held` into `stored`, never the reverse (server rule 6). */
async function repeat(context: Context, existing: Operation): Promise<Operation | null> {
  const { client, attempt, operation, place } = context;
  const isOpen = existing.outcome === 'held' && existing.decision === null && place.known;
  if (!isOpen || operation.ageMs === 'unknown') return null;
  const writtenBy = operation.receivedAt.getTime() - operation.ageMs;
  const receivedAt = existing.receivedAt.getTime();
  const arrival = {
    receivedAt,
    ageMs: Math.max(0, receivedAt - writtenBy),
    seenServerTime: existing.seenServerAt?.getTime() ?? null,
  };
  const finish = await countedFinish(client, attempt);
  const verdict = judgeArrival(arrival, place.epoch, attemptTime(attempt), finish);
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
  await applyAnswer(client, stored);
  if (attempt.ended !== null) await rescore(client, attempt, 'lateAnswer', operation.receivedAt);
  return stored;
}

export const answerEffects: Effects = { accept, repeat };
