import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { BackupMade, BackupOptions } from '#server/backup/make.ts';
import { makeBackup } from '#server/backup/make.ts';
import { restoreBackup, type RestoreResult, type RestoreOptions } from '#server/backup/restore.ts';
import { rows } from '#server/db/query.ts';
import { diskBlobs } from '#server/files/store/disk.ts';
import { createTestDatabase } from './database.ts';
import type { TestDatabase } from './postgres.ts';

/** A machine: a database and a data folder. */
export interface Machine extends TestDatabase {
  readonly dataDir: string;
}

export const BACKED_UP_AT = new Date('2026-11-21T15:42:00.000Z');

/** Machines of one test file and the folder of its backups. */
export interface Machines {
  /** Of the copies. */
  readonly folder: string;
  open(): Promise<Machine>;
  close(): Promise<void>;
}

export async function openMachines(): Promise<Machines> {
  const home = await mkdtemp(join(tmpdir(), 'exam-room-backup-'));
  const opened: Machine[] = [];
  return {
    folder: join(home, 'copies'),
    async open() {
      const machine = {
        ...(await createTestDatabase()),
        dataDir: await mkdtemp(join(home, 'data-')),
      };
      opened.push(machine);
      return machine;
    },
    async close() {
      for (const machine of opened) await machine.drop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

type Place = Pick<Machine, 'pool' | 'dataDir'>;

export const backUp = (
  { pool, dataDir }: Place,
  target: string,
  extra: Partial<BackupOptions> = {},
): Promise<BackupMade> =>
  makeBackup({
    pool,
    dataDir,
    blobs: diskBlobs(dataDir),
    target,
    productVersion: '1.0.0+test',
    now: BACKED_UP_AT,
    ...extra,
  });

/** Restores over existing data, by default. */
export const restoreOn = (
  { pool, dataDir }: Place,
  path: string,
  extra: Partial<RestoreOptions> = {},
): Promise<RestoreResult> =>
  restoreBackup({
    pool,
    dataDir,
    blobs: diskBlobs(dataDir),
    path,
    productVersion: '1.0.0+test',
    now: BACKED_UP_AT,
    mayReplace: () => Promise.resolve(true),
    ...extra,
  });

/** A hash of the rows of every table, except the server epoch, which a restore raises. */
export async function contentsOf(pool: Pool): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(
    pool,
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const source =
      name === 'server_state' ? '(select seal_key, created_at from server_state)' : `"${name}"`;
    const [found] = await rows<{ hash: string }>(
      pool,
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash
       from ${source} t`,
    );
    hashes[name] = found?.hash ?? '';
  }
  return hashes;
}

/** Constraints, triggers, indexes and functions of the schema. */
export async function schemaOf(pool: Pool): Promise<string[]> {
  const found = await rows<{ line: string }>(
    pool,
    `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated::text as line
       from pg_constraint where connamespace = current_schema()::regnamespace
     union all select tgrelid::regclass || ' ' || tgname || tgenabled::text from pg_trigger where not tgisinternal
     union all select indexdef from pg_indexes where schemaname = current_schema()
     union all select oid::regprocedure::text from pg_proc
       where pronamespace = current_schema()::regnamespace
     order by 1`,
  );
  return found.map(({ line }) => line);
}

/** The same without the keys of receipts: a restore retires the copy's and makes another. */
export async function restorableOf(pool: Pool): Promise<Record<string, string>> {
  const { receipt_keys: _keys, ...others } = await contentsOf(pool);
  return others;
}
