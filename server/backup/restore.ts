import type { Pool, PoolClient } from 'pg';
import { type Migration, migrationsFolder, readMigrations } from '#server/db/migrate.ts';
import { codeOf, OperatorError } from '#server/db/operator-error.ts';
import { execute, rows, transaction } from '#server/db/query.ts';
import { lockOutServers } from '#server/db/serving.ts';
import { renewRestoredKeys, storedKeys } from '#server/receipts/keys.ts';
import { readArchive, type ReadEntry, readWhole } from './archive-reader.ts';
import { type DatabaseState, clearDatabase, nextEpoch, readState } from './database-state.ts';
import { applySteps, openSchema } from './load.ts';
import { assignOwner, restoreLan, restoreUpload, syncUploads } from './put-files.ts';
import type { FilePlaces } from './snapshot-files.ts';
import { damaged, goOn, asWriteError } from './backup-error.ts';
import { refuseNewer, refuseOthers, type VerifiedBackup, verifyBackup } from './verify.ts';

export interface RestoreOptions extends FilePlaces {
  readonly pool: Pool;
  readonly path: string;
  readonly productVersion: string;
  readonly now: Date;
  /** Whether the present database may be replaced; called only if it has data. */
  readonly mayReplace: (state: DatabaseState, backup: VerifiedBackup) => Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
  /** `all` is 0 while unknown. */
  readonly progress?: (stage: 'checking' | 'restoring', done: number, all: number) => void;
  /** The folder of migrations; the program's own unless given. */
  readonly migrations?: string;
}

export interface RestoreResult {
  readonly backup: VerifiedBackup;
  readonly epoch: number;
  /** Migrations that the backup did not have yet. */
  readonly steps: readonly string[];
}

const LAN_BYTES = 1024 * 1024;

const refusal = (state: DatabaseState): OperatorError =>
  new OperatorError(
    `База данных не пуста: людей — ${state.people}, попыток — ${state.attempts}. Ничего не изменено. Чтобы заменить её содержимое, добавьте --replace: то, что в ней сейчас, пропадёт.`,
  );

/** No other process may use the database, before and while it is replaced. */
async function claimAlone(client: PoolClient): Promise<void> {
  await client.query(`set local lock_timeout = '10s'`);
  await client.query('set local statement_timeout = 0');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  if (!(await lockOutServers(client)))
    throw new OperatorError(
      'С этой базой данных работает сервер. Остановите его на всех машинах и запустите восстановление ещё раз.',
    );
}

async function setEpoch(client: PoolClient, epoch: number): Promise<void> {
  const changed = await execute(client, 'update server_state set epoch = $1', [epoch]);
  if (changed !== 1)
    throw new OperatorError('В резервной копии нет ключа сервера: ею нельзя заменить базу данных.');
}

/** Reads an entry and discards it. */
async function drain(entry: ReadEntry): Promise<void> {
  for await (const _piece of entry.bytes) continue;
}

/** Reads the archive once more and restores everything. Returns the files of the `lan` folder. */
async function restoreArchive(
  client: PoolClient,
  options: RestoreOptions,
  verified: VerifiedBackup,
  migrations: readonly Migration[],
): Promise<Map<string, Buffer>> {
  const { path, dataDir, blobs, signal, progress } = options;
  const { opening, manifest } = verified;
  const all = manifest.entries.reduce((sum, { size }) => sum + size, 0);
  const isMissing = new Set(manifest.missing);
  const lan = new Map<string, Buffer>();
  const counted = new Map<string, number>();
  const schema = await openSchema(client, opening, migrations, path);
  let done = 0;

  async function restoreEntry(entry: ReadEntry): Promise<void> {
    goOn(signal);
    const { place } = entry;
    if (place.kind === 'table') {
      const loaded = await schema.load(place.table, entry);
      counted.set(place.table, (counted.get(place.table) ?? 0) + loaded);
    } else if (place.kind === 'blob' && !isMissing.has(entry.name))
      await blobs.put(place.sha256, entry.size, entry.bytes);
    else if (place.kind === 'upload') await restoreUpload(dataDir, place.file, entry);
    else if (place.kind === 'lan') lan.set(place.file, await readWhole(entry, LAN_BYTES, path));
    else await drain(entry);
    progress?.('restoring', (done += entry.size), all);
  }
  const read = await readArchive(path, restoreEntry);
  refuseOthers(read, manifest, path);
  for (const [table, rows] of Object.entries(manifest.rows))
    if ((counted.get(table) ?? 0) !== rows) throw damaged(path, `в таблице ${table} не все строки`);
  await schema.close();
  await syncUploads(dataDir);
  return lan;
}

