import type { FaultKind } from './faults.ts';
import { createCheat } from './cheat.ts';
import { collectEvidence } from './collect.ts';
import { heal } from './heal.ts';
import type { Violation } from './history.ts';
import { checkEvidence } from './invariants/all.ts';
import { NO_PLANT, type Plant } from './plant.ts';
import { PROFILES, type Profile } from './profiles.ts';
import { createRandom } from './random.ts';
import { live } from './schedule.ts';
import type { SimulatedServer } from './server.ts';
import { createWatch } from './watch.ts';
import { closePages, createWorld, type World } from './world.ts';

/** What one seed came to. */
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
}

export interface RunOptions {
  readonly seed: number;
  readonly plant?: Plant;
  readonly profile?: Profile;
}

/** What the dishonest student does between two steps of the others. */
const CHEAT_ACTS = 2;

/** The profile that a seed draws for itself. */
function profileOf(seed: number): Profile {
  const random = createRandom(seed, 'profile');
  return random.chance(0.4) ? PROFILES.mixed : random.pick(Object.values(PROFILES));
}

/** Lives one run through, heals everything, and checks what is left. The same seed gives the same run. */
export async function simulate(server: SimulatedServer, options: RunOptions): Promise<RunResult> {
  const { seed, plant = NO_PLANT, profile = profileOf(seed) } = options;
  const world = await createWorld(server, { seed, profile, plant });
  const { history, record } = world;
  history.note(`seed ${seed}, ${profile.name}`);
  let steps = 0;
  try {
    const cheat = await createCheat(world);
    const watch = createWatch(world);
    steps = await live(world, async () => {
      await watch();
      for (let i = 0; i < CHEAT_ACTS; i += 1) await cheat.act();
    });
    const undrained = await heal(world);
    for (let i = 0; i < CHEAT_ACTS; i += 1) await cheat.act();
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
  };
}

/** Ids in a detail become the short names of the history. */
function named({ history }: World, { invariant, detail }: Violation): Violation {
  const known = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return { invariant, detail: detail.replaceAll(known, (id) => history.known(id) ?? id) };
}
