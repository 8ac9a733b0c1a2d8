import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { listAudit } from '#contract/admin.ts';
import { listBank } from '#contract/bank.ts';
import { getDraft } from '#contract/drafts.ts';
import { getResult } from '#contract/results.ts';
import { getAnalysis, getStatistics } from '#contract/statistics.ts';
import { getGeneration, listTemplates } from '#contract/templates.ts';
import { getTest } from '#contract/full-test.ts';
import { migrate, migrationsFolder, readMigrations } from '#server/db/migrate.ts';
import { createTestDatabase } from '#tests/database.ts';
import type { TestDatabase } from '#tests/postgres.ts';
import { TestDevice } from '#tests/school.ts';
import { type TestServer, testServer } from '#tests/server.ts';

/** The migrations of release 1.0.0. They never change: databases store their checksums. */
const RELEASED = new Map([
  ['0001_base.sql', '992bdeaf8ec18ce2d26503f2d13490f2621095c2a4af66b362c759d96b056cc0'],
]);

const ID = {
  test: '00000000-0000-4000-8000-00000000d001',
  ended: '00000000-0000-4000-8000-00000000e002',
  essay: '00000000-0000-4000-8000-000000000006',
} as const;

/** Each table's rows as JSON. */
type Rows = ReadonlyMap<string, readonly Record<string, unknown>[]>;

let folder: string;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exam-room-release-'));
  await mkdir(join(folder, 'released'));
  for (const name of RELEASED.keys())
    await cp(join(migrationsFolder(), name), join(folder, 'released', name));
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  await rm(folder, { recursive: true });
});

/** A database as release 1.0.0 left it, with rows in every table. */
async function openReleased(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  await database.pool.query('drop schema public cascade; create schema public');
  await migrate(database.pool, join(folder, 'released'));
  const rows = new URL('../release/1.0.0.sql', import.meta.url);
  await database.pool.query(await readFile(rows, 'utf8'));
  return database;
}

async function readRows(pool: Pool): Promise<Rows> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r'
       and relname <> 'schema_migrations' order by relname`,
  );
  const found = new Map<string, Record<string, unknown>[]>();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from "${name}" t order by to_jsonb(t)::text`,
    );
    found.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return found;
}

/** Values of the release that the database no longer has, by table. New tables, columns and rows are no loss. */
function findLosses(before: Rows, after: Rows): string[] {
  return [...before].flatMap(([table, rows]) => {
    const now = after.get(table) ?? [];
    const isThere = (row: Record<string, unknown>) =>
      now.some((one) =>
        Object.entries(row).every(([column, value]) => isDeepStrictEqual(one[column], value)),
      );
    return rows.every(isThere) ? [] : [table];
  });
}

/** The product's migrations and one more. */
async function chainWith(name: string, sql: string): Promise<string> {
  const chain = join(folder, name);
  await cp(migrationsFolder(), chain, { recursive: true });
  await writeFile(join(chain, `9999_${name}.sql`), sql);
  return chain;
}

test('released migrations are unchanged, and newer ones follow them', async () => {
  const found = await readMigrations(migrationsFolder());
  const released = found.slice(0, RELEASED.size);
  expect(released.map(({ name, sha256 }) => [name, sha256])).toEqual([...RELEASED]);
});

test('the stored rows cover every table of the release', async () => {
  const { pool } = await openReleased();
  const empty = [...(await readRows(pool))].filter(([, rows]) => rows.length === 0);
  expect(empty.map(([table]) => table)).toEqual([]);
});

test('the present migrations retain every value of a released database', async () => {
  const { pool } = await openReleased();
  const before = await readRows(pool);
  await migrate(pool);
  expect(findLosses(before, await readRows(pool))).toEqual([]);
});

test('times of answers that no device has are forgotten', async () => {
  const { pool } = await openReleased();
  const beyond = `update operations set seen_server_at = '0001-01-01T00:00Z BC', written_at = '10000-01-01T00:00Z'`;
  const { rowCount } = await pool.query(beyond);
  await migrate(pool);
  const { rows } = await pool.query(
    'select seen_server_at as seen, written_at as written from operations',
  );
  expect(rows).toEqual(
    Array.from({ length: rowCount ?? 0 }, () => ({ seen: null, written: null })),
  );
});

describe('a migration that would harm a database of the release is noticed:', () => {
  test.each([
    ['rows', `delete from recovery_codes`, ['recovery_codes']],
    ['column', `alter table projects drop column landing_url`, ['projects']],
    ['value', `update tests set language = ''`, ['tests']],
    ['type', `alter table grades alter column points type integer`, ['grades']],
    ['table', `drop table spare_sequences`, ['spare_sequences']],
  ])('%s', async (name, sql, losses) => {
    const { pool } = await openReleased();
    const before = await readRows(pool);
    await migrate(pool, await chainWith(name, sql));
    expect(findLosses(before, await readRows(pool))).toEqual(losses);
  });

  test('a required column without a default', async () => {
    const { pool } = await openReleased();
    const chain = await chainWith('required', 'alter table uploads add column owner text not null');
    await expect(migrate(pool, chain)).rejects.toThrow('Шаг 9999_required.sql не применился');
  });
});

describe('the present server, on a database of the release,', () => {
  let server: TestServer;
  const teacher = { as: 'token-of-the-teacher' };

  beforeAll(async () => {
    const database = await openReleased();
    databases.splice(databases.indexOf(database), 1);
    await migrate(database.pool);
    server = await testServer({ database });
  });
  afterAll(() => server.close());

  test('reads its questions, drafts, bank, templates and statistics', async () => {
    const params = { id: ID.test };
    const { body } = await server.send(getTest, { params }, teacher);
    expect(body.questions).toHaveLength(7);
    const draft = await server.send(getDraft, { params }, teacher);
    expect(draft.body).toMatchObject({ draftVersion: 7, questions: body.questions });
    expect((await server.send(listBank, { query: {} }, teacher)).body.total).toBe(6);
    expect((await server.send(listTemplates, {}, teacher)).body.total).toBe(1);
    const { body: made } = await server.send(getGeneration, { params }, teacher);
    expect(made.generation?.seed).toBe('осень');
    const statistics = await server.send(getStatistics, { params, query: {} }, teacher);
    expect(statistics.body.items.map(({ userName }) => userName)).toContain('Алёшина Анна');
    expect((await server.send(getAnalysis, { params, query: {} }, teacher)).status).toBe(200);
    const acts = await server.send(listAudit, { query: {} }, { as: 'token-of-the-admin--' });
    expect(acts.body.items).toHaveLength(2);
  });

  test('shows the result of an ended attempt and accepts answers of a running one', async () => {
    const student = {
      userId: '00000000-0000-4000-8000-00000000a002',
      userName: 'Алёшина Анна',
      email: 'student@school.test',
      role: ROLE.student,
      token: 'token-of-the-student',
    };
    const ended = await server.send(
      getResult,
      { params: { attemptId: ID.ended } },
      { as: student.token },
    );
    expect(ended.body, ended.text).toMatchObject({ score: 4.5 });
    const device = new TestDevice(server, student);
    device.attemptId = '00000000-0000-4000-8000-00000000e001';
    device.stream = '00000000-0000-4000-8000-00000000e102';
    device.epoch = 2;
    device.sequence = 1;
    const answer = { questionId: ID.essay, kind: 'open' as const, text: 'Потому что так' };
    const saved = await device.answer(answer);
    expect(saved.body.outcome, saved.text).toBe('stored');
    expect((await device.finish()).body.outcome).toBe('stored');
  });
});
