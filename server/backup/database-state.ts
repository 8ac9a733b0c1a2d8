import type { PoolClient } from 'pg';
import type { Migration } from '#server/db/migrate.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import { quoted } from './snapshot.ts';

/** The state of the database that a backup is restored into. */
export interface DatabaseState {
  readonly tables: readonly string[];
  readonly people: number;
  readonly attempts: number;
  /** Null: no server ever used it. */
  readonly epoch: number | null;
}

const TABLES = /^\s*create table (?:if not exists )?"?([a-z_][a-z0-9_]*)/gim;
const FUNCTIONS = /^\s*create (?:or replace )?function "?([a-z_][a-z0-9_]*)/gim;

/** Names of everything that the product has ever created. */
const namesIn = (migrations: readonly Migration[], pattern: RegExp): string[] =>
  migrations.flatMap(({ sql }) => [...sql.matchAll(pattern)].map(([, name = '']) => name));

const countOf = async (db: Client, table: string): Promise<number> =>
  (await one<{ count: number }>(db, `select count(*) as count from ${quoted(table)}`))?.count ?? 0;

/**
 * Reads the database's state without changing it.
 * @throws {OperatorError} when it has foreign tables: they are never removed
 */
export async function readState(
  db: Client,
  migrations: readonly Migration[],
): Promise<DatabaseState> {
  const found = await rows<{ name: string }>(
    db,
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
     order by relname`,
  );
  const tables = found.map(({ name }) => name);
  const own = new Set(['schema_migrations', ...namesIn(migrations, TABLES)]);
  const strange = tables.filter((name) => !own.has(name));
  if (strange.length > 0)
    throw new OperatorError(
      `В этой базе есть таблицы другой или более новой программы (${strange.slice(0, 5).join(', ')}). Восстановление их не трогает: укажите в DATABASE_URL пустую базу.`,
    );
  const has = (table: string) => tables.includes(table);
  const state = has('server_state')
    ? await one<{ epoch: number }>(db, 'select epoch from server_state')
    : null;
  return {
    tables,
    people: has('users') ? await countOf(db, 'users') : 0,
    attempts: has('attempts') ? await countOf(db, 'attempts') : 0,
    epoch: state?.epoch ?? null,
  };
}

/** Removes what the product created in the database, and nothing else. */
export async function clearDatabase(
  client: PoolClient,
  { tables }: DatabaseState,
  migrations: readonly Migration[],
): Promise<void> {
  if (tables.length > 0) await client.query(`drop table ${tables.map(quoted).join(', ')} cascade`);
  const functions = await rows<{ signature: string }>(
    client,
    `select oid::regprocedure::text as signature from pg_proc
     where pronamespace = current_schema()::regnamespace and proname = any($1)`,
    [namesIn(migrations, FUNCTIONS)],
  );
  for (const { signature } of functions) await client.query(`drop function ${signature} cascade`);
}

const EPOCHS_SINCE = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

/**
 * The server epoch after a restore. Devices resend only when it exceeds what they have seen, and a wiped
 * machine cannot know what that was: the same backup restored twice must not give the same epoch. So it is at
 * least the minutes since 2026, which the number of restores cannot exceed.
 */
export function nextEpoch(known: readonly (number | null)[], now: Date): number {
  const minutes = Math.floor((now.getTime() - EPOCHS_SINCE) / MINUTE_MS);
  return Math.max(minutes, ...known.map((epoch) => (epoch ?? 0) + 1));
}
