import cluster, { type Worker } from 'node:cluster';
import type { FastifyBaseLogger } from 'fastify';
import { WORKER_TASK, type WorkerTask } from './worker.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A worker that has served this long did not end because of a failed start. */
const STEADY_MS = 30_000;
/** A worker waits 10 s for its calls and 10 s for its jobs; the rest is killed. */
const STOP_TIMEOUT_MS = 25_000;

/** The first worker ended before it listened; it has printed why. */
export class WorkerFailedError extends Error {}

export interface Workers {
  /** Starts the first worker, and the others when it listens. Returns the port. */
  start(): Promise<number>;
  /** Ends all gracefully. */
  stop(): Promise<void>;
}

/** Runs this number of workers. Replaces one that ends, with a growing delay while workers end early. */
export function superviseWorkers(
  count: number,
  taskOf: (place: number) => WorkerTask,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Workers {
  const running = new Set<Worker>();
  const pauses = new Set<NodeJS.Timeout>();
  let isStopping = false;

  function fork(place: number): Worker {
    const worker = cluster.fork({ [WORKER_TASK]: JSON.stringify(taskOf(place)) });
    running.add(worker);
    // A message to a worker that was just killed fails; its end is what matters.
    worker.on('error', (error) => log.warn({ err: error, worker: worker.process.pid }, 'worker'));
    worker.once('exit', () => running.delete(worker));
    return worker;
  }

  function keepRunning(place: number, worker: Worker, pauseMs = FIRST_PAUSE_MS): void {
    const startedAt = Date.now();
    worker.once('exit', (code, signal) => {
      if (isStopping) return;
      const pause = Date.now() - startedAt < STEADY_MS ? pauseMs : FIRST_PAUSE_MS;
      log.warn({ worker: worker.process.pid, code, signal, pause }, 'a worker ended; replaced');
      const timer = setTimeout(() => {
        pauses.delete(timer);
        keepRunning(place, fork(place), Math.min(pause * 2, LONGEST_PAUSE_MS));
      }, pause);
      pauses.add(timer);
    });
  }

  return {
    async start() {
      const first = fork(0);
      const port = await new Promise<number>((resolve, reject) => {
        first.once('listening', (address) => resolve(address.port));
        first.once('exit', () => reject(new WorkerFailedError()));
      });
      keepRunning(0, first);
      for (let place = 1; place < count; place += 1) keepRunning(place, fork(place));
      return port;
    },
    async stop() {
      isStopping = true;
      for (const timer of pauses) clearTimeout(timer);
      const ended = [...running].map(
        (worker) => new Promise((resolve) => worker.once('exit', resolve)),
      );
      for (const worker of running) worker.process.kill('SIGTERM');
      const kill = setTimeout(() => {
        for (const worker of running) worker.process.kill('SIGKILL');
      }, STOP_TIMEOUT_MS);
      await Promise.all(ended);
      clearTimeout(kill);
    },
  };
}
