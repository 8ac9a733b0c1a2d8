import type { FastifyBaseLogger } from 'fastify';
import type { StopSignal } from './batches.ts';

/** Limit of the wait for a silent store when the server stops. */
const STOP_TIMEOUT_MS = 10_000;

/** A periodic job. */
export interface ScheduledJob {
  /** For the log, «sweeping files». */
  readonly what: string;
  readonly everyMs: number;
  /** Before the first round; 0: at once. Default: `everyMs`. */
  readonly firstMs?: number;
  run(progress: StopSignal): Promise<void>;
}

/**
 * Runs a job periodically, one round at a time: a round still running replaces the next. A failed round is
 * logged and tried again at its time.
 * @returns the stop function, which waits for the running round, at most 10 s
 */
export function scheduleJob(
  log: Pick<FastifyBaseLogger, 'error'>,
  { what, everyMs, firstMs = everyMs, run }: ScheduledJob,
): () => Promise<void> {
  let isStopped = false;
  let running: Promise<void> | null = null;
  const progress = { isStopped: () => isStopped };
  const round = async () => {
    try {
      await run(progress);
    } catch (error) {
      // A database or a store that closes during the shutdown is expected.
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
      setTimeout(resolve, STOP_TIMEOUT_MS).unref();
    });
    await Promise.race([running, patience]);
  };
}

/** One stop function for several jobs, stopped concurrently, so that together they take no longer than one. */
export function stopAll(stops: readonly (() => Promise<void>)[]): () => Promise<void> {
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
