import type { FastifyBaseLogger } from 'fastify';
import type { Progress } from './batches.ts';

/** A store that says nothing keeps nobody from stopping the server. */
const PATIENCE_MS = 10_000;

/** Work that is done again and again. */
export interface Chore {
  /** For the log, «sweeping files». */
  readonly what: string;
  readonly everyMs: number;
  /** Before the first round; 0: it begins at once. Not given: `everyMs`. */
  readonly firstMs?: number;
  run(progress: Progress): Promise<void>;
}

/**
 * Does a chore now and then, one round at a time: one that is still under way takes the place of the next.
 * A round that fails is logged and tried again at its time.
 * @returns the stop function, which waits for the round under way, at most 10 s
 */
export function every(
  log: Pick<FastifyBaseLogger, 'error'>,
  { what, everyMs, firstMs = everyMs, run }: Chore,
): () => Promise<void> {
  let isStopped = false;
  let running: Promise<void> | null = null;
  const progress = { isStopped: () => isStopped };
  const round = async () => {
    try {
      await run(progress);
    } catch (error) {
      // A database or a store that goes away at the end is no news.
      if (!isStopped) log.error({ err: error }, `${what} failed; tried again later`);
    }
  };
  const begin = () => {
    running ??= round().finally(() => {
      running = null;
    });
  };
  if (firstMs === 0) begin();
  const first = firstMs > 0 && firstMs !== everyMs ? setTimeout(begin, firstMs) : undefined;
  const timer = setInterval(begin, everyMs);
  first?.unref();
  timer.unref();
  return async () => {
    isStopped = true;
    clearTimeout(first);
    clearInterval(timer);
    const patience = new Promise<void>((resolve) => {
      setTimeout(resolve, PATIENCE_MS).unref();
    });
    await Promise.race([running, patience]);
  };
}

/** One stop function for several chores: all hear of the end at once, so that together they take no longer than one. */
export function together(stops: readonly (() => Promise<void>)[]): () => Promise<void> {
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
