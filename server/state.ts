import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { execute, one } from '#server/db/query.ts';
import type { ServerState } from './deps.ts';

const SEAL_KEY_BYTES = 32;

/** The database's own key and epoch; created at the first start. */
export async function loadState(pool: Pool): Promise<ServerState> {
  await execute(pool, 'insert into server_state (seal_key) values ($1) on conflict do nothing', [
    randomBytes(SEAL_KEY_BYTES),
  ]);
  const row = await one<{ epoch: number; seal_key: Buffer }>(
    pool,
    'select epoch, seal_key from server_state',
  );
  if (!row) throw new Error('server_state has no row right after it was made');
  return { epoch: row.epoch, sealKey: row.seal_key };
}
