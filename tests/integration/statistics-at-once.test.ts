import { afterAll, beforeAll, expect, test } from 'vitest';
import { getAnalysis } from '#contract/statistics.ts';
import { one } from '#server/db/query.ts';
import { startClass } from '#tests/class-work.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Statements that wait for a lock. */
const waiting = async (): Promise<number> =>
  (
    await one<{ count: number }>(
      server.pool,
      `select count(distinct pid)::int as count from pg_locks
       where not granted and database = (select oid from pg_database where datname = current_database())`,
    )
  )?.count ?? 0;

test('one person gets two analyses at once; further ones wait, those of others do not', async () => {
  const [greedy, modest] = [
    await startClass(server, ['Алёшина Анна']),
    await startClass(server, ['Борисов Иван']),
  ];
  const ask = ({ teacher, testId }: typeof greedy) =>
    server.send(getAnalysis, { params: { id: testId } }, { as: teacher });
  const client = await server.pool.connect();
  try {
    await client.query('begin; lock table attempts in access exclusive mode');
    const many = Array.from({ length: 8 }, () => ask(greedy));
    await expect.poll(waiting).toBe(2);
    const another = ask(modest);
    await expect.poll(waiting).toBe(3);
    await client.query('rollback');
    for (const { status } of [...(await Promise.all(many)), await another])
      expect(status).toBe(200);
  } finally {
    client.release(true);
  }
});
