import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Job, Report } from './job.ts';

/** Time-out of a job; milliseconds of real time. */
const JOB_TIMEOUT_MS = 400_000;

/** The remaining jobs are abandoned after this many lost workers. */
const MAX_LOST = 3;

const worker = fileURLToPath(new URL('worker.ts', import.meta.url));

export interface WorkerPoolOptions {
  /** Address of the PostgreSQL server. */
  readonly url: string;
  readonly jobs: readonly Job[];
  readonly onReport: (report: Report) => void;
  /** Called when a worker crashed or timed out. */
  readonly onLost: (job: Job, reason: string) => void;
}

/** Sends one job to a worker and awaits its reports. */
function runJob(child: ChildProcess, job: Job): Promise<Report | string> {
  return new Promise((resolve) => {
    const settle = (outcome: Report | string): void => {
      clearTimeout(timer);
      child.off('message', settle);
      child.off('exit', onExit);
      resolve(outcome);
    };
    const onExit = (code: number | null): void => settle(`the worker ended with ${code}`);
    const timer = setTimeout(() => settle('nothing happened for too long'), JOB_TIMEOUT_MS);
    child.on('message', settle);
    child.on('exit', onExit);
    child.send(job);
  });
}

const startWorker = (url: string): ChildProcess =>
  fork(worker, [url], {
    // Runs leave much short-lived garbage: a larger young generation spares a tenth of their time.
    execArgv: ['--max-semi-space-size=64', '--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

function stopWorker(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.disconnect();
  });
}

/** Runs all jobs in one process per core. */
export async function runWorkerPool({
  url,
  jobs,
  onReport,
  onLost,
}: WorkerPoolOptions): Promise<void> {
  const waiting = [...jobs];
  let lost = 0;
  const runLane = async (): Promise<void> => {
    let child = startWorker(url);
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const outcome = await runJob(child, job);
      if (typeof outcome !== 'string') {
        onReport(outcome);
        continue;
      }
      onLost(job, outcome);
      lost += 1;
      if (lost >= MAX_LOST) for (const left of waiting.splice(0)) onLost(left, 'not tried');
      child.kill('SIGKILL');
      child = startWorker(url);
    }
    await stopWorker(child);
  };
  const size = Math.max(1, Math.min(availableParallelism(), jobs.length));
  await Promise.all(Array.from({ length: size }, runLane));
}
