import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { messageOf, OperatorError } from './operator-error.ts';

/** A migration: a plain SQL file `NNNN_name.sql`. `sha256` in hex, over the text with LF ends. */
export type Migration = { name: string; sql: string; sha256: string };

const MIGRATION_LOCK = 4_071_805_319;
/** The table of applied migrations. */
export const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations (
  name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(), sha256 text NOT NULL)`;
const NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

/** The folder of migrations, beside the sources or beside the bundle. */
export function migrationsFolder(): string {
  const places = ['./migrations', '../db/migrations', '../migrations'];
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = folders.find((folder) => existsSync(folder));
  if (found !== undefined) return found;
  throw new OperatorError(
    `Не нашлась папка с миграциями базы данных (${folders.join(', ')}). Соберите программу заново: npm run build`,
  );
}

/** Reads the migrations in order; a wrong or duplicate number is an error. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const numbers = new Set<string>();
  for (const name of names) {
    if (!NAME.test(name)) throw new Error(`migration ${name} must be called NNNN_name.sql`);
    if (numbers.has(name.slice(0, 4)))
      throw new Error(`two migrations have the number ${name.slice(0, 4)}`);
    numbers.add(name.slice(0, 4));
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Applies new migrations: each in a transaction of its own, all under one lock, so that several nodes may start
 * at once. Throws OperatorError when the database was made by other files than these, and when a file fails
 * (nothing of that file stays). Returns the names of the applied files.
 */
export async function migrate(
  pool: pg.Pool,
  folder: string = migrationsFolder(),
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const done: string[] = [];
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(MIGRATIONS_TABLE);
    const { rows } = await client.query<{ name: string; sha256: string }>(
      'SELECT name, sha256 FROM schema_migrations',
    );
    const applied = new Map(rows.map((row) => [row.name, row.sha256]));
    refuseForeign(migrations, applied);
    for (const migration of migrations) {
      if (applied.has(migration.name)) continue;
      await apply(client, migration);
      done.push(migration.name);
    }
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    broken = false;
    return done;
  } finally {
    // a connection that may still hold the lock is closed, which frees it
    client.release(broken);
  }
}

function refuseForeign(migrations: Migration[], applied: Map<string, string>): void {
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]));
  for (const [name, sha256] of applied) {
    const here = known.get(name);
    if (here === undefined) {
      throw new OperatorError(
        `База данных новее программы: в ней есть шаг ${name}, которого программа не знает. Запустите новую версию программы или верните базу из резервной копии.`,
      );
    }
    if (here !== sha256) {
      throw new OperatorError(
        `Файл миграции ${name} изменён после того, как был применён к этой базе. Верните прежний файл, а изменение запишите новым шагом.`,
      );
    }
  }
}

async function apply(client: pg.PoolClient, { name, sql, sha256 }: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [
      name,
      sha256,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new OperatorError(
      `Шаг ${name} не применился к базе данных${atLine(error, sql)}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** PostgreSQL reports the position of a syntax error as a character's number. */
function atLine(error: unknown, sql: string): string {
  if (!(error instanceof Error && 'position' in error)) return '';
  return ` (строка ${sql.slice(0, Number(error.position)).split('\n').length})`;
}
