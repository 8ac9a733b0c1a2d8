import type { PoolClient } from 'pg';
import { missingSequences } from '#domain/barrier.ts';
import { execute, one } from '#server/db/query.ts';
import { attemptClosesAt, lockAttempt } from '#server/passing/attempt.ts';
import { endByFinish } from '#server/passing/close.ts';
import { rescore } from '#server/passing/counting.ts';
import { missingFiles } from '#server/passing/finish.ts';
import { accountedSequences, OPERATION_COLUMNS, type Operation } from '#server/passing/journal.ts';

/**
 * A finish that arrived before its stream was known ends the attempt now, if nothing of the stream is missing. Returns
 * whether it did.
 */
export async function applyEarlyFinish(
  client: PoolClient,
  attemptId: string,
  now: Date,
): Promise<boolean> {
  const attempt = await lockAttempt(client, attemptId, 'update');
  if (!attempt || attempt.ended === 'finished') return false;
  const stream = attempt.activeStream;
  const finish = await one<Operation>(
    client,
    `select ${OPERATION_COLUMNS} from operations
     where attempt_id = $1 and stream = $2 and kind = 'finish' and outcome in ('superseded', 'held')
       and received_at < $3
     order by ordinal desc limit 1`,
    [attemptId, stream, attemptClosesAt(attempt)],
  );
  if (!finish || finish.sequence === null) return false;
  const accounted = await accountedSequences(client, attemptId, stream);
  if (missingSequences(finish.sequence, accounted, 1).length > 0) return false;
  if ((await missingFiles(client, attemptId, stream)).length > 0) return false;
  await execute(
    client,
    `update operations set outcome = 'stored' where attempt_id = $1 and id = $2`,
    [attemptId, finish.id],
  );
  await endByFinish(client, attempt, { ...finish, outcome: 'stored' });
  await rescore(client, attempt, 'finished', now);
  return true;
}
