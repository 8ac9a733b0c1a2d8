import type { FastifyBaseLogger } from 'fastify';
import type { ClosingSteps } from '#server/closing.ts';
import type { Environment } from '#server/environment.ts';
import { createPool, type Database, openDatabase, requireFsync } from './connect.ts';
import { migrate } from './migrate.ts';
import {
  canChangeSchema,
  embeddedServerUrl,
  ensureServerRole,
  grantServerRole,
  requireRowsOnly,
} from './server-role.ts';
import { registerServer } from './serving.ts';

/** How many connections a process and all processes of this machine open. */
export interface Connections {
  readonly poolSize: number;
  readonly connections: number;
}

interface Operation {
  readonly log: FastifyBaseLogger;
  readonly say: (line: string) => void;
  readonly closing: ClosingSteps;
}

const MIGRATION_POOL_SIZE = 2;

const OWNER_SERVES =
  'Сервер работает с базой данных от роли, которая может менять таблицы. Безопаснее две роли: укажите владельца в MIGRATIONS_DATABASE_URL, а в DATABASE_URL роль без прав владельца.';

async function migrateAsOwner({ pool }: Database, log: FastifyBaseLogger): Promise<void> {
  const migrations = await migrate(pool);
  if (migrations.length > 0) log.info({ migrations }, 'migrated');
}

/** The address of a role that serves rows of the embedded database, which its owner migrates. */
async function prepareEmbedded(
  { DATA_DIR: dataDir }: Environment,
  { log, say, closing }: Operation,
  { poolSize, connections }: Connections,
): Promise<Database> {
  const owner = await openDatabase({
    dataDir,
    say,
    poolSize: MIGRATION_POOL_SIZE,
    connections: connections + MIGRATION_POOL_SIZE,
  });
  closing.push(() => owner.close());
  await migrateAsOwner(owner, log);
  const url = embeddedServerUrl(owner.url);
  await ensureServerRole(owner.pool, url, true);
  await grantServerRole(owner.pool, url);
  const pool = createPool(url, poolSize, say);
  closing.push(() => pool.end());
  await requireRowsOnly(owner.pool, pool, url);
  await owner.pool.end();
  return { pool, url, where: owner.where, close: owner.close };
}

/** One address for everything: its role owns the tables. */
async function prepareOwned(
  databaseUrl: string,
  { ALLOW_FSYNC_OFF, DATA_DIR: dataDir }: Environment,
  { log, say, closing }: Operation,
  { poolSize }: Connections,
): Promise<Database> {
  const database = await openDatabase({ databaseUrl, dataDir, say, poolSize });
  closing.push(() => database.close());
  await requireFsync(database, ALLOW_FSYNC_OFF, say);
  closing.push(await registerServer(databaseUrl));
  await migrateAsOwner(database, log);
  if (await canChangeSchema(database.pool)) say(OWNER_SERVES);
  return database;
}

/** Two addresses: the owner migrates and grants, the other role serves. */
async function prepareServed(
  databaseUrl: string,
  ownerUrl: string,
  environment: Environment,
  { log, say, closing }: Operation,
  poolSize: number,
): Promise<Database> {
  const { ALLOW_FSYNC_OFF, DATA_DIR: dataDir } = environment;
  const owner = await openDatabase({
    databaseUrl: ownerUrl,
    dataDir,
    say,
    poolSize: MIGRATION_POOL_SIZE,
  });
  try {
    await requireFsync(owner, ALLOW_FSYNC_OFF, say);
    await ensureServerRole(owner.pool, databaseUrl, false);
    const database = await openDatabase({ databaseUrl, dataDir, say, poolSize });
    closing.push(() => database.close());
    closing.push(await registerServer(databaseUrl));
    await migrateAsOwner(owner, log);
    await grantServerRole(owner.pool, databaseUrl);
    await requireRowsOnly(owner.pool, database.pool, databaseUrl);
    return database;
  } finally {
    await owner.close();
  }
}

/**
 * Migrates the database and opens it for the running server, which can neither change the schema nor act as a
 * superuser where the operator gave two addresses, or none.
 * @throws {OperatorError}
 */
export async function prepareDatabase(
  environment: Environment,
  operation: Operation,
  connections: Connections,
): Promise<Database> {
  const { DATABASE_URL: url, MIGRATIONS_DATABASE_URL: ownerUrl } = environment;
  if (url === undefined) return prepareEmbedded(environment, operation, connections);
  if (ownerUrl === undefined) return prepareOwned(url, environment, operation, connections);
  return prepareServed(url, ownerUrl, environment, operation, connections.poolSize);
}
