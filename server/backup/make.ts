import { chown, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Pool } from 'pg';
import { type ArchiveWriter, createArchive } from './archive-writer.ts';
import {
  FORMAT,
  FORMAT_VERSION,
  MANIFEST,
  type Manifest,
  type Opening,
  OPENING,
  tablePart,
} from './format.ts';
import { sweepUnfinished, unfinishedOf } from './names.ts';
import { addFiles, type FilePlaces } from './snapshot-files.ts';
import { type Snapshot, withSnapshot } from './snapshot.ts';
import { goOn, noRoom, asWriteError } from './backup-error.ts';
import { verifyBackup } from './verify.ts';

/** Progress for the person; bytes of copied data. */
export interface BackupWatch {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: (stage: 'copying' | 'checking', done: number, all: number) => void;
}

export interface BackupOptions extends FilePlaces, BackupWatch {
  readonly pool: Pool;
  /** Must not exist yet. */
  readonly target: string;
  readonly productVersion: string;
  readonly now: Date;
  /** Free bytes of the disk of a folder; the system's own unless given. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

export interface BackupMade {
  readonly path: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Rows of all tables. */
  readonly rows: number;
  /** Files of people. */
  readonly files: number;
  /** Files that the database names and that were missing or damaged. */
  readonly missing: readonly string[];
}

/** Room for answers is more important than a backup. */
const LEFT_FREE_BYTES = 256 * 1024 * 1024;
const LOOK_EVERY_BYTES = 4 * 1024 * 1024;

async function systemFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function addTables(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  step: (bytes: number) => void,
): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const table of snapshot.described.tables) {
    let number = 0;
    let rows = 0;
    for await (const part of snapshot.copy(table)) {
      step(part.bytes.length);
      number += 1;
      rows += part.rows;
      await archive.addWhole(tablePart(table.name, number), part.bytes);
    }
    counted[table.name] = rows;
  }
  return counted;
}

/** Bytes of the snapshot's files; they do not compress. */
async function bytesOfFiles(snapshot: Snapshot): Promise<number> {
  const blobs = (await snapshot.blobs()).reduce((sum, { size }) => sum + size, 0);
  return (await snapshot.uploads()).reduce((sum, { received }) => sum + received, blobs);
}

async function writeArchive(
  path: string,
  snapshot: Snapshot,
  options: BackupOptions,
): Promise<Manifest> {
  const { freeBytes = systemFreeBytes, now, productVersion, signal, progress } = options;
  const folder = dirname(path);
  const needs = snapshot.bytes + (await bytesOfFiles(snapshot));
  const free = await freeBytes(folder);
  if (free < needs + LEFT_FREE_BYTES) throw noRoom(folder, needs + LEFT_FREE_BYTES, free);
  let looked = 0;
  const archive = await createArchive(path, {
    madeAt: now,
    async onWritten(written) {
      if (written - looked < LOOK_EVERY_BYTES) return;
      looked = written;
      const left = await freeBytes(folder);
      if (left < LEFT_FREE_BYTES) throw noRoom(folder, needs + LEFT_FREE_BYTES, left + written);
    },
  });
  try {
    let done = 0;
    const step = (bytes: number) => {
      goOn(signal);
      done += bytes;
      progress?.('copying', done, needs);
    };
    const opening: Opening = {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      productVersion,
      madeAt: now.toISOString(),
      ...snapshot.described,
    };
    await archive.addWhole(OPENING, Buffer.from(JSON.stringify(opening, null, 1)));
    const rows = await addTables(archive, snapshot, step);
    const missing = await addFiles(archive, snapshot, options, step);
    const manifest: Manifest = { entries: [...archive.entries], rows, missing };
    await archive.addWhole(MANIFEST, Buffer.from(JSON.stringify(manifest)));
    await archive.finish();
    return manifest;
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

/** The file gets the owner of its folder: the server's account can remove what root creates. */
async function copyFolderOwner(folder: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  await chown(path, uid, gid);
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Saves database and files of one moment in one file, verifies it, and only then renames it. The server may run
 * meanwhile. Leaves nothing behind when it throws.
 * @throws {OperatorError}; {Stopped} after the signal
 */
export async function makeBackup(options: BackupOptions): Promise<BackupMade> {
  const { target, signal, progress } = options;
  const folder = dirname(target);
  const unfinished = unfinishedOf(target);
  try {
    await mkdir(folder, { recursive: true });
    await sweepUnfinished(folder);
    const manifest = await withSnapshot(options.pool, (snapshot) =>
      writeArchive(unfinished, snapshot, options),
    );
    const all = manifest.entries.reduce((sum, { size }) => sum + size, 0);
    await verifyBackup(unfinished, {
      signal,
      progress: (read) => progress?.('checking', read, all),
    });
    await copyFolderOwner(folder, unfinished);
    const { size } = await stat(unfinished);
    await rename(unfinished, target);
    await syncFolder(folder);
    return {
      path: target,
      size,
      rows: Object.values(manifest.rows).reduce((sum, count) => sum + count, 0),
      files: manifest.entries.filter(({ name }) => /^(blobs|uploads)\//.test(name)).length,
      missing: manifest.missing,
    };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw asWriteError(error, target);
  }
}
