import { appendFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** A thread beside the tests: the one they run in cannot end a change that never yields. */

/** Over what the runner itself would end a trial after. */
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
