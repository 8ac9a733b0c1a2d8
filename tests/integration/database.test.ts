import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openDatabase } from '#server/db/connect.ts';
import { isAlive } from '#server/db/embedded/initdb.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import { createTestDatabase } from '#tests/database.ts';
import { postmasterOf, until } from '#tests/folders.ts';
import type { TestDatabase } from '#tests/postgres.ts';

let database: TestDatabase;
const quiet = (): void => undefined;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

const refusal = (databaseUrl: string): Promise<unknown> =>
  openDatabase({ databaseUrl, dataDir: '/nowhere', say: quiet, waitMs: 300 }).then(
    () => 'it opened',
    (error: unknown) => (error instanceof OperatorError ? error.message : error),
  );

/** The test's database with parts of its address changed. */
function address(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

/** A port of this machine where nobody listens. */
function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const bound = server.address();
      server.close(() => resolve(bound !== null && typeof bound === 'object' ? bound.port : 0));
    });
  });
}

test("DATABASE_URL leads to the operator's own PostgreSQL, which closing leaves running", async () => {
  const opened = await openDatabase({ databaseUrl: database.url, dataDir: '/nowhere', say: quiet });
  const { rows } = await opened.pool.query('SELECT current_database() AS name');
  expect(rows).toEqual([{ name: new URL(database.url).pathname.slice(1) }]);
  expect(opened.where).toMatch(/^PostgreSQL \d+\.\d+, /);
  await opened.close();
  await opened.close();
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('an invalid address is refused with an example', async () => {
  expect(await refusal('my database')).toMatch(/^DATABASE_URL записан неверно.*postgresql:\/\//);
});

test('a database that does not exist is named', async () => {
  expect(await refusal(address((url) => (url.pathname = '/absent')))).toMatch(
    /\/absent.* базы данных нет|такой базы данных нет/,
  );
});

test('an unresponsive server is waited for and named, its password is not', async () => {
  const said: string[] = [];
  const port = await closedPort();
  const databaseUrl = `postgresql://app:geheim@127.0.0.1:${port}/school`;
  const opening = openDatabase({
    databaseUrl,
    dataDir: '/nowhere',
    say: (line) => said.push(line),
    waitMs: 300,
  });
  const error = await opening.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OperatorError);
  expect(String(error)).toContain(`Сервер базы данных 127.0.0.1:${port}/school не отвечает`);
  expect(String(error)).not.toContain('geheim');
  expect(said).toEqual([`Сервер базы данных 127.0.0.1:${port}/school пока не отвечает: жду.`]);
});

test('connections closed by the server do not end the process: idle ones and ones in use', async () => {
  const said: string[] = [];
  const opened = await openDatabase({
    databaseUrl: database.url,
    dataDir: '/nowhere',
    say: (line) => said.push(line),
  });
  const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  const inUse = await opened.pool.connect();
  await inUse.query('BEGIN');
  await opened.pool.query('SELECT 1');
  await database.pool.query(cut);
  await until(() => said.length > 0);
  await expect(inUse.query('SELECT 1')).rejects.toThrow();
  inUse.release(true);
  expect((await opened.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await opened.close();
});

test('clones are isolated, and ten may be created at once', async () => {
  await database.pool.query('CREATE TABLE own (n int)');
  const others = await Promise.all(
    Array.from({ length: 10 }, () => createTestDatabase({ poolSize: 1 })),
  );
  for (const other of others) {
    expect((await other.pool.query("SELECT to_regclass('own') AS own")).rows).toEqual([
      { own: null },
    ]);
    await other.drop();
  }
  const client = new pg.Client({ connectionString: others[0]?.url ?? '' });
  client.on('error', quiet);
  await expect(client.connect()).rejects.toMatchObject({ code: '3D000' });
});

test('a PostgreSQL for tests ends soon after its process was killed', async () => {
  const file = fileURLToPath(new URL('../programs/test-postgres.ts', import.meta.url));
  const env = { ...process.env };
  delete env['TEST_DATABASE_URL'];
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const cluster = await new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  const postmaster = (await postmasterOf(cluster)) ?? 0;
  expect(isAlive(postmaster)).toBe(true);
  child.kill('SIGKILL');
  await until(() => !isAlive(postmaster) && !existsSync(cluster));
  expect(inject('postgres').url).not.toContain(cluster);
});
