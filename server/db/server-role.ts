import { randomBytes } from 'node:crypto';
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

/** Rows of every table, and nothing of the schema. */
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
    grant connect on database ${database} to ${role};
    grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    revoke insert, update, delete on schema_migrations from ${role};
    grant usage on all sequences in schema ${schema} to ${role}`);
}

/** What a role may do beyond rows; empty: nothing. */
const RIGHTS = `
  select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
      or pg_has_role(rolname, 'pg_execute_server_program', 'member')
      or pg_has_role(rolname, 'pg_write_server_files', 'member')
      or pg_has_role(rolname, 'pg_read_server_files', 'member')
      or has_schema_privilege(rolname, current_schema(), 'create')
      or has_database_privilege(rolname, current_database(), 'create')
      or exists (
        select 1 from pg_class where relnamespace = current_schema()::regnamespace
          and relkind in ('r', 'S') and pg_has_role(rolname, relowner, 'member')
      ) as "mayChange"
  from pg_roles where rolname = $1`;

/** Whether the role of an address can do more than read and write rows. */
export async function canChangeSchema(pool: pg.Pool, url: string): Promise<boolean> {
  const { rows } = await pool.query<{ mayChange: boolean }>(RIGHTS, [roleOf(url).name]);
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
 * Creates the role of the server's address where it does not exist; in the embedded cluster it gets the password
 * of this start.
 * @throws {OperatorError} when the owner may not
 */
export async function ensureServerRole(owner: pg.Pool, serverUrl: string): Promise<void> {
  const { name, password } = roleOf(serverUrl);
  const secret = password === '' ? '' : ` password ${escapeLiteral(password)}`;
  await changeRole(owner, name, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name]);
    const role = escapeIdentifier(name);
    if (rowCount === 0)
      await client.query(`create role ${role} login nosuperuser nocreatedb nocreaterole${secret}`);
    else if (name === EMBEDDED_ROLE && secret !== '')
      await client.query(`alter role ${role}${secret}`);
  });
}

/**
 * Lets the role of the running server read and write rows, after the owner has migrated the database.
 * @throws {OperatorError} when the owner may not, or when the role could still change the schema
 */
export async function grantServerRole(owner: pg.Pool, serverUrl: string): Promise<void> {
  const { name } = roleOf(serverUrl);
  await changeRole(owner, name, (client) => grantRows(client, name));
  if (await canChangeSchema(owner, serverUrl))
    throw new OperatorError(
      `Роль ${name} из DATABASE_URL может менять таблицы базы данных, а сервер должен только читать и писать строки. Укажите в DATABASE_URL другую роль, без прав владельца: сервер создаст её сам.`,
    );
}
