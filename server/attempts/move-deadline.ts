import type { PoolClient } from 'pg';
import { movedDeadline } from '#domain/deadline.ts';
import { actOnAttempt, recordAct } from '#server/admin/audit.ts';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Attempt } from '#server/passing/attempt.ts';
import { extendDeadline } from '#server/passing/extend.ts';

const MINUTE_MS = 60_000;

/**
 * Adds minutes to a locked attempt, from its deadline or from now when that has passed.
 * @throws {Refusal} GONE, NEXT_ATTEMPT_EXISTS, ATTEMPT_NOT_RUNNING, before anything is written
 */
export async function moveDeadline(
  client: PoolClient,
  deps: Pick<Deps, 'newId'>,
  attempt: Attempt,
  minutes: number,
  by: { at: Date; actorId: string },
): Promise<Attempt> {
  if (attempt.deletedAt) throw new Refusal('GONE');
  const next = await one(
    client,
    `select 1 from attempts where test_id = $1 and user_id = $2 and number > $3 and deleted_at is null`,
    [attempt.testId, attempt.userId, attempt.number],
  );
  if (next) throw new Refusal('NEXT_ATTEMPT_EXISTS');
  if (attempt.ended === 'finished') throw new Refusal('ATTEMPT_NOT_RUNNING');
  const deadline = new Date(
    movedDeadline(attempt.deadline.getTime(), minutes * MINUTE_MS, by.at.getTime()),
  );
  const act = { actorId: by.actorId, act: 'timeAdded', details: { minutes } } as const;
  await recordAct(client, deps, actOnAttempt(attempt, act), by.at);
  return extendDeadline(client, attempt, deadline, { reason: 'timeAdded', ...by });
}
