import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { login } from '#contract/auth.ts';
import { register } from '#contract/registration.ts';
import { createPool, openDatabase } from '#server/db/connect.ts';
import { launchEmbedded } from '#server/db/embedded/launch.ts';
import { migrate } from '#server/db/migrate.ts';
import { codeOf } from '#server/db/operator-error.ts';
import { embeddedServerUrl, ensureServerRole, grantServerRole } from '#server/db/server-role.ts';
import { clear, openFolder } from '#tests/folders.ts';
import { type CommandPlace, runCommand } from '#tests/programs/commands.ts';
import { embeddedOf, type LiveServer, startLiveServer } from '#tests/programs/live-server.ts';

let folder: string;
let server: LiveServer | undefined;
beforeAll(async () => {
  folder = await openFolder();
});
afterEach(async () => {
  await server?.end('SIGKILL');
  server = undefined;
});
afterAll(() => clear(folder));

const DENIED = '42501';
const ATTACKS = [
  'alter table users add column secret text',
  'alter table users disable trigger all',
  'alter table users owner to current_user',
  'create table planted (id integer)',
  'create temporary table planted (id integer)',
  'create index planted on users (user_name)',
  'create schema planted',
  'create function planted() returns integer language sql as $$ select 1 $$',
  'create extension pg_trgm',
  'drop table users',
  'truncate users',
  'drop trigger project_rating_gone on project_ratings',
  "insert into schema_migrations (name, sha256) values ('9999_planted.sql', '')",
  'delete from schema_migrations',
  'create role planted superuser',
  'create database planted',
  'alter role current_user superuser',
  'alter system set fsync = off',
  "copy users to program 'true'",
  "copy users from program 'echo'",
  "copy users to '/tmp/planted'",
  "select pg_read_file('/etc/passwd')",
  "select lo_import('/etc/passwd')",
  "set session_replication_role = 'replica'",
  'select rolpassword from pg_authid',
  'alter role current_user createrole',
  'create role planted',
  'set role pg_read_server_files',
  'grant pg_execute_server_program to current_user',
  'create language planted handler plpgsql_call_handler',
  "load 'plpgsql'",
  'create view planted as select 1',
  'create trigger planted before update on users execute function forget_rating()',
  'create rule planted as on insert to users do instead nothing',
  'create or replace function forget_rating() returns trigger language plpgsql as $$ begin return null; end $$',
  "comment on table users is 'planted'",
  "update pg_class set relname = 'planted' where relname = 'users'",
  'create publication planted',
  "select pg_ls_dir('/')",
  "select * from pg_stat_file('/etc/passwd')",
  'select pg_reload_conf()',
];

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Attacks that the role of an address succeeds with. */
const allowed = (url: string, ownerUrl: string): Promise<readonly string[]> =>
  withClient(url, async (client) => {
    const owner = new URL(ownerUrl).username;
    const done: string[] = [];
    for (const attack of [
      ...ATTACKS,
      `set role ${owner}`,
      `set session authorization ${owner}`,
      `grant ${owner} to current_user`,
    ]) {
      const code = await client.query(attack).then(() => 'done', codeOf);
      if (code !== DENIED) done.push(`${attack}: ${code}`);
    }
    return done;
  });

const rolesOf = (ownerUrl: string): Promise<readonly string[]> =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ role: string }>(
      `select distinct usename as role from pg_stat_activity
       where datname = current_database() and application_name like 'exam-room%'`,
    );
    return rows.map(({ role }) => role);
  });

type Account = { email: string; password: string };

/** However long it takes: the first call after a start waits for what is loaded then. */
const post = async (url: string, { path }: { path: string }, body: unknown) =>
  (
    await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
    })
  ).status;

async function registerOne(url: string): Promise<Account> {
  const account = { email: `${randomBytes(6).toString('hex')}@school.test`, password: 'Kolokol7' };
  expect(await post(url, register, { userName: 'Новая Ученица', ...account })).toBe(200);
  return account;
}

const signIn = (url: string, account: Account) => post(url, login, account);

