import type { PoolClient } from 'pg';

/**
 * What touches many attempts of one test takes turns: decisions for a class, corrected keys, minutes
 * for many. Held until the transaction ends; take it before any attempt's lock.
 */
export async function lockRescoring(client: PoolClient, testId: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [testId]);
}
