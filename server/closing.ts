import type { Logger } from 'pino';

/** What ends the parts of a process, in the order in which they were opened. */
export type ClosingSteps = (() => Promise<void> | void)[];

/** Ends them, the last one first; each once, however often it is called. */
export async function closeAll(closing: ClosingSteps): Promise<void> {
  for (let close = closing.pop(); close; close = closing.pop()) await close();
}

/** A stop that ends them once, with a line in the log at its beginning and its end. */
export function createStop(closing: ClosingSteps, log: Logger): () => Promise<void> {
  const stop = async () => {
    const startedAt = Date.now();
    log.info('stopping');
    await closeAll(closing);
    log.info({ ms: Date.now() - startedAt }, 'stopped');
  };
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}
