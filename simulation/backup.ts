import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { one, transaction } from '#server/db/query.ts';

/** Tables of one run in the order in which they can be restored, with the queries that select them. */
const TABLES = [
  ['sessions', 't.user_id = any($1)'],
  ['attempts', 't.user_id = any($1)'],
  ['offers', 't.user_id = any($1)'],
  ['begins', 't.attempt_id in (select id from attempts where user_id = any($1))'],
  ['start_keys', 't.user_id = any($1)'],
  ['stray_operations', 't.user_id = any($1)'],
  ['streams', 't.attempt_id in (select id from attempts where user_id = any($1))'],
  ['operations', 't.attempt_id in (select id from attempts where user_id = any($1))'],
  ['spare_sequences', 't.attempt_id in (select id from attempts where user_id = any($1))'],
  ['answers', 't.attempt_id in (select id from attempts where user_id = any($1))'],
  ['uploads', 't.attempt_id in (select id from attempts where user_id = any($1))'],
] as const;

/** Deleting an attempt cascades to everything below it. */
const CLEARED = ['start_keys', 'stray_operations', 'attempts', 'offers', 'sessions'] as const;

/** Rows and files of the users of one run. */
export interface Backup {
  readonly rows: ReadonlyMap<string, unknown>;
  readonly files: ReadonlyMap<string, Buffer>;
}

async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  await mkdir(folder, { recursive: true });
  const files = new Map<string, Buffer>();
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name)));
  return files;
}

const uploadsOf = (dataDir: string): string => join(dataDir, 'uploads');

export async function takeBackup(
  pool: Pool,
  dataDir: string,
  userIds: readonly string[],
): Promise<Backup> {
  const rows = new Map<string, unknown>();
  for (const [table, condition] of TABLES) {
    const found = await one<{ rows: unknown }>(
      pool,
      `select coalesce(jsonb_agg(to_jsonb(t)), '[]') as rows from ${table} t where ${condition}`,
      [userIds],
    );
    rows.set(table, found?.rows);
  }
  return { rows, files: await readFiles(uploadsOf(dataDir)) };
}

/** Restores a backup: everything these users did since is lost. `withFiles` false: so are their files. */
export async function restoreBackup(
  pool: Pool,
  dataDir: string,
  userIds: readonly string[],
  backup: Backup,
  withFiles: boolean,
): Promise<void> {
  await transaction(pool, async (client) => {
    for (const table of CLEARED) {
      await client.query(`delete from ${table} where user_id = any($1)`, [userIds]);
    }
    for (const [table] of TABLES) {
      await client.query(
        `insert into ${table} overriding system value
         select * from jsonb_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(backup.rows.get(table))],
      );
    }
  });
  await clearFiles(dataDir);
  if (!withFiles) return;
  for (const [name, bytes] of backup.files) await writeFile(join(uploadsOf(dataDir), name), bytes);
}

export async function clearFiles(dataDir: string): Promise<void> {
  await rm(uploadsOf(dataDir), { recursive: true, force: true });
  await mkdir(uploadsOf(dataDir), { recursive: true });
}
