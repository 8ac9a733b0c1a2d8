import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Migration, MIGRATIONS_TABLE } from '#server/db/migrate.ts';
import { rows } from '#server/db/query.ts';
import type { ReadEntry } from './archive-reader.ts';
import type { Opening } from './format.ts';
import { quoted } from './snapshot.ts';
import { damaged } from './backup-error.ts';

/** A schema without constraints, which accepts rows in any order. */
export interface OpenSchema {
  /** Loads the lines of an entry into its table; returns the number of rows. */
  load(table: string, entry: ReadEntry): Promise<number>;
  /** Restores the constraints, checked for every row, and the counters' values. */
  close(): Promise<void>;
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

async function readForeignKeys(client: PoolClient): Promise<ForeignKey[]> {
  return rows<ForeignKey>(
    client,
    `select c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace
     order by 1, 2`,
  );
}

/** Triggers of the tables: their effects are in the backup already. */
async function readTriggered(client: PoolClient): Promise<string[]> {
  const found = await rows<{ name: string }>(
    client,
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace order by 1`,
  );
  return found.map(({ name }) => name);
}

async function refuseOtherTables(client: PoolClient, { tables }: Opening, path: string) {
  const found = await rows<{ name: string; columns: string[] }>(
    client,
    `select c.relname as name, array_agg(a.attname::text) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname`,
  );
  const here = new Map(found.map(({ name, columns }) => [name, columns.toSorted().join()]));
  const fits = tables.every(({ name, columns }) => here.get(name) === columns.toSorted().join());
  if (!fits || here.size !== tables.length)
    throw damaged(path, 'его таблицы не такие, как у программы, которая его сделала');
}

async function setCounters(client: PoolClient, counters: Opening['counters']): Promise<void> {
  for (const { table, column, last } of counters)
    await client.query(
      `with highest as (select greatest(max(${quoted(column)}), $3::bigint) as value from ${quoted(table)})
       select setval(pg_get_serial_sequence($1, $2), value) from highest where value is not null`,
      [quoted(table), column, last],
    );
}

/** Applies migrations in the open transaction. */
export async function applySteps(client: PoolClient, steps: readonly Migration[]): Promise<void> {
  for (const { sql } of steps) await client.query(sql);
}

/**
 * Creates the schema as it was when the backup was made, empty and without foreign keys, since tables reference
 * each other in cycles. Within the open transaction.
 */
export async function openSchema(
  client: PoolClient,
  opening: Opening,
  migrations: readonly Migration[],
  path: string,
): Promise<OpenSchema> {
  const made = new Set(opening.migrations.map(({ name }) => name));
  await client.query(MIGRATIONS_TABLE);
  await applySteps(
    client,
    migrations.filter(({ name }) => made.has(name)),
  );
  await refuseOtherTables(client, opening, path);
  const keys = await readForeignKeys(client);
  for (const { table, name } of keys)
    await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`);
  const triggered = await readTriggered(client);
  for (const table of triggered)
    await client.query(`alter table ${quoted(table)} disable trigger user`);
  await client.query(`truncate ${opening.tables.map(({ name }) => quoted(name)).join(', ')}`);
  const columns = new Map(opening.tables.map((table) => [table.name, table.columns]));
  return {
    async load(table, entry) {
      const into = (columns.get(table) ?? []).map(quoted).join(', ');
      const stream = client.query(copyFrom(`copy ${quoted(table)} (${into}) from stdin`));
      await pipeline(entry.bytes, stream);
      return stream.rowCount;
    },
    async close() {
      for (const { table, name, definition } of keys)
        await client.query(
          `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`,
        );
      for (const table of triggered)
        await client.query(`alter table ${quoted(table)} enable trigger user`);
      await setCounters(client, opening.counters);
    },
  };
}
