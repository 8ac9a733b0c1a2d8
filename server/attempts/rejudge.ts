import type { PoolClient } from 'pg';
import { judgeArrival } from '#domain/lateness.ts';
import { execute } from '#server/db/query.ts';
import { attemptTime, type Attempt } from '#server/passing/attempt.ts';
import { rebuildAnswers } from '#server/passing/counting.ts';
import { journalledAnswers } from '#server/passing/journal.ts';
import { countedFinish } from '#server/passing/operation.ts';

/** Judges undecided held answers again under the attempt's present deadline (server rule 5). */
export async function rejudgeHeld(client: PoolClient, attempt: Attempt): Promise<void> {
  const finish = await countedFinish(client, attempt);
  const known = await client.query<{ id: string }>('select id from streams where attempt_id = $1', [
    attempt.id,
  ]);
  const streams = new Set(known.rows.map((row) => row.id));
  for (const operation of await journalledAnswers(client, attempt.id)) {
    const isOpen = operation.outcome === 'held' && operation.decision === null;
    if (!isOpen || !streams.has(operation.stream)) continue;
    const verdict = judgeArrival(
      {
        receivedAt: operation.receivedAt.getTime(),
        ageMs: operation.ageMs ?? 'unknown',
        seenServerTime: operation.seenServerAt?.getTime() ?? null,
      },
      operation.epoch,
      attemptTime(attempt),
      finish,
    );
    if (verdict.outcome !== 'stored') continue;
    await execute(
      client,
      `update operations set outcome = 'stored', received_late = $3 where attempt_id = $1 and id = $2`,
      [attempt.id, operation.id, verdict.receivedLate],
    );
  }
  await rebuildAnswers(client, attempt.id);
}
