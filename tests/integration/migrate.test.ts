import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createPool } from '#server/db/connect.ts';
import { migrate, migrationsFolder, readMigrations } from '#server/db/migrate.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import { createTestDatabase } from '#tests/database.ts';
import type { TestDatabase } from '#tests/postgres.ts';

let folder: string;
let database: TestDatabase;
let pools: pg.Pool[];

/** An empty schema, and a folder for migrations of the test's own. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exam-room-migrations-'));
  database = await createTestDatabase();
  await database.pool.query('DROP SCHEMA public CASCADE');
  await database.pool.query('CREATE SCHEMA public');
  pools = [];
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
  await rm(folder, { recursive: true });
});

const step = (name: string, sql: string): Promise<void> => writeFile(join(folder, name), sql);
const applied = async (): Promise<string[]> =>
  (
    await database.pool.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')
  ).rows.map(({ name }) => name);

test('migrations are applied once, in the order of their numbers', async () => {
  await step('0002_rows.sql', 'INSERT INTO items VALUES (1); INSERT INTO items VALUES (2);');
  await step('0001_items.sql', 'CREATE TABLE items (n int);');
  await migrate(database.pool, folder);
  await migrate(database.pool, folder);
  await step('0003_more.sql', 'INSERT INTO items VALUES (3);');
  await migrate(database.pool, folder);
  expect((await database.pool.query('SELECT n FROM items ORDER BY n')).rows).toEqual([
    { n: 1 },
    { n: 2 },
    { n: 3 },
  ]);
  expect(await applied()).toEqual(['0001_items.sql', '0002_rows.sql', '0003_more.sql']);
});

test('eight nodes that start at once apply each migration once', async () => {
  await step('0001_items.sql', 'CREATE TABLE items (n int); SELECT pg_sleep(0.05);');
  await step('0002_rows.sql', 'INSERT INTO items VALUES (1);');
  pools = Array.from({ length: 8 }, () => createPool(database.url, 2, () => undefined));
  await Promise.all(pools.map((pool) => migrate(pool, folder)));
  expect((await database.pool.query('SELECT n FROM items')).rows).toEqual([{ n: 1 }]);
});

test('a failed migration leaves nothing, reports its place, and frees the lock', async () => {
  await step('0001_items.sql', 'CREATE TABLE items (n int);');
  await step('0002_wrong.sql', 'INSERT INTO items VALUES (1);\nCREATE TABEL typo;');
  await expect(migrate(database.pool, folder)).rejects.toThrow(
    'Шаг 0002_wrong.sql не применился к базе данных (строка 2)',
  );
  expect(await applied()).toEqual(['0001_items.sql']);
  expect((await database.pool.query('SELECT n FROM items')).rows).toEqual([]);
  await step('0002_wrong.sql', 'INSERT INTO items VALUES (1);');
  pools = [createPool(database.url, 1, () => undefined)];
  for (const pool of pools) await migrate(pool, folder);
  expect(await applied()).toEqual(['0001_items.sql', '0002_wrong.sql']);
});

test('a migration changed after it was applied is refused; other line ends are no change', async () => {
  await step('0001_items.sql', 'CREATE TABLE items (n int);\n');
  await migrate(database.pool, folder);
  await step('0001_items.sql', 'CREATE TABLE items (n int);\r\n');
  await migrate(database.pool, folder);
  await step('0001_items.sql', 'CREATE TABLE items (n bigint);\n');
  const refusal = migrate(database.pool, folder);
  await expect(refusal).rejects.toThrow('Файл миграции 0001_items.sql изменён');
  await expect(refusal).rejects.toBeInstanceOf(OperatorError);
});

test('a database newer than the program is refused', async () => {
  await step('0001_items.sql', 'CREATE TABLE items (n int);');
  await migrate(database.pool, folder);
  await rm(join(folder, '0001_items.sql'));
  await step('0001_other.sql', 'CREATE TABLE other (n int);');
  await expect(migrate(database.pool, folder)).rejects.toThrow(
    'База данных новее программы: в ней есть шаг 0001_items.sql',
  );
});

test('two migrations of one number, or an invalid name, are refused', async () => {
  await step('0001_items.sql', '');
  await step('0001_others.sql', '');
  await expect(readMigrations(folder)).rejects.toThrow('two migrations have the number 0001');
  await rm(join(folder, '0001_others.sql'));
  await step('2_short.sql', '');
  await expect(readMigrations(folder)).rejects.toThrow('NNNN_name.sql');
});

test("the product's migrations turn an empty database into what the tests clone", async () => {
  await migrate(database.pool);
  const names = (await readMigrations(migrationsFolder())).map(({ name }) => name);
  expect(await applied()).toEqual(names);
  expect(names.length).toBeGreaterThan(0);
  expect(inject('postgres').url).toMatch(/^postgres(ql)?:/);
});

test('the code of a test from before the codes of classes still opens its offers', async () => {
  const { pool } = database;
  const files = await readdir(migrationsFolder());
  const copy = (names: string[]) =>
    Promise.all(names.map((name) => cp(join(migrationsFolder(), name), join(folder, name))));
  const isFormer = (name: string) => name < '0006';
  await copy(files.filter(isFormer));
  await migrate(pool, folder);
  const [testId, userId, contentId, offerId] = Array.from({ length: 4 }, () => randomUUID());
  const insert = async (text: string, values: unknown[]) =>
    pool.query(`insert into ${text}`, values);
  await insert(
    `users (id, user_name, email, password_hash, role, created_at)
     values ($1, 'О. В. Лаптева', 'teacher@school.ru', '', 1, now())`,
    [userId],
  );
  await insert(
    `tests (id, owner_id, name, theme, difficulty, attempts_count, pass_seconds, created_at, updated_at)
     values ($1, $2, 'Законы Ньютона', '', '', 1, 60, now(), now())`,
    [testId, userId],
  );
  await insert(
    `test_contents (id, test_id, questions, max_points, created_at) values ($1, $2, '[]', 0, now())`,
    [contentId, testId],
  );
  await insert(
    `start_codes (test_id, code, salt, code_key, version, made_at)
     values ($1, 'HK4M7TX2P9C3', '', '', 3, '2026-09-01T06:00:00Z')`,
    [testId],
  );
  await insert(
    `offers (id, test_id, user_id, source_id, content_id, number, terms, code_version, made_at)
     values ($1, $2, $3, $4, $4, 1, '{}', 3, now())`,
    [offerId, testId, userId, contentId],
  );
  await insert(
    `attempts (id, test_id, user_id, content_id, number, started_at, deadline, late_window_seconds,
       default_stream, active_stream, active_epoch)
     values ($1, $2, $3, $4, 1, now(), now(), 0, $1, $1, 1)`,
    [offerId, testId, userId, contentId],
  );
  await insert(
    `begins (attempt_id, stream, code_version, received_at, begun_at) values ($1, $1, 3, now(), now())`,
    [offerId],
  );
  await copy(files.filter((name) => !isFormer(name)));
  await migrate(pool, folder);
  const found = await pool.query(
    `select c.group_id as "groupId", c.created_at = c.made_at as "isFirst",
       o.code_id = c.id as "opens", b.code_id = c.id as "used"
     from start_codes c, offers o, begins b where c.test_id = $1`,
    [testId],
  );
  expect(found.rows).toEqual([{ groupId: null, isFirst: true, opens: true, used: true }]);
});
