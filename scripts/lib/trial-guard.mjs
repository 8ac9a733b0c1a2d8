import { appendFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** A thread beside the tests: their own thread cannot end a change that never yields. */

/** Additional time after which the runner itself would have ended a trial. */
const MARGIN_MS = 2_000;

/** @type {NodeJS.Timeout | undefined} */
let timer;
parentPort?.on(
  'message',
  (/** @type {{ mutant: string, test: string, limit: number } | null} */ trial) => {
    clearTimeout(timer);
    if (trial === null) return;
    const { limit, ...tried } = trial;
    timer = setTimeout(() => {
      appendFileSync(workerData.path, `${JSON.stringify({ ...tried, noticed: 'timeout' })}\n`);
      process.kill(process.pid, 'SIGKILL');
    }, limit + MARGIN_MS);
  },
);
