import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLANTED } from '#simulation/planted/all.ts';
import { simulate } from '#simulation/run.ts';
import { startServer, type SimulatedServer } from '#simulation/server.ts';
import { createTestDatabase } from '#tests/database.ts';
import type { TestDatabase } from '#tests/postgres.ts';

let database: TestDatabase;
let server: SimulatedServer;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startServer(database.pool);
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

test.each([3, 11, 27, 95])('the same seed gives the same run: %d', async (seed) => {
  const first = await simulate(server, { seed });
  const second = await simulate(server, { seed });
  expect(second.lines).toEqual(first.lines);
  expect(second.hash).toBe(first.hash);
  expect(first.violations).toEqual([]);
});

test('another seed gives another run', async () => {
  const [first, second] = [
    await simulate(server, { seed: 1 }),
    await simulate(server, { seed: 2 }),
  ];
  expect(second.hash).not.toBe(first.hash);
});

test('a run ends with a violation that names its invariant when a bug is planted', async () => {
  const bug = PLANTED.find(({ name }) => name === 'drops after some failures');
  if (!bug) throw new Error('no such bug');
  const found = new Set<string>();
  for (let seed = 1; seed <= 5; seed += 1) {
    const run = await simulate(server, { seed, plant: bug.plant(), profile: bug.profile });
    for (const { invariant } of run.violations) found.add(invariant);
  }
  expect(found).toContain('savedIsKept');
});
