import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '#tests/postgres.ts';
import { shareInTurn } from '#tests/whole.ts';
import { CRASH_SCENARIOS } from './crash-scenarios.ts';
import { runWorkerPool } from './worker-pool.ts';
import type { Job } from './job.ts';
import { PLANTED } from './planted/all.ts';
import { parseScript } from './script.ts';
import { createTally } from './tally.ts';

/**
 * `--runs N --seed S`: N runs from seed S on; `--trace` prints their histories. The first run that fails is
 * shrunk briefly; with `--shrink` each one, for longer. `--script "0:signIn 1:begin"` repeats such a
 * shortened run of its seed, with `--bug NAME` under that planted bug.
 * `--offline-start`: only runs with tests that begin without a network.
 * `--planted [--bug NAME]`: every planted bug, one by one, until the checker detects it.
 * `--crashes [--scenario NAME [--at N]]`: small scenarios, with a power cut at every step.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    script: { type: 'string' },
    planted: { type: 'boolean', default: false },
    bug: { type: 'string' },
    crashes: { type: 'boolean', default: false },
    'offline-start': { type: 'boolean', default: false },
    scenario: { type: 'string' },
    at: { type: 'string' },
  },
});

const SHRINK_MS = 30_000;
const SHRINK_LONG_MS = 100_000;
/** Jobs that share the steps of one scenario. */
const CRASH_JOBS = 8;
const USUAL_RUNS = 100;
/** First seeds for planted bugs that random runs rarely reveal. */
const RARE: ReadonlyMap<string, number> = new Map([
  ['server scores by receipt', 176],
  ['drops what met a taken sequence', 60],
  ['server counts them by added minutes', 52],
  ['server scores held answers', 29],
  ['trusts a reply from before a restore', 27],
  ['sends again after a restore without receipts', 68],
  ['screen shrinks on an empty reply', 15],
  ['server believes any age', 13],
  ['server forgets that it showed a result', 12],
  ['obeys a stranger’s Retry-After', 10],
  ['names neither folded nor set-aside', 9],
]);

function refuse(problem: string): never {
  console.error(problem);
  process.exit(2);
}

function wholeNumber(text: string, name: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse(`--${name}: нужно целое число`);
}

function scriptOf(text: string): string[] {
  const script = text.trim().split(/\s+/);
  try {
    parseScript(script);
  } catch (error) {
    refuse(`--script: ${(error as Error).message}`);
  }
  return script;
}

function crashJobs(): Job[] {
  const { scenario, at, trace } = values;
  const names = Object.keys(CRASH_SCENARIOS).filter((name) => name === (scenario ?? name));
  return names.flatMap((name): Job[] => {
    const common = { kind: 'crash', scenario: name, trace } as const;
    if (at !== undefined) return [{ ...common, from: wholeNumber(at, 'at'), stride: null }];
    return Array.from({ length: CRASH_JOBS }, (_, i) => ({
      ...common,
      from: i + 1,
      stride: CRASH_JOBS,
    }));
  });
}

function runJobs(seed: number): Job[] {
  const { trace, bug = null, shrink: each } = values;
  const script = values.script === undefined ? null : scriptOf(values.script);
  const isOne = script !== null || bug !== null;
  const runs = wholeNumber(values.runs ?? String(isOne ? 1 : USUAL_RUNS), 'runs');
  const shrink = { withinMs: each ? SHRINK_LONG_MS : SHRINK_MS, each };
  return Array.from({ length: runs }, (_, i) => ({
    kind: 'run',
    seed: seed + i,
    isOfflineStart: values['offline-start'],
    trace,
    script,
    bug,
    shrink,
  }));
}

function jobsOf(): Job[] {
  const seed = wholeNumber(values.seed, 'seed');
  if (values.crashes) return crashJobs();
  if (!values.planted) return runJobs(seed);
  // `npm test` plants a part of them in each run.
  const planted = shareInTurn(PLANTED, 3);
  return planted
    .filter(({ name }) => values.bug === undefined || name === values.bug)
    .map(({ name }) => ({ kind: 'plant', name, seed: Math.max(seed, RARE.get(name) ?? seed) }));
}

const jobs = jobsOf();
const tally = createTally(jobs.length, (line) => console.log(line));
const postgres = await startTestPostgres();
try {
  await runWorkerPool({
    url: postgres.url,
    jobs,
    onReport: tally.addReport,
    onLost: tally.addLost,
  });
} finally {
  await postgres.stop();
}
const count = tally.summary();
mkdirSync('reports', { recursive: true });
writeFileSync('reports/simulation.json', JSON.stringify(count));
process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;
