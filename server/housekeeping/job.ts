import type { Deps } from '#server/deps.ts';
import { deleteOldAttempts } from './attempts.ts';
import { type StopSignal, unstopped } from './batches.ts';
import { scheduleJob } from './schedule.ts';
import { deleteLeftovers, type RemovedCounts } from './leftovers.ts';
import { sweepUploads } from './uploads.ts';

const EVERY_MS = 3_600_000;
/** A school that switches its machine off for the night gets its round, too. */
const FIRST_MS = 300_000;
const DAY_MS = 86_400_000;

export interface RetentionOptions {
  /** Days for which ended attempts are retained; null: for ever. */
  readonly attemptDays: number | null;
  /** Days for which acts are retained. */
  readonly auditDays: number;
}

/** How much one round removed; zero counts are left out. */
export type Round = RemovedCounts & { attempts?: number; uploads?: number };

/** One round of housekeeping. */
export async function runHousekeeping(
  deps: Pick<Deps, 'pool' | 'clock' | 'dataDir' | 'blobs'>,
  { attemptDays, auditDays }: RetentionOptions,
  progress: StopSignal = unstopped,
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

/** Runs housekeeping every hour. Returns the stop function, which waits for the running batch. */
export function startHousekeepingJob(deps: Deps, keeping: RetentionOptions): () => Promise<void> {
  return scheduleJob(deps.log, {
    what: 'housekeeping',
    everyMs: EVERY_MS,
    firstMs: FIRST_MS,
    async run(progress) {
      const removed = await runHousekeeping(deps, keeping, progress);
      if (Object.keys(removed).length > 0) deps.log.info({ removed }, 'removed expired data');
    },
  });
}
