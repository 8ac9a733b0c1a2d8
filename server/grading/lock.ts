import type { PoolClient } from 'pg';

/**
 * Serializes what changes many attempts of one test: decisions for a class, corrected keys, extra time for
 * many. Locked until the transaction ends; take it before any attempt's lock.
 */
export async function lockRescoring(client: PoolClient, testId: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [testId]);
}
