import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { one, transaction } from '#server/db/query.ts';

/** Resolves once so many connections of this database wait for a lock. */
export async function awaitBlocked(pool: Pool, count: number): Promise<void> {
  for (;;) {
    const found = await one<{ count: number }>(
      pool,
      `select count(*) as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((found?.count ?? 0) >= count) return;
    await pause(10);
  }
}

/** Holds the locks of `lock` in a separate transaction until `meanwhile` has ended. */
export const whileLocked = (
  pool: Pool,
  lock: (client: PoolClient) => Promise<unknown>,
  meanwhile: () => Promise<void>,
): Promise<void> =>
  transaction(pool, async (client) => {
    await lock(client);
    await meanwhile();
  });
