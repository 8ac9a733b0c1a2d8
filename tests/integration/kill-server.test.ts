import { afterEach, expect, test } from 'vitest';
import { createRandom } from '#simulation/random.ts';
import { checkAfterKills, drawBlows } from '#tests/kill-checks.ts';
import { type Blow, ServerUnderFire } from '#tests/server-under-fire.ts';
import { IS_WHOLE } from '#tests/whole.ts';

/** Two servers at once, each on a database of its own. `npm run proof` kills thousands of times. */
const SEEDS = [20_260_302, 20_260_303];
const KILLS_EACH = IS_WHOLE ? 25 : 8;
const STUDENTS_EACH = 12;
/** Kills of the database alone come on top. */
const blowsOf = (seed: number): Blow[] =>
  drawBlows(createRandom(seed, 'blows'), KILLS_EACH).flatMap((blow, index) =>
    index % 10 === 5 ? [blow, 'database' as const] : [blow],
  );

const opened: ServerUnderFire[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((fire) => fire.close()));
});

test('rows 27, 28 and 29: kills under load lose no acknowledged answer', async () => {
  const servers = await Promise.all(
    SEEDS.map(async (seed) => {
      const fire = await ServerUnderFire.open(createRandom(seed), STUDENTS_EACH);
      opened.push(fire);
      await fire.endure(blowsOf(seed));
      return fire;
    }),
  );
  for (const fire of servers) await checkAfterKills(fire);
  const tolls = servers.map(({ toll }) => toll);
  const sum = (of: (toll: (typeof tolls)[number]) => number) =>
    tolls.reduce((total, toll) => total + of(toll), 0);
  expect(sum(({ blows }) => blows.server + blows.power)).toBe(SEEDS.length * KILLS_EACH);
  // both cases occurred, and every kill hit running calls
  expect(sum(({ storedUnconfirmed }) => storedUnconfirmed)).toBeGreaterThan(0);
  expect(sum(({ neverStored }) => neverStored)).toBeGreaterThan(0);
  expect(tolls.flatMap(({ inFlight }) => inFlight).every((calls) => calls > 0)).toBe(true);
}, 900_000);
