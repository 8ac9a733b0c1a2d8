import type { Pool } from 'pg';
import { execute, rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { scheduleJob } from '#server/housekeeping/schedule.ts';

const DAY_MS = 86_400_000;
/** A new picture may be named by an edit in progress. */
const NEW_MS = DAY_MS;
/** Undo may still restore a question that named it. */
const UNNAMED_MOST_MS = 7 * DAY_MS;
const EVERY_MS = 6 * 3_600_000;

/** Pictures that no content, working copy, bank entry or template names. */
async function unnamed(pool: Pool, before: Date): Promise<string[]> {
  const found = await rows<{ key: string }>(
    pool,
    `select p.key from pictures p
     where p.created_at < $1
       and not exists (
         select 1 from picture_uses u join test_contents c on c.test_id = u.test_id
         where u.key = p.key and strpos(c.questions::text, p.key::text) > 0)
       and not exists (
         select 1 from picture_uses u join test_drafts d on d.test_id = u.test_id
         where u.key = p.key and strpos(d.questions::text, p.key::text) > 0)`,
    [before],
  );
  // Few pictures are in no test, so the banks are read for few.
  const stillNamed = await rows<{ key: string }>(
    pool,
    `select p.key from unnest($1::uuid[]) as p (key)
     where exists (select 1 from bank_entries e where strpos(e.question::text, p.key::text) > 0)
       or exists (select 1 from question_templates t where strpos(t.body::text, p.key::text) > 0)`,
    [found.map(({ key }) => key)],
  );
  const named = new Set(stillNamed.map(({ key }) => key));
  return found.flatMap(({ key }) => (named.has(key) ? [] : key));
}

/** Deletes pictures that have been unnamed for a week. Returns their number. */
export async function sweepPictures(pool: Pool, now: Date): Promise<number> {
  const keys = await unnamed(pool, new Date(now.getTime() - NEW_MS));
  await execute(
    pool,
    'update pictures set unnamed_since = null where unnamed_since is not null and key <> all($1)',
    [keys],
  );
  await execute(
    pool,
    'update pictures set unnamed_since = $2 where unnamed_since is null and key = any($1)',
    [keys, now],
  );
  return execute(pool, 'delete from pictures where key = any($1) and unnamed_since <= $2', [
    keys,
    new Date(now.getTime() - UNNAMED_MOST_MS),
  ]);
}

/** Periodically sweeps pictures. Returns the stop function. */
export function startPictureCleanupJob(deps: Deps): () => Promise<void> {
  return scheduleJob(deps.log, {
    what: 'sweeping pictures',
    everyMs: EVERY_MS,
    run: async () => void (await sweepPictures(deps.pool, deps.clock())),
  });
}
