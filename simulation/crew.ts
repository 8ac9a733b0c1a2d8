import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Job, Told } from './job.ts';

/** A job that takes longer hangs; milliseconds of real time. */
const PATIENCE_MS = 180_000;

/** Lost workers after which the rest is not tried any more. */
const MOST_LOST = 3;

const worker = fileURLToPath(new URL('worker.ts', import.meta.url));

export interface CrewOptions {
  /** Address of the PostgreSQL server. */
  readonly url: string;
  readonly jobs: readonly Job[];
  readonly onTold: (told: Told) => void;
  /** A worker died or hung over a job. */
  readonly onLost: (job: Job, reason: string) => void;
}

/** Hands one job to a worker, and waits for what it tells. */
function work(child: ChildProcess, job: Job): Promise<Told | string> {
  return new Promise((resolve) => {
    const settle = (outcome: Told | string): void => {
      clearTimeout(timer);
      child.off('message', settle);
      child.off('exit', onExit);
      resolve(outcome);
    };
    const onExit = (code: number | null): void => settle(`the worker ended with ${code}`);
    const timer = setTimeout(() => settle('nothing happened for too long'), PATIENCE_MS);
    child.on('message', settle);
    child.on('exit', onExit);
    child.send(job);
  });
}

const hire = (url: string): ChildProcess =>
  fork(worker, [url], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

function dismiss(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.disconnect();
  });
}

/** Works all jobs off in as many processes as the machine has cores, two at the least cost of memory. */
export async function runCrew({ url, jobs, onTold, onLost }: CrewOptions): Promise<void> {
  const waiting = [...jobs];
  let lost = 0;
  const member = async (): Promise<void> => {
    let child = hire(url);
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const outcome = await work(child, job);
      if (typeof outcome !== 'string') {
        onTold(outcome);
        continue;
      }
      onLost(job, outcome);
      lost += 1;
      if (lost >= MOST_LOST) for (const left of waiting.splice(0)) onLost(left, 'not tried');
      child.kill('SIGKILL');
      child = hire(url);
    }
    await dismiss(child);
  };
  const size = Math.max(1, Math.min(availableParallelism(), jobs.length));
  await Promise.all(Array.from({ length: size }, member));
}
