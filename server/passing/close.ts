import type { Pool, PoolClient } from 'pg';
import { attemptClosesAt, lockAttempt, type Attempt } from './attempt.ts';
import { rows, transaction } from '#server/db/query.ts';
import { rescore } from './counting.ts';

/** Ends an attempt that nobody finished once its window is past (server rule 7). Returns it as it is now. */
export async function closeIfDue(
  client: PoolClient,
  attempt: Attempt,
  now: Date,
): Promise<Attempt> {
  const due = attemptClosesAt(attempt);
  if (attempt.ended !== null || now < due) return attempt;
  const locked = await lockAttempt(client, attempt.id, 'update');
  if (!locked) return attempt;
  if (locked.ended !== null || now < attemptClosesAt(locked)) return locked;
  await client.query(`update attempts set ended = 'closed', ended_at = $2 where id = $1`, [
    locked.id,
    due,
  ]);
  await rescore(client, locked, 'closed', now);
  return { ...locked, ended: 'closed', endedAt: due };
}

/** The same in a transaction of its own, for readers. */
export async function closedIfDue(pool: Pool, attempt: Attempt, now: Date): Promise<Attempt> {
  if (attempt.ended !== null || now < attemptClosesAt(attempt)) return attempt;
  return transaction(pool, (client) => closeIfDue(client, attempt, now));
}

/**
 * Closes all attempts that are due, oldest first, each in its own transaction. Returns how many.
 * One that cannot be closed does not keep the others open; its error is thrown at the end.
 * @param testId of this test alone, before its attempts are listed
 */
export async function closeDueAttempts(
  pool: Pool,
  now: Date,
  testId: string | null = null,
): Promise<number> {
  const due = await rows<{ id: string }>(
    pool,
    `select id from attempts
     where ended is null and deleted_at is null and ($2::uuid is null or test_id = $2)
       and deadline + greatest(late_window_seconds, 60) * interval '1 second' <= $1
     order by deadline limit 500`,
    [now, testId],
  );
  let closed = 0;
  const failures: unknown[] = [];
  for (const { id } of due) {
    try {
      const attempt = await transaction(pool, async (client) => {
        const locked = await lockAttempt(client, id, 'update');
        return locked ? closeIfDue(client, locked, now) : null;
      });
      if (attempt?.ended === 'closed') closed += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some attempts could not be closed');
  return closed;
}
