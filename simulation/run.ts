import type { FaultKind } from './faults.ts';
import { createCheat } from './cheat.ts';
import { collectEvidence } from './collect.ts';
import { heal } from './heal.ts';
import type { Violation } from './history.ts';
import { checkEvidence } from './invariants/all.ts';
import { NO_PLANT, type Plant } from './plant.ts';
import { OFFLINE_START, PROFILES, type Profile } from './profiles.ts';
import { createRandom } from './random.ts';
import { runSchedule } from './schedule.ts';
import type { Script } from './script.ts';
import type { SimulatedServer } from './server.ts';
import { createWatch, violateBroken } from './watch.ts';
import { closePages, createWorld, type World } from './world.ts';

/** Result of one seed. */
export interface RunResult {
  readonly seed: number;
  readonly profile: string;
  readonly steps: number;
  /** Answers and finishes that students wrote. */
  readonly operations: number;
  readonly calls: number;
  readonly faults: ReadonlyMap<FaultKind, number>;
  readonly violations: readonly Violation[];
  readonly hash: string;
  readonly lines: readonly string[];
  /** Script of the run; with the same seed it repeats the run. */
  readonly script: Script;
}

export interface RunOptions {
  readonly seed: number;
  readonly plant?: Plant;
  readonly profile?: Profile;
  /** The power of the first device is cut at this storage or network step. */
  readonly powerCutAt?: number;
  /** Script of an earlier run of this seed, or a part of it; absent: steps are random. */
  readonly script?: Script;
}

/** Share of runs with tests that begin without a network. */
const OFFLINE_SHARE = 0.08;

/** Picks the profile of a seed. */
function profileOf(seed: number): Profile {
  if (createRandom(seed, 'offline start').chance(OFFLINE_SHARE)) return OFFLINE_START;
  const random = createRandom(seed, 'profile');
  return random.chance(0.4) ? PROFILES.mixed : random.pick(Object.values(PROFILES));
}

/** Simulates one run, ends all faults, and checks the invariants. Deterministic for a seed. */
export async function simulate(server: SimulatedServer, options: RunOptions): Promise<RunResult> {
  const { seed, plant = NO_PLANT, profile = profileOf(seed), script = null } = options;
  const world = await createWorld(server, { seed, profile, plant });
  const { history, record } = world;
  history.note(`seed ${seed}, ${profile.name}`);
  let steps = 0;
  try {
    world.devices[0]?.power.cutAfter(options.powerCutAt ?? null);
    const cheat = await createCheat(world);
    let undrained: string[] = [];
    steps = await runSchedule(world, {
      script,
      cheat: cheat.act,
      after: createWatch(world),
      heal: async () => {
        undrained = await heal(world);
      },
    });
    violateBroken(world);
    const evidence = await collectEvidence(world, undrained, cheat);
    for (const violation of checkEvidence(evidence)) history.violate(named(world, violation));
  } catch (error) {
    history.violate({ invariant: 'nothingThrows', detail: String((error as Error).stack) });
  }
  for (const device of world.devices) closePages(world, device);
  return {
    seed,
    profile: profile.name,
    steps,
    operations: record.writes.length,
    calls: record.deliveries.length,
    faults: history.faults,
    violations: history.violations,
    hash: history.hash(),
    lines: history.lines,
    script: record.script,
  };
}

/** Replaces ids in a detail with the short names of the history. */
function named({ history }: World, { invariant, detail }: Violation): Violation {
  const known = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return { invariant, detail: detail.replaceAll(known, (id) => history.known(id) ?? id) };
}
