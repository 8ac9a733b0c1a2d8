import type { Pool } from 'pg';
import { execute } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { type Progress, unstopped } from '#server/housekeeping/batches.ts';
import { hashBytes } from './kept.ts';
import type { ListedBlob } from './store/blob-store.ts';

async function adopt(pool: Pool, found: readonly ListedBlob[], now: Date): Promise<number> {
  return execute(
    pool,
    `insert into blobs (sha256, size, created_at, unnamed_since)
     select l.sha256, l.size, $3, $3 from unnest($1::bytea[], $2::bigint[]) as l (sha256, size)
     where not exists (select 1 from blobs b where b.sha256 = l.sha256)
     on conflict do nothing`,
    [found.map(({ sha256 }) => hashBytes(sha256)), found.map(({ size }) => size), now],
  );
}

/**
 * Makes blobs that the store has and the database does not know, as after a restore of an older backup,
 * known as unnamed: in a day they are swept like any other, and until then they may be named again.
 * @returns how many
 */
export async function adoptUnknownBlobs(
  { pool, blobs }: Pick<Deps, 'pool' | 'blobs'>,
  now: Date,
  { isStopped }: Progress = unstopped,
): Promise<number> {
  let adopted = 0;
  await blobs.list(async (found) => {
    if (isStopped()) throw new Error('the server stops');
    adopted += await adopt(pool, found, now);
  });
  return adopted;
}
