import { availableParallelism } from 'node:os';
import { runWorkerPool } from '#simulation/worker-pool.ts';
import type { Job, Report } from '#simulation/job.ts';
import { PLANTED } from '#simulation/planted/all.ts';
import { startTestPostgres } from '#tests/postgres.ts';
import type { ProofPart, PlantedFigure, ReportedViolation } from './report.ts';

/**
 * Each batch gets new processes and databases, so that neither grows, and the remaining time is checked
 * between two batches.
 */
const BATCH_MS = 240_000;
const FIRST_BATCH = 40;
const PROGRESS_EVERY_MS = 60_000;

const repeatSeed = (seed: number): string => `npm run simulate -- --seed ${seed} --runs 1 --trace`;

/** Runs jobs in one process per core. */
async function runJobs(
  jobs: readonly Job[],
  onReport: (report: Report) => void,
  onLost: (job: Job, reason: string) => void,
): Promise<void> {
  const postgres = await startTestPostgres();
  try {
    await runWorkerPool({ url: postgres.url, jobs, onReport, onLost });
  } finally {
    await postgres.stop();
  }
}

export async function runSeeds(options: {
  readonly seed: number;
  readonly count: number;
  /** No batch is started that would not end before this time; milliseconds since 1970. */
  readonly until: number;
  readonly say: (line: string) => void;
}): Promise<ProofPart> {
  const { seed, count, until, say } = options;
  const startedAt = Date.now();
  const violations: ReportedViolation[] = [];
  let [done, steps, operations, calls, faults] = [0, 0, 0, 0, 0];
  let saidAt = startedAt;
  let next = 0;
  const onReport = (report: Report): void => {
    if (report.kind !== 'run') return;
    done += 1;
    steps += report.steps;
    operations += report.operations;
    calls += report.calls;
    for (const [, times] of report.faults) faults += times;
    for (const { invariant, detail } of report.violations) {
      const violation = { what: `${invariant}: ${detail}`, repeat: repeatSeed(report.seed) };
      violations.push(violation);
      say(`Нарушение, зерно ${report.seed}: ${violation.what}`);
    }
    if (Date.now() - saidAt < PROGRESS_EVERY_MS) return;
    saidAt = Date.now();
    say(`  … зёрен: ${done} из ${count}, ${Math.round((saidAt - startedAt) / 1000)} с`);
  };
  const onLost = (job: Job, reason: string): void => {
    const repeat = job.kind === 'run' ? repeatSeed(job.seed) : '';
    violations.push({ what: `a seed came to no end: ${reason}`, repeat });
  };
  while (next < count) {
    const perMs = done / Math.max(1, Date.now() - startedAt);
    const fits = Math.floor(Math.min(BATCH_MS, until - Date.now()) * perMs);
    const size = Math.min(count - next, done === 0 ? FIRST_BATCH : fits);
    if (size <= 0 || Date.now() >= until) break;
    const from = seed + next;
    next += size;
    const jobs = Array.from({ length: size }, (_, i): Job => ({
      kind: 'run',
      seed: from + i,
      trace: false,
      script: null,
      bug: null,
      // The command that repeats the seed also shrinks it.
      shrink: { withinMs: 0, each: false },
    }));
    await runJobs(jobs, onReport, onLost);
  }
  const seconds = (Date.now() - startedAt) / 1000;
  const perSecond = Number((done / seconds).toFixed(2));
  return {
    requested: count,
    done,
    seconds,
    counts: {
      'per second': perSecond,
      processes: availableParallelism(),
      steps,
      operations,
      calls,
      faults,
    },
    violations,
  };
}

/** Runs every planted bug until the checker detects it. */
export async function runPlanted(seed: number): Promise<PlantedFigure[]> {
  const found = new Map<string, PlantedFigure>();
  const jobs = PLANTED.map(({ name }): Job => ({ kind: 'plant', name, seed }));
  await runJobs(
    jobs,
    (report) => {
      if (report.kind !== 'plant') return;
      const { name, tried, caught } = report;
      const caughtBy = caught?.violation.invariant ?? null;
      found.set(name, { name, caughtBy, where: caught ? `seed ${caught.seed}` : null, tried });
    },
    () => undefined,
  );
  return PLANTED.map(
    ({ name }) => found.get(name) ?? { name, caughtBy: null, where: null, tried: 0 },
  );
}
