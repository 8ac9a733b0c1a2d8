import type { Pool } from 'pg';
import type { Period } from '#domain/periods.ts';
import { execute, rows, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { scheduleJob } from '#server/housekeeping/schedule.ts';

const EVERY_MS = 15_000;
/** Three records in a row are missing: a slow database delays one. */
const OUTAGE = `interval '45 seconds'`;

/**
 * Records that a server runs now. Servers of one database share a row. After an outage a new row begins, whether the
 * server, its machine or the database was away.
 */
export async function recordUptime(pool: Pool, now: Date): Promise<void> {
  await execute(
    pool,
    `with extended as (
       update server_uptime set last_seen_at = greatest(last_seen_at, $1)
       where started_at = (select max(started_at) from server_uptime)
         and last_seen_at >= $1::timestamptz - ${OUTAGE}
       returning 1
     )
     insert into server_uptime (started_at, last_seen_at)
     select $1, $1 where not exists (select from extended) on conflict do nothing`,
    [now],
  );
}

/** Records the uptime periodically. Returns the stop function. */
export const startUptimeJob = ({ log, pool, clock }: Deps): (() => Promise<void>) =>
  scheduleJob(log, {
    what: 'recording the uptime',
    everyMs: EVERY_MS,
    firstMs: 0,
    run: () => recordUptime(pool, clock()),
  });

/** Outages that ended after a moment; nothing is known of the time before the first record. */
export async function readOutages(db: Client, since: Date): Promise<Period[]> {
  const found = await rows<{ from: Date; to: Date }>(
    db,
    `select "from", "to" from (
       select max(last_seen_at) over (
           order by started_at rows between unbounded preceding and 1 preceding) as "from",
         started_at as "to"
       from server_uptime
     ) gaps
     where "to" > $1 and "to" - "from" > ${OUTAGE} order by "to"`,
    [since],
  );
  return found.map(({ from, to }) => ({ from: from.getTime(), to: to.getTime() }));
}
