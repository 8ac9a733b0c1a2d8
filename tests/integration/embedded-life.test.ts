import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#server/db/connect.ts';
import { isPostmaster } from '#server/db/embedded/postmaster.ts';
import { clear, openFolder, postmasterOf, until } from '#tests/folders.ts';
import { openInProcess, type Program } from '#tests/programs/program.ts';

let folder: string;
let cluster: string;
const programs: Program[] = [];

beforeEach(async () => {
  folder = await openFolder();
  cluster = join(folder, 'postgres', 'cluster');
});

afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGKILL');
  await clear(folder);
});

function program(): Program {
  const started = openInProcess(folder);
  programs.push(started);
  return started;
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function logs(): Promise<string> {
  const names = (await readdir(join(folder, 'postgres', 'log'))).filter((name) =>
    name.startsWith('postgres-'),
  );
  return (
    await Promise.all(names.map((name) => readFile(join(folder, 'postgres', 'log', name), 'utf8')))
  ).join('');
}

test('the first start creates a cluster, and data survive a clean stop', async () => {
  const said: string[] = [];
  const created = 'База данных создана: это первый запуск с этой папкой.';
  const first = await openDatabase({ dataDir: folder, say: (line) => said.push(line) });
  await first.pool.query('CREATE TABLE kept (n int)');
  await first.pool.query('INSERT INTO kept VALUES (7)');
  await first.close();
  await first.close();
  expect(await postmasterOf(cluster)).toBeUndefined();
  expect(said).toContain(created);

  said.length = 0;
  const second = await openDatabase({ dataDir: folder, say: (line) => said.push(line) });
  expect((await second.pool.query('SELECT n FROM kept')).rows).toEqual([{ n: 7 }]);
  await second.close();
  expect(said).not.toContain(created);
  expect(await logs()).not.toContain('recovery');
});

test('the server is durable, listens on no network, and its socket is private', async () => {
  const database = await openDatabase({ dataDir: folder, say: () => undefined });
  const wanted = {
    fsync: 'on',
    // By `createPool`, on every connection: `durable-database.test.ts`.
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    listen_addresses: '',
    jit: 'off',
    TimeZone: 'UTC',
    server_encoding: 'UTF8',
    log_rotation_size: '10MB',
  };
  for (const [name, value] of Object.entries(wanted)) {
    expect((await database.pool.query(`SHOW ${name}`)).rows[0]).toEqual({ [name]: value });
  }
  const run = await stat(join(folder, 'postgres', 'run'));
  expect(run.mode & 0o777).toBe(0o700);
  expect((await stat(cluster)).uid).toBe(run.uid);
  expect(run.uid).not.toBe(0);
  expect(database.where).toMatch(/^встроенный PostgreSQL 18\.\d+, база в /);
  await database.close();
});

test('a server that outlived a killed node is adopted with all that was acknowledged', async () => {
  const killed = program();
  const { event, text: url } = await killed.outcome;
  expect(event).toBe('opened');
  await query(url, 'CREATE TABLE kept (n int)');
  await query(url, 'INSERT INTO kept VALUES (7)');
  const postmaster = await postmasterOf(cluster);
  await killed.end('SIGKILL');

  const said: string[] = [];
  const next = await openDatabase({ dataDir: folder, say: (line) => said.push(line) });
  expect(said).toContain('База данных работала с прошлого запуска: продолжаю с ней.');
  expect(await postmasterOf(cluster)).toBe(postmaster);
  expect((await next.pool.query('SELECT n FROM kept')).rows).toEqual([{ n: 7 }]);
  await next.close();
  expect(await postmasterOf(cluster)).toBeUndefined();
});

test('SIGTERM stops the server cleanly before node goes', async () => {
  const running = program();
  expect((await running.outcome).event).toBe('opened');
  const postmaster = (await postmasterOf(cluster)) ?? 0;
  expect(await running.end('SIGTERM')).toBe(0);
  expect(await isPostmaster(postmaster, cluster)).toBe(false);
  expect(await postmasterOf(cluster)).toBeUndefined();
  expect(await logs()).toContain('database system is shut down');
});

test('Ctrl+C in a terminal reaches node alone, which then decides when the server stops', async () => {
  const running = program();
  expect((await running.outcome).event).toBe('opened');
  const postmaster = (await postmasterOf(cluster)) ?? 0;
  await running.interrupt();
  const next = await openDatabase({ dataDir: folder, say: () => undefined });
  expect(await postmasterOf(cluster)).toBe(postmaster);
  await next.close();
});

test('a second process on the same folder gets the id of the first', async () => {
  const first = program();
  const { text: url } = await first.outcome;
  const second = await program().outcome;
  expect(second.event).toBe('refused');
  expect(second.text).toBe(
    `Папка данных ${folder} занята: с ней уже работает процесс ${first.pid}. Остановите его или укажите другую папку в DATA_DIR.`,
  );
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('of three first starts at once one opens the folder and the others are refused', async () => {
  const three = [program(), program(), program()];
  const outcomes = await Promise.all(three.map(({ outcome }) => outcome));
  const refused = outcomes.filter(({ event }) => event === 'refused');
  const opened = outcomes.filter(({ event }) => event === 'opened');
  expect([opened.length, refused.length]).toEqual([1, 2]);
  const winner = three[outcomes.findIndex(({ event }) => event === 'opened')];
  for (const { text } of refused) expect(text).toContain(`процесс ${winner?.pid}.`);
  expect(await query(opened[0]?.text ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('an interrupted initdb is removed and repeated', async () => {
  const unfinished = async (): Promise<string[]> =>
    (await readdir(join(folder, 'postgres')).catch(() => [])).filter((name) =>
      name.startsWith('cluster.new-'),
    );
  const cut = program();
  await until(async () => (await unfinished()).length > 0);
  await cut.end('SIGKILL');
  await expect(stat(cluster)).rejects.toThrow();

  const next = await openDatabase({ dataDir: folder, say: () => undefined });
  expect((await next.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect(await unfinished()).toEqual([]);
  await next.close();
});

test('a killed postmaster is started again under the running server, with nothing acknowledged missing', async () => {
  const said: string[] = [];
  const database = await openDatabase({ dataDir: folder, say: (line) => said.push(line) });
  await database.pool.query('CREATE TABLE kept (n int)');
  await database.pool.query('INSERT INTO kept VALUES (7)');
  const postmaster = (await postmasterOf(cluster)) ?? 0;
  process.kill(postmaster, 'SIGKILL');

  await until(() => said.includes('База данных снова работает.'));
  expect(await postmasterOf(cluster)).not.toBe(postmaster);
  expect((await database.pool.query('SELECT n FROM kept')).rows).toEqual([{ n: 7 }]);
  await database.close();
  expect(await postmasterOf(cluster)).toBeUndefined();
});
