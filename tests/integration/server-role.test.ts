import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { register } from '#contract/auth.ts';
import { codeOf } from '#server/db/operator-error.ts';
import { clear, openFolder } from '#tests/folders.ts';
import { liveCall } from '#tests/live-call.ts';
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
];

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const allowed = (url: string): Promise<readonly string[]> =>
  withClient(url, async (client) => {
    const done: string[] = [];
    for (const attack of ATTACKS) {
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

async function registerOne(url: string): Promise<void> {
  const email = `${randomBytes(6).toString('hex')}@school.test`;
  const body = { userName: 'Новая Ученица', email, password: 'Kolokol7' };
  expect((await liveCall(url, register, { body })).status).toBe(200);
}

/** A backup beside the server, and its restore once the server has ended. */
async function backUpAndRestore(place: CommandPlace, running: LiveServer): Promise<void> {
  const made = await runCommand('backup', [], place);
  expect(made).toMatchObject({ code: 0, warned: '' });
  const [, file = ''] = /проверена: (\S+) \(/.exec(made.said) ?? [];
  await running.end('SIGTERM');
  const restored = await runCommand('restore', [file, '--replace', '--yes'], place);
  expect(restored).toMatchObject({ code: 0, warned: '' });
}

test('the server of an embedded database works with a role that cannot change the schema', async () => {
  const dataDir = join(folder, 'embedded');
  await mkdir(dataDir);
  try {
    server = await startLiveServer({ dataDir });
    await registerOne(server.url);
    const owner = (await embeddedOf(dataDir)).url;
    expect(await rolesOf(owner)).toEqual(['exam_room_server']);
    const url = new URL(owner);
    url.username = 'exam_room_server';
    expect(await allowed(url.href)).toEqual([]);
    await backUpAndRestore({ dataDir }, server);
    server = await startLiveServer({ dataDir });
    await registerOne(server.url);
  } finally {
    await server?.end('SIGTERM');
    await clear(dataDir);
  }
}, 600_000);

/** An empty database with an owner who is no superuser, and a name for the server's role. */
async function openForeign(): Promise<{
  owner: string;
  url: string;
  drop: () => Promise<void>;
}> {
  const name = `roles_${randomBytes(6).toString('hex')}`;
  const { url: admin } = inject('postgres');
  await withClient(admin, async (client) => {
    await client.query(`create role ${name}_owner login createrole password 'a1b2c3'`);
    await client.query(`create database ${name} owner ${name}_owner`);
  });
  const addressOf = (role: string) => {
    const address = new URL(admin);
    address.pathname = `/${name}`;
    address.username = role;
    address.password = 'a1b2c3';
    return address.href;
  };
  return {
    owner: addressOf(`${name}_owner`),
    url: addressOf(`${name}_server`),
    drop: () =>
      withClient(admin, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
        await client.query(`drop role if exists ${name}_server`);
        await client.query(`drop role if exists ${name}_owner`);
      }),
  };
}

test('with two addresses the owner migrates and the other role, made when it is missing, serves', async () => {
  const dataDir = join(folder, 'foreign');
  const { owner, url, drop } = await openForeign();
  const env = { MIGRATIONS_DATABASE_URL: owner };
  const place = { dataDir, databaseUrl: url, migrationsUrl: owner };
  try {
    server = await startLiveServer({ dataDir, databaseUrl: url, env });
    await registerOne(server.url);
    const role = decodeURIComponent(new URL(url).username);
    expect(await rolesOf(owner)).toEqual([role]);
    expect(await allowed(url)).toEqual([]);
    await backUpAndRestore(place, server);
    server = await startLiveServer({ dataDir, databaseUrl: url, env });
    await registerOne(server.url);
  } finally {
    await server?.end('SIGTERM');
    await drop();
    await clear(dataDir);
  }
}, 600_000);

test('a server whose own role owns the tables does not start beside an address for migrations', async () => {
  const dataDir = join(folder, 'owner');
  const { owner, drop } = await openForeign();
  try {
    const env = { MIGRATIONS_DATABASE_URL: owner };
    await expect(startLiveServer({ dataDir, databaseUrl: owner, env })).rejects.toThrow(
      /из DATABASE_URL может менять таблицы/,
    );
    server = await startLiveServer({ dataDir, databaseUrl: owner });
    expect(server.said.join('\n')).toContain('MIGRATIONS_DATABASE_URL');
  } finally {
    await server?.end('SIGTERM');
    await drop();
    await clear(dataDir);
  }
}, 300_000);
