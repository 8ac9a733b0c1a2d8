import { cloneDatabase } from '#tests/postgres.ts';
import { CRASH_SCENARIOS, type CrashScenario } from './crash-scenarios.ts';
import type {
  CrashJob,
  CrashReport,
  Job,
  PlantJob,
  PlantReport,
  RunJob,
  RunReport,
  Report,
} from './job.ts';
import type { Violation } from './history.ts';
import { PLANTED, type PlantedBug } from './planted/all.ts';
import { simulate, type RunOptions } from './run.ts';
import { OFFLINE_START } from './profiles.ts';
import { startServer, type SimulatedServer } from './server.ts';
import { shrink } from './shrink.ts';

/** One process of a simulation, with its own database; runs jobs sequentially. */

/** A planted bug not detected within this many seeds is missed. */
const MAX_SEEDS = 240;
const POOL_SIZE = 6;

/** Seeds that run twice: what a seed found must be found again. */
const REPEAT_EVERY = 20;
const UNREPEATED: Violation = {
  invariant: 'repeatsExactly',
  detail: 'the second run of the seed has another history',
};

let hasShrunk = false;

function findBug(name: string): PlantedBug {
  const bug = PLANTED.find((one) => one.name === name);
  if (!bug) throw new Error(`no planted bug is called ${name}`);
  return bug;
}

/** Created for every run, because a planted bug may have state. */
function optionsOf(seed: number, name: string | null): RunOptions {
  if (name === null) return { seed };
  const { plant, profile } = findBug(name);
  return { seed, plant: plant(), profile };
}

async function run(server: SimulatedServer, job: RunJob): Promise<RunReport> {
  const { seed, bug, script, trace } = job;
  const options = (): RunOptions => ({
    ...(job.isOfflineStart && { profile: OFFLINE_START }),
    ...optionsOf(seed, bug),
  });
  const once = () => simulate(server, { ...options(), ...(script && { script }) });
  const first = await once();
  const repeats = seed % REPEAT_EVERY !== 0 || (await once()).hash === first.hash;
  const result = repeats ? first : { ...first, violations: [...first.violations, UNREPEATED] };
  const report = {
    ...result,
    kind: 'run',
    bug,
    faults: [...result.faults],
    lines: trace ? result.lines : [],
    shortest: null,
  } as const;
  if (!repeats || result.violations.length === 0 || (hasShrunk && !job.shrink.each)) return report;
  hasShrunk = true;
  const until = Date.now() + job.shrink.withinMs;
  const found = await shrink(server, options, result, () => Date.now() < until);
  const { tries, isShortest } = found;
  const { violations } = found.result;
  return { ...report, shortest: { script: found.script, violations, tries, isShortest } };
}

/** A planted bug that only makes the run throw proves nothing about the checker. */
async function plant(
  server: SimulatedServer,
  { name, seed: from }: PlantJob,
): Promise<PlantReport> {
  let threw: string | null = null;
  for (let tried = 1; tried <= MAX_SEEDS; tried += 1) {
    const seed = from + tried - 1;
    const { violations } = await simulate(server, optionsOf(seed, name));
    const violation = violations.find(({ invariant }) => invariant !== 'nothingThrows');
    if (violation) return { kind: 'plant', name, tried, caught: { seed, violation }, threw };
    threw = violations[0]?.detail ?? threw;
  }
  return { kind: 'plant', name, tried: MAX_SEEDS, caught: null, threw };
}

function findScenario(name: string): CrashScenario {
  const scenario = CRASH_SCENARIOS[name];
  if (!scenario) throw new Error(`no scenario is called ${name}`);
  return scenario;
}

async function crash(server: SimulatedServer, job: CrashJob): Promise<CrashReport> {
  const { scenario, from, stride, trace } = job;
  const options = findScenario(scenario);
  const failed: { at: number; violations: CrashReport['failed'][number]['violations'] }[] = [];
  let lines: readonly string[] = [];
  let cuts = 0;
  for (let at = from; ; at += stride ?? 1) {
    const result = await simulate(server, { ...options, powerCutAt: at });
    if (trace) lines = result.lines;
    if (result.violations.length > 0) failed.push({ at, violations: result.violations });
    const isOver = !result.faults.has('powerCut');
    if (!isOver) cuts += 1;
    if (isOver || stride === null) return { kind: 'crash', scenario, cuts, failed, lines };
  }
}

function runJob(server: SimulatedServer, job: Job): Promise<Report> {
  if (job.kind === 'run') return run(server, job);
  return job.kind === 'plant' ? plant(server, job) : crash(server, job);
}

const sendReport = (report: Report): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(report, undefined, undefined, () => resolve());
  });

const database = await cloneDatabase(process.argv[2] ?? '', POOL_SIZE);
const server = await startServer(database.pool);
let queue: Promise<void> = Promise.resolve();

process.on('message', (job: Job) => {
  queue = queue.then(async () => {
    await sendReport(await runJob(server, job));
  });
});
process.once('disconnect', () => {
  void queue.then(async () => {
    await server.close();
    await database.drop();
    process.exit(0);
  });
});
