import type { Deps } from '#server/deps.ts';
import { closeDueAttempts } from './close.ts';

const EVERY_MS = 20_000;

/** Closes due attempts now and then; reading one closes it as well. Returns the stop function. */
export function startSweeper(deps: Deps): () => void {
  let running = false;
  const sweep = async () => {
    if (running) return;
    running = true;
    try {
      await closeDueAttempts(deps.pool, deps.clock());
    } catch (error) {
      deps.log.error({ err: error }, 'closing due attempts failed; tried again later');
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void sweep(), EVERY_MS);
  timer.unref();
  void sweep();
  return () => clearInterval(timer);
}
