import type { Deps } from '#server/deps.ts';
import { deleteOldAttempts } from './attempts.ts';
import { type Progress, unstopped } from './batches.ts';
import { every } from './every.ts';
import { deleteLeftovers, type Removed } from './leftovers.ts';
import { sweepUploads } from './uploads.ts';

const EVERY_MS = 3_600_000;
/** A school that switches its machine off for the night gets its round, too. */
const FIRST_MS = 300_000;
const DAY_MS = 86_400_000;

export interface Keeping {
  /** Days after their end that attempts are kept; null: for ever. */
  readonly attemptDays: number | null;
  /** Days that acts are kept. */
  readonly auditDays: number;
}

/** How much one round removed; what nothing was removed of is not named. */
export type Round = Removed & { attempts?: number; uploads?: number };

/** One round of housekeeping. */
export async function keepHouse(
  deps: Pick<Deps, 'pool' | 'clock' | 'dataDir' | 'blobs'>,
  { attemptDays, auditDays }: Keeping,
  progress: Progress = unstopped,
): Promise<Round> {
  const now = deps.clock();
  const attempts =
    attemptDays === null
      ? 0
      : await deleteOldAttempts(
          deps.pool,
          new Date(now.getTime() - attemptDays * DAY_MS),
          progress,
        );
  const removed = await deleteLeftovers(deps.pool, now, auditDays, progress);
  const uploads = progress.isStopped() ? 0 : await sweepUploads(deps, now, progress);
  return { ...(attempts > 0 && { attempts }), ...removed, ...(uploads > 0 && { uploads }) };
}

/** Keeps house every hour. Returns the stop function, which waits for the batch that runs. */
export function startHousekeeper(deps: Deps, keeping: Keeping): () => Promise<void> {
  return every(deps.log, {
    what: 'housekeeping',
    everyMs: EVERY_MS,
    firstMs: FIRST_MS,
    async run(progress) {
      const removed = await keepHouse(deps, keeping, progress);
      if (Object.keys(removed).length > 0) deps.log.info({ removed }, 'kept house');
    },
  });
}
