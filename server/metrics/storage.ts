import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Counter, Gauge, type Registry } from 'prom-client';
import { codeOf } from '#server/db/operator-error.ts';
import type { Deps } from '#server/deps.ts';
import type { BlobStore } from '#server/files/store/blob-store.ts';
import { Refusal } from '#server/http/refusal.ts';

const BLOB_ACTS = ['receive', 'keep', 'open', 'has', 'remove', 'put'] as const;

/** Errors of the disk, as against those of a broken connection. */
const DISK = new Set(['EACCES', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOENT', 'ENOTDIR', 'EPERM']);

/** While bytes arrive, the sender may be at fault: too many, truncated, invalid form. */
function isOfStore(act: (typeof BLOB_ACTS)[number], error: unknown): boolean {
  if (error instanceof Refusal) return error.status >= 500;
  return act !== 'receive' || DISK.has(codeOf(error) ?? '');
}

const listeners = new WeakMap<BlobStore, (act: string) => void>();

/** Reports each failed operation of a store and rethrows; to the last registered listener. */
function reportFailures(blobs: BlobStore, failed: (act: string) => void): void {
  const isWatched = listeners.has(blobs);
  listeners.set(blobs, failed);
  if (isWatched) return;
  for (const act of BLOB_ACTS) {
    const run = blobs[act].bind(blobs) as (...args: unknown[]) => Promise<unknown>;
    const reported = async (...args: unknown[]) => {
      try {
        return await run(...args);
      } catch (error) {
        if (isOfStore(act, error)) listeners.get(blobs)?.(act);
        throw error;
      }
    };
    Object.assign(blobs, { [act]: reported });
  }
}

/** Seconds since 1970 of the newest finished backup; null: there is none. */
async function newestBackup(folder: string): Promise<number | null> {
  const names = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    names
      .filter((name) => name.endsWith('.tar.gz'))
      .map((name) =>
        stat(join(folder, name)).then(
          ({ mtimeMs }) => mtimeMs / 1_000,
          () => 0,
        ),
      ),
  );
  const newest = Math.max(0, ...times);
  return newest === 0 ? null : newest;
}

/** Metrics of the machine, the same in all its processes: disk space, files that could not be stored, the backup, the build. */
export function measureStorage(deps: Deps, registry: Registry): void {
  const registers = [registry];
  const disk = new Gauge({
    name: 'data_dir_bytes',
    help: 'Disk of DATA_DIR: its size, and what the server may still write',
    labelNames: ['state'],
    registers,
    aggregator: 'max',
    async collect() {
      disk.reset();
      const found = await statfs(deps.dataDir).catch(() => null);
      if (!found) return;
      disk.set({ state: 'size' }, found.blocks * found.bsize);
      disk.set({ state: 'free' }, found.bavail * found.bsize);
    },
  });
  const reserve = new Gauge({
    name: 'data_dir_reserve_bytes',
    help: 'Free bytes of the disk of DATA_DIR below which no files are taken',
    registers,
    aggregator: 'max',
  });
  reserve.set(deps.settings.diskReserveBytes);
  const failures = new Counter({
    name: 'blob_store_errors_total',
    help: 'Acts of the store of files that failed',
    labelNames: ['act'],
    registers,
  });
  // A counter that first appears with an error shows no rise.
  for (const act of BLOB_ACTS) failures.inc({ act }, 0);
  reportFailures(deps.blobs, (act) => failures.inc({ act }));

  const backup = new Gauge({
    name: 'backup_newest_timestamp_seconds',
    help: 'When the newest backup was finished; absent while there is none',
    registers,
    aggregator: 'max',
    async collect() {
      const folder = deps.settings.backupDir ?? join(deps.dataDir, 'backups');
      const newest = await newestBackup(folder);
      if (newest === null) backup.remove();
      else backup.set(newest);
    },
  });
  const processes = new Gauge({
    name: 'exam_room_processes',
    help: 'Processes of this machine that serve',
    registers,
  });
  processes.set(1);
  const build = new Gauge({
    name: 'exam_room_build_info',
    help: 'Always 1; the labels tell the version of the product and of Node.js',
    labelNames: ['version', 'node'],
    registers,
    aggregator: 'max',
  });
  build.set({ version: deps.settings.version, node: process.versions.node }, 1);
}
