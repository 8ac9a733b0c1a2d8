import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { messageOf, OperatorError } from './operator-error.ts';

/** The role of the running server in the embedded cluster; its owner migrates, backs up and restores. */
const EMBEDDED_ROLE = 'exam_room_server';
const ROLE_LOCK = 4_071_805_326;

const { escapeIdentifier, escapeLiteral } = pg;

/** The address with which the running server uses the embedded database of its owner's address. */
export function embeddedServerUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = EMBEDDED_ROLE;
  // Over TCP the cluster requires a password: a new one at every start.
  if (url.password !== '') url.password = randomBytes(24).toString('base64url');
  return url.href;
}

const roleOf = (serverUrl: string): { name: string; password: string } => {
  const { username, password } = new URL(serverUrl);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
};

/** Rows of every table, and nothing of the schema, whatever the role was given before. */
async function grantRows(client: pg.ClientBase, name: string): Promise<void> {
  const role = escapeIdentifier(name);
  const { rows } = await client.query<{ database: string; schema: string }>(
    'select current_database() as database, current_schema() as schema',
  );
  const [found] = rows;
  if (!found) return;
  const [database, schema] = [escapeIdentifier(found.database), escapeIdentifier(found.schema)];
  await client.query(`
    revoke create on schema ${schema} from public;
    revoke create, temporary on database ${database} from public;
    grant usage on schema ${schema} to ${role};
    revoke all on all tables in schema ${schema} from ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    revoke insert, update, delete on schema_migrations from ${role};
    grant usage on all sequences in schema ${schema} to ${role}`);
}

/** Whether the role of a connection may do more than read and write rows, by itself or by a role it belongs to. */
const MAY_CHANGE = `
  select has_schema_privilege(current_schema(), 'create')
    or has_database_privilege(current_database(), 'create')
    or has_table_privilege('pg_catalog.pg_authid', 'select')
    or exists (
      select 1 from pg_roles where pg_has_role(oid, 'member') and (
        rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
        or rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')))
    or exists (
      select 1 from pg_namespace where oid = current_schema()::regnamespace
        and pg_has_role(nspowner, 'member'))
    or exists (
      select 1 from pg_database where datname = current_database() and pg_has_role(datdba, 'member'))
    or exists (
      select 1 from pg_class where relnamespace = current_schema()::regnamespace
        and (pg_has_role(relowner, 'member') or relkind in ('r', 'p')
          and has_table_privilege(oid, 'truncate, references, trigger'))) as "mayChange"`;

/** Whether the role of a pool can do more than read and write rows. */
export async function canChangeSchema(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ mayChange: boolean }>(MAY_CHANGE);
  return rows[0]?.mayChange ?? true;
}

const asRoleError = (error: unknown, name: string): OperatorError =>
  new OperatorError(
    `Роль базы данных ${name}, с которой работает сервер, подготовить не удалось: ${messageOf(error)}. Создайте её сами (CREATE ROLE ${name} LOGIN PASSWORD '…'), а в MIGRATIONS_DATABASE_URL укажите владельца базы данных и её таблиц.`,
    { cause: error },
  );

/** In one transaction after the other: rights of one object that several servers change at once collide. */
async function changeRole(
  owner: pg.Pool,
  name: string,
  change: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [ROLE_LOCK]);
    await change(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw asRoleError(error, name);
  } finally {
    client.release();
  }
}

/**
 * Creates the role of the server's address where it does not exist.
 * @param isOurs in the embedded cluster: the role gets the password of this start
 * @throws {OperatorError} when the owner may not
 */
export async function ensureServerRole(
  owner: pg.Pool,
  serverUrl: string,
  isOurs: boolean,
): Promise<void> {
  const { name, password } = roleOf(serverUrl);
  const secret = password === '' ? '' : ` password ${escapeLiteral(password)}`;
  await changeRole(owner, name, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name]);
    const role = escapeIdentifier(name);
    if (rowCount === 0)
      await client.query(`create role ${role} login nosuperuser nocreatedb nocreaterole${secret}`);
    else if (isOurs && secret !== '') await client.query(`alter role ${role}${secret}`);
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    await client.query(
      `grant connect on database ${escapeIdentifier(rows[0]?.name ?? '')} to ${role}`,
    );
  });
}

/**
 * Lets the role of the running server read and write rows, after the owner has migrated the database.
 * @throws {OperatorError} when the owner may not
 */
export async function grantServerRole(owner: pg.Pool, serverUrl: string): Promise<void> {
  const { name } = roleOf(serverUrl);
  await changeRole(owner, name, (client) => grantRows(client, name));
}

/** Equal for two pools of one migrated database alone. */
const PLACE = `select (select oid from pg_database where datname = current_database())::text as database,
  (select extract(epoch from min(applied_at))::text from schema_migrations) as migrated`;

/**
 * Refuses a role that could still change the schema, and one that is in another database than the owner.
 * @throws {OperatorError}
 */
export async function requireRowsOnly(
  owner: pg.Pool,
  server: pg.Pool,
  serverUrl: string,
): Promise<void> {
  const { name } = roleOf(serverUrl);
  const { rows: migrated } = await owner.query(PLACE);
  const { rows: served } = await server.query(PLACE).catch(() => ({ rows: [] }));
  if (!isDeepStrictEqual(migrated, served))
    throw new OperatorError(
      'DATABASE_URL и MIGRATIONS_DATABASE_URL ведут в разные базы данных или схемы. Они различаются только ролью и паролем: исправьте адреса.',
    );
  if (await canChangeSchema(server))
    throw new OperatorError(
      `Роль ${name} из DATABASE_URL может менять таблицы базы данных, а сервер должен только читать и писать строки. Укажите в DATABASE_URL другую роль, без прав владельца: сервер создаст её сам.`,
    );
}
