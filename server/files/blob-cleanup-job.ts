import type { Pool } from 'pg';
import { execute, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { type StopSignal, unstopped } from '#server/housekeeping/batches.ts';
import { scheduleJob, stopAll } from '#server/housekeeping/schedule.ts';

const HOUR_MS = 3_600_000;
/** A new blob is about to be named; an old one may be named again by the same content. */
const UNNAMED_MOST_MS = 24 * HOUR_MS;
/** No upload takes so long. */
const INCOMING_MOST_MS = HOUR_MS;
const AT_ONCE = 500;

/** SQL condition: a project or a handed-in file names blob `b`. */
const NAMED = `(exists (select 1 from project_files f where f.sha256 = b.sha256)
  or exists (select 1 from uploads u where u.sha256 = encode(b.sha256, 'hex')))`;

async function markUnnamed(pool: Pool, now: Date): Promise<void> {
  await execute(
    pool,
    `update blobs b set unnamed_since = null where b.unnamed_since is not null and ${NAMED}`,
  );
  await execute(
    pool,
    `update blobs b set unnamed_since = $1 where b.unnamed_since is null and not ${NAMED}`,
    [now],
  );
}

/**
 * Removes blobs that have been unnamed for a day. A concurrent upload of the same content waits until the row
 * is removed, and then stores the bytes anew. Returns their number.
 */
export async function sweepBlobs(
  { pool, blobs }: Pick<Deps, 'pool' | 'blobs'>,
  now: Date,
  { isStopped }: StopSignal = unstopped,
): Promise<number> {
  await markUnnamed(pool, now);
  const before = new Date(now.getTime() - UNNAMED_MOST_MS);
  const found = await rows<{ sha256: Buffer }>(
    pool,
    'select sha256 from blobs where unnamed_since <= $1 order by unnamed_since limit $2',
    [before, AT_ONCE],
  );
  let removed = 0;
  for (const { sha256 } of found) {
    if (isStopped()) break;
    removed += await transaction(pool, async (client) => {
      const gone = await execute(
        client,
        `delete from blobs b where b.sha256 = $1 and b.unnamed_since <= $2 and not ${NAMED}`,
        [sha256, before],
      );
      // A failure leaves the row: the next sweep tries again.
      if (gone > 0) await blobs.remove(sha256.toString('hex'));
      return gone;
    });
  }
  return removed;
}

/** Sweeps blobs every hour, and temporary files also at the start. Returns the stop function. */
export function startBlobCleanupJob(deps: Deps): () => Promise<void> {
  return stopAll([
    scheduleJob(deps.log, {
      what: 'sweeping temporary files',
      everyMs: HOUR_MS,
      firstMs: 0,
      async run() {
        // Also at the start: another process may be receiving younger ones.
        await deps.blobs.sweepIncoming(new Date(deps.clock().getTime() - INCOMING_MOST_MS));
      },
    }),
    scheduleJob(deps.log, {
      what: 'sweeping files',
      everyMs: HOUR_MS,
      run: async (progress) => void (await sweepBlobs(deps, deps.clock(), progress)),
    }),
  ]);
}
