import type { Pool } from 'pg';
import { execute, rows } from '#server/db/query.ts';
import { pauseBetween, type StopSignal } from './batches.ts';

/** Attempts with a hundred journalled answers each: a batch locks for milliseconds. */
const ATTEMPTS_A_BATCH = 20;
const STRAYS_A_BATCH = 500;

/**
 * Attempts $1 that can be deleted: ended or deleted before the time, with nothing pending. A held answer awaits
 * a decision; an incomplete mark awaits a grade.
 */
const DONE = `
select a.id from attempts a join test_contents c on c.id = a.content_id
where case when a.deleted_at is not null then greatest(a.deleted_at, a.deadline) < $1
  else a.ended is not null and greatest(a.ended_at, a.deadline) < $1
    and a.graded_max is not distinct from c.max_points
    and not exists (
      select 1 from operations o where o.attempt_id = a.id
        and o.outcome = 'held' and o.kind = 'answer' and o.decision is null)
  end
order by a.id limit $2 for update of a skip locked`;

/**
 * Deletes attempts that ended before a time with answers, journal, grades and uploads, and equally old strays
 * of unknown attempts. Running ones and those that await a teacher stay.
 * @returns the number of attempts
 */
export async function deleteOldAttempts(
  pool: Pool,
  before: Date,
  progress: StopSignal,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const gone = await rows<{ id: string }>(
      pool,
      `delete from attempts where id = any(array(${DONE})) returning id`,
      [before, ATTEMPTS_A_BATCH],
    );
    deleted += gone.length;
    if (gone.length < ATTEMPTS_A_BATCH || progress.isStopped()) break;
    await pauseBetween();
  }
  for (;;) {
    const count = await execute(
      pool,
      `delete from stray_operations where (user_id, id) in (
         select user_id, id from stray_operations where received_at < $1
         limit $2 for update skip locked)`,
      [before, STRAYS_A_BATCH],
    );
    if (count < STRAYS_A_BATCH || progress.isStopped()) return deleted;
    await pauseBetween();
  }
}