async function backUp(place: CommandPlace): Promise<string> {
  const made = await runCommand('backup', [], place);
  expect(made).toMatchObject({ code: 0, warned: '' });
  return /проверена: (\S+) \(/.exec(made.said)?.[1] ?? '';
}

async function restore(file: string, place: CommandPlace, ...more: string[]): Promise<void> {
  const restored = await runCommand('restore', [file, ...more], place);
  expect(restored).toMatchObject({ code: 0, warned: '' });
}

const asServer = (owner: string) => {
  const url = new URL(owner);
  url.username = 'exam_room_server';
  return url.href;
};

/** Folders are beside each other: backups of one lie outside of another. */
async function openDataDir(name: string): Promise<string> {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  return dataDir;
}

test('the server of an embedded database works with a role that cannot change the schema, in however many processes', async () => {
  const [dataDir, other] = [await openDataDir('embedded'), await openDataDir('other')];
  try {
    server = await startLiveServer({ dataDir, env: { WEB_CONCURRENCY: '3' } });
    const account = await registerOne(server.url);
    const owner = (await embeddedOf(dataDir)).url;
    expect(await rolesOf(owner)).toEqual(['exam_room_server']);
    expect(await allowed(asServer(owner), owner)).toEqual([]);
    expect(server.said.join('\n')).not.toContain('MIGRATIONS_DATABASE_URL');
    const file = await backUp({ dataDir });
    await server.end('SIGTERM');
    await restore(file, { dataDir }, '--replace', '--yes');
    await restore(file, { dataDir: other });
    for (const place of [dataDir, other]) {
      server = await startLiveServer({ dataDir: place });
      expect(await signIn(server.url, account)).toBe(200);
      await registerOne(server.url);
      await server.end('SIGTERM');
    }
  } finally {
    await server?.end('SIGTERM');
    await clear(dataDir);
    await clear(other);
  }
}, 600_000);

test('a data folder that knows its owner alone is served with the new role from the next start on', async () => {
  const dataDir = await openDataDir('older');
  try {
    const older = await openDatabase({ dataDir, say: () => undefined });
    await migrate(older.pool);
    const { rows } = await older.pool.query('select rolname from pg_roles where rolcanlogin');
    expect(rows).toEqual([{ rolname: 'app' }]);
    await older.close();
    server = await startLiveServer({ dataDir });
    await registerOne(server.url);
    const owner = (await embeddedOf(dataDir)).url;
    expect(await rolesOf(owner)).toEqual(['exam_room_server']);
    expect(await allowed(asServer(owner), owner)).toEqual([]);
  } finally {
    await server?.end('SIGTERM');
    await clear(dataDir);
  }
}, 300_000);

test('over TCP, as on Windows, that role gets a new password at each start, and the last one ends', async () => {
  const dataDir = await openDataDir('tcp');
  const embedded = await launchEmbedded({
    dataDir,
    say: () => undefined,
    durable: false,
    transport: 'tcp',
  });
  const owner = createPool(embedded.url, 2, () => undefined);
  const startWithRole = async () => {
    const url = embeddedServerUrl(embedded.url);
    await ensureServerRole(owner, url, true);
    await grantServerRole(owner, url);
    return url;
  };
  const count = (url: string) =>
    withClient(url, async (client) => (await client.query('select 1 from users')).rowCount);
  try {
    await migrate(owner);
    const first = await startWithRole();
    expect(await count(first)).toBe(0);
    const second = await startWithRole();
    expect(await count(second)).toBe(0);
    await expect(count(first)).rejects.toMatchObject({ code: '28P01' });
  } finally {
    await owner.end();
    await embedded.stop();
    await clear(dataDir);
  }
}, 300_000);

interface Foreign {
  readonly owner: string;
  readonly url: string;
  /** Runs as the administrator of the whole PostgreSQL. */
  readonly run: (sql: string) => Promise<unknown>;
  readonly drop: () => Promise<void>;
}

/** An empty database with an owner who is no superuser, and a name for the server's role. */
async function openForeign(given: { serverRole?: string; rights?: string } = {}): Promise<Foreign> {
  const name = `roles_${randomBytes(6).toString('hex')}`;
  const { serverRole = `${name}_server`, rights = 'createrole' } = given;
  const { url: admin } = inject('postgres');
  const run = (sql: string) => withClient(admin, (client) => client.query(sql));
  await run(`create role ${name}_owner login ${rights} password 'a1b2c3'`);
  await run(`create database ${name} owner ${name}_owner`);
  const addressOf = (role: string) => {
    const address = new URL(admin);
    address.pathname = `/${name}`;
    address.username = role;
    address.password = 'a1b2c3';
    return address.href;
  };
  return {
    owner: addressOf(`${name}_owner`),
    url: addressOf(serverRole),
    run,
    drop: async () => {
      await run(`drop database if exists ${name} with (force)`);
      await run(`drop role if exists ${serverRole}`);
      await run(`drop role if exists ${name}_owner`);
    },
  };
}

const startForeign = (dataDir: string, databaseUrl: string, owner: string) =>
  startLiveServer({ dataDir, databaseUrl, env: { MIGRATIONS_DATABASE_URL: owner } });

test('with two addresses the owner migrates and the other role, made when it is missing, serves', async () => {
  const dataDir = await openDataDir('foreign');
  const [first, second] = [await openForeign(), await openForeign()];
  const placeOf = ({ owner, url }: Foreign) => ({
    dataDir,
    databaseUrl: url,
    migrationsUrl: owner,
  });
  try {
    server = await startForeign(dataDir, first.url, first.owner);
    const account = await registerOne(server.url);
    expect(await rolesOf(first.owner)).toEqual([new URL(first.url).username]);
    expect(await allowed(first.url, first.owner)).toEqual([]);
    expect(server.said.join('\n')).not.toContain('MIGRATIONS_DATABASE_URL');
    const reset = await runCommand('reset-password', ['admin@school.test'], placeOf(first));
    expect(reset).toMatchObject({ code: 0, warned: '' });
    const file = await backUp(placeOf(first));
    await server.end('SIGTERM');
    await restore(file, placeOf(first), '--replace', '--yes');
    await restore(file, placeOf(second));
    for (const { url, owner } of [first, second]) {
      server = await startForeign(dataDir, url, owner);
      expect(await signIn(server.url, account)).toBe(200);
      expect(await allowed(url, owner)).toEqual([]);
      await server.end('SIGTERM');
    }
  } finally {
    await server?.end('SIGTERM');
    await first.drop();
    await second.drop();
    await clear(dataDir);
  }
}, 600_000);

test('of three servers that start at once on an empty database each serves with the one role', async () => {
  const dataDir = await openDataDir('at-once');
  const { owner, url, drop } = await openForeign();
  const starts = [1, 2, 3].map(() => startForeign(dataDir, url, owner));
  try {
    for (const each of await Promise.all(starts)) await registerOne(each.url);
    expect(await rolesOf(owner)).toEqual([new URL(url).username]);
    expect(await allowed(url, owner)).toEqual([]);
  } finally {
    for (const started of await Promise.allSettled(starts))
      if (started.status === 'fulfilled') await started.value.end('SIGTERM');
    await drop();
    await clear(dataDir);
  }
}, 300_000);

test('a database that its owner served alone goes on with a second role, and rights given by hand end', async () => {
  const dataDir = await openDataDir('second-role');
  const { owner, url, run, drop } = await openForeign();
  try {
    server = await startLiveServer({ dataDir, databaseUrl: owner });
    const account = await registerOne(server.url);
    expect(server.said.join('\n')).toContain('MIGRATIONS_DATABASE_URL');
    await server.end('SIGTERM');
    const role = new URL(url).username;
    await run(`create role ${role} login password 'a1b2c3'`);
    await withClient(owner, (client) =>
      client.query(`grant all on all tables in schema public to ${role}`),
    );
    server = await startForeign(dataDir, url, owner);
    expect(await signIn(server.url, account)).toBe(200);
    expect(await allowed(url, owner)).toEqual([]);
  } finally {
    await server?.end('SIGTERM');
    await drop();
    await clear(dataDir);
  }
}, 300_000);

test('a role that exists is used as it is by an owner who may neither make nor change roles', async () => {
  const dataDir = await openDataDir('given-role');
  const given = { serverRole: 'exam_room_server', rights: 'nocreaterole' };
  const { owner, url, run, drop } = await openForeign(given);
  try {
    await run("create role exam_room_server login password 'a1b2c3'");
    await run(`revoke connect on database ${new URL(url).pathname.slice(1)} from public`);
    server = await startForeign(dataDir, url, owner);
    await registerOne(server.url);
    expect(await allowed(url, owner)).toEqual([]);
  } finally {
    await server?.end('SIGTERM');
    await drop();
    await clear(dataDir);
  }
}, 300_000);

test('two addresses that do not fit are refused in Russian, and nothing starts', async () => {
  const dataDir = await openDataDir('refused');
  const [first, second] = [await openForeign(), await openForeign()];
  const { owner, url } = first;
  const refusal = (databaseUrl: string) =>
    startForeign(dataDir, databaseUrl, owner).then(
      () => 'it started',
      (error: unknown) => String(error),
    );
  const [member, locked] = [new URL(url), new URL(url)];
  member.username += '_member';
  locked.username += '_locked';
  try {
    expect(await refusal(owner)).toContain('из DATABASE_URL может менять таблицы');
    const elsewhere = new URL(url);
    elsewhere.pathname = new URL(second.url).pathname;
    expect(await refusal(elsewhere.href)).toContain('ведут в разные базы данных');
    await first.run(`create role ${member.username} login password 'a1b2c3'`);
    await first.run(`grant pg_execute_server_program to ${member.username}`);
    expect(await refusal(member.href)).toContain('из DATABASE_URL может менять таблицы');
    await first.run(`create role ${locked.username} nologin`);
    const message = await refusal(locked.href);
    expect(message).toContain(`не принял пользователя ${locked.username}`);
    expect(message).not.toMatch(/ {2}at /);
  } finally {
    await first.drop();
    await second.drop();
    for (const { username } of [member, locked]) await first.run(`drop role if exists ${username}`);
    await clear(dataDir);
  }
}, 300_000);
