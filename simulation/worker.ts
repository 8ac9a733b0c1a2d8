import { cloneDatabase } from '#tests/postgres.ts';
import type { Job, PlantTold, RunTold, Told } from './job.ts';
import { PLANTED } from './planted/all.ts';
import { simulate } from './run.ts';
import { startServer, type SimulatedServer } from './server.ts';

/** One process of a simulation: a database of its own, one job after another. */

/** Seeds after which a planted bug counts as missed. */
const MOST_SEEDS = 60;
const POOL_SIZE = 6;

async function run(server: SimulatedServer, seed: number, trace: boolean): Promise<RunTold> {
  const result = await simulate(server, { seed });
  return {
    ...result,
    kind: 'run',
    faults: [...result.faults],
    lines: trace ? result.lines : [],
  };
}

/** A plant that only breaks the run itself proves nothing about the checker. */
async function plant(server: SimulatedServer, name: string, from: number): Promise<PlantTold> {
  const bug = PLANTED.find((one) => one.name === name);
  if (!bug) throw new Error(`no planted bug is called ${name}`);
  let threw: string | null = null;
  for (let tried = 1; tried <= MOST_SEEDS; tried += 1) {
    const seed = from + tried - 1;
    const { violations } = await simulate(server, {
      seed,
      plant: bug.plant(),
      profile: bug.profile,
    });
    const violation = violations.find(({ invariant }) => invariant !== 'nothingThrows');
    if (violation) return { kind: 'plant', name, tried, caught: { seed, violation }, threw };
    threw = violations[0]?.detail ?? threw;
  }
  return { kind: 'plant', name, tried: MOST_SEEDS, caught: null, threw };
}

const tell = (told: Told): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(told, undefined, undefined, () => resolve());
  });

const database = await cloneDatabase(process.argv[2] ?? '', POOL_SIZE);
const server = await startServer(database.pool);
let queue: Promise<void> = Promise.resolve();

process.on('message', (job: Job) => {
  queue = queue.then(async () => {
    const told =
      job.kind === 'run'
        ? await run(server, job.seed, job.trace)
        : await plant(server, job.name, job.seed);
    await tell(told);
  });
});
process.once('disconnect', () => {
  void queue.then(async () => {
    await server.close();
    await database.drop();
    process.exit(0);
  });
});