interface KnownBlob {
  readonly sha256: Buffer;
  readonly size: number;
}

/** The blobs known to the database that will be replaced. */
const knownBlobs = (client: PoolClient, { tables }: DatabaseState): Promise<KnownBlob[]> =>
  tables.includes('blobs')
    ? rows<KnownBlob>(client, 'select sha256, size from blobs')
    : Promise.resolve([]);

/**
 * Blobs that only the replaced database knew are recorded as unnamed: they are swept after a day unless a device has
 * sent them again. A blob that no database knew is not touched: it may be another server's.
 */
const adoptBlobs = (client: PoolClient, known: readonly KnownBlob[], now: Date) =>
  execute(
    client,
    `insert into blobs (sha256, size, created_at, unnamed_since)
     select sha256, size, $3, $3 from unnest($1::bytea[], $2::bigint[]) as k (sha256, size)
     on conflict do nothing`,
    [known.map(({ sha256 }) => sha256), known.map(({ size }) => size), now],
  );

/** Database failures that an operator can fix or must understand. */
function asLoadError(error: unknown, options: RestoreOptions): unknown {
  const code = codeOf(error) ?? '';
  if (code === '53100' || code === 'STORAGE_FULL')
    return new OperatorError(
      'На диске кончилось место. Прежнее осталось как было. Освободите место и запустите восстановление ещё раз.',
      { cause: error },
    );
  if (code === '55P03')
    return new OperatorError(
      'База данных занята другой программой. Остановите всё, что с ней работает, и запустите восстановление ещё раз.',
      { cause: error },
    );
  // Class 22: an invalid value; class 23: rows that violate a constraint.
  if (/^2[23]/.test(code))
    return damaged(options.path, 'его строки противоречат друг другу', error);
  return asWriteError(error, options.dataDir);
}

/**
 * Verifies a backup, then replaces database and files by it: the database in one transaction, files before its
 * end, so that an interruption leaves the old state and a retry repeats everything. The server epoch rises, so
 * devices resend what they retain. Another key signs receipts.
 * @throws {OperatorError}; {Stopped} after the signal. The database is unchanged then
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { pool, path, productVersion, now, signal, progress, dataDir } = options;
  const migrations = await readMigrations(options.migrations ?? migrationsFolder());
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]));
  const verified = await verifyBackup(path, {
    signal,
    progress: (read) => progress?.('checking', read, 0),
    onOpening: (opening) => refuseNewer(opening, { productVersion, migrations: known }, path),
  });
  const { opening } = verified;
  const before = await readState(pool, migrations);
  if (before.people > 0 && !(await options.mayReplace(before, verified))) throw refusal(before);
  const had = new Set(opening.migrations.map(({ name }) => name));
  const fresh = migrations.filter(({ name }) => !had.has(name));

  const { lan, epoch } = await transaction(pool, async (client) => {
    await claimAlone(client);
    const state = await readState(client, migrations);
    if (state.people !== before.people) throw refusal(state);
    const replaced = await knownBlobs(client, state);
    const replacedKeys = state.tables.includes('receipt_keys') ? await storedKeys(client) : [];
    await clearDatabase(client, state, migrations);
    const files = await restoreArchive(client, options, verified, migrations);
    for (const step of fresh) {
      await applySteps(client, [step]);
      await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
        step.name,
        step.sha256,
      ]);
    }
    await adoptBlobs(client, replaced, now);
    await renewRestoredKeys(client, replacedKeys, now);
    const raised = nextEpoch([opening.epoch, state.epoch], now);
    await setEpoch(client, raised);
    goOn(signal);
    return { lan: files, epoch: raised };
  }).catch((error: unknown) => {
    throw asLoadError(error, options);
  });

  await restoreLan(dataDir, lan);
  await assignOwner(dataDir);
  await pool.query('analyze');
  return { backup: verified, epoch, steps: fresh.map(({ name }) => name) };
}
