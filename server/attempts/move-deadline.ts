import type { PoolClient } from 'pg';
import { movedDeadline } from '#domain/deadline.ts';
import type { Period } from '#domain/periods.ts';
import { actOnAttempt, recordAct } from '#server/admin/audit.ts';
import { execute, one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { laterAttempts, type Attempt } from '#server/passing/attempt.ts';
import { extendDeadline } from '#server/passing/extend.ts';

const MINUTE_MS = 60_000;

/** Records time of an attempt that nobody gives back any more. */
export async function settlePeriods(
  client: PoolClient,
  attemptId: string,
  periods: readonly Period[],
): Promise<void> {
  await execute(
    client,
    `insert into settled_periods (attempt_id, began_at, ended_at)
     select $1, began_at, ended_at from unnest($2::timestamptz[], $3::timestamptz[])
       as given (began_at, ended_at)`,
    [attemptId, periods.map(({ from }) => new Date(from)), periods.map(({ to }) => new Date(to))],
  );
}

/**
 * Adds minutes to a locked attempt, from its deadline or from now when that has passed.
 * @param reasons causes of lost time that the minutes give back, for the log
 * @throws {Refusal} GONE, NEXT_ATTEMPT_EXISTS, ATTEMPT_NOT_RUNNING, before anything is written
 */
export async function moveDeadline(
  client: PoolClient,
  deps: Pick<Deps, 'newId'>,
  attempt: Attempt,
  minutes: number,
  by: { at: Date; actorId: string },
  reasons?: string,
): Promise<Attempt> {
  if (attempt.deletedAt) throw new Refusal('GONE');
  const next = await one(
    client,
    `select 1 from attempts x where id = $1 and exists (${laterAttempts('x', '$2')})`,
    [attempt.id, by.at],
  );
  if (next) throw new Refusal('NEXT_ATTEMPT_EXISTS');
  if (attempt.ended === 'finished') throw new Refusal('ATTEMPT_NOT_RUNNING');
  const deadline = new Date(
    movedDeadline(attempt.deadline.getTime(), minutes * MINUTE_MS, by.at.getTime()),
  );
  // What passed since the old deadline was no time of the attempt.
  if (attempt.deadline < by.at)
    await settlePeriods(client, attempt.id, [
      { from: attempt.deadline.getTime(), to: by.at.getTime() },
    ]);
  const details = reasons === undefined ? { minutes } : { minutes, reasons };
  const act = { actorId: by.actorId, act: 'timeAdded', details } as const;
  await recordAct(client, deps, actOnAttempt(attempt, act), by.at);
  return extendDeadline(client, attempt, deadline, { reason: 'timeAdded', ...by });
}
