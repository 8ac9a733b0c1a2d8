import type { Deps } from '#server/deps.ts';
import { every } from '#server/housekeeping/every.ts';
import { closeDueAttempts } from './close.ts';

const EVERY_MS = 20_000;

/** Closes due attempts now and then; reading one closes it as well. Returns the stop function. */
export function startSweeper(deps: Deps): () => Promise<void> {
  return every(deps.log, {
    what: 'closing due attempts',
    everyMs: EVERY_MS,
    firstMs: 0,
    run: async () => void (await closeDueAttempts(deps.pool, deps.clock())),
  });
}
