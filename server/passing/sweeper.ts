import type { Deps } from '#server/deps.ts';
import { scheduleJob } from '#server/housekeeping/schedule.ts';
import { closeDueAttempts } from './close.ts';

const EVERY_MS = 20_000;

/** Periodically closes due attempts; reading one closes it as well. Returns the stop function. */
export function startSweeper(deps: Deps): () => Promise<void> {
  return scheduleJob(deps.log, {
    what: 'closing due attempts',
    everyMs: EVERY_MS,
    firstMs: 0,
    run: async () => void (await closeDueAttempts(deps.pool, deps.clock())),
  });
}
