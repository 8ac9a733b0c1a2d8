import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { type StopSignal, unstopped } from './batches.ts';

/** Bytes arrive before their row is committed. */
const YOUNG_MS = 86_400_000;
const NAMES_A_BATCH = 500;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Whole, in parts, or left by a killed restore. */
const NAME = new RegExp(`^(${UUID})(?:\\.part)?$|^(${UUID})(?:\\.part)?\\.${UUID}\\.restoring$`);

interface FileName {
  readonly name: string;
  readonly id: string;
  readonly isRestoring: boolean;
}

function readName(name: string): FileName[] {
  const found = NAME.exec(name);
  const id = found?.[1] ?? found?.[2];
  return id === undefined ? [] : [{ name, id, isRestoring: found?.[2] !== undefined }];
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function isOld(path: string, before: Date): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtime < before;
}

interface KnownUpload {
  readonly id: string;
  readonly sha256: string;
  readonly isWhole: boolean;
}

/**
 * Whether a file on this disk is obsolete: nothing names it, or it is the part of an upload that the remote store has
 * completely, left by a server that was killed before it could remove it.
 */
async function isLeft(
  { blobs }: Pick<Deps, 'blobs'>,
  { name, isRestoring }: FileName,
  upload: KnownUpload | undefined,
): Promise<boolean> {
  if (!upload || isRestoring) return true;
  if (!blobs.isRemote || !upload.isWhole || !name.endsWith('.part')) return false;
  return blobs.has(upload.sha256);
}

/**
 * Removes handed-in files without an attempt, and parts that are stored elsewhere: first in the database, then on the
 * disk, so that an interruption leaves a file and never a row without one.
 * @param now by the clock of the disk
 * @returns the number of files
 */
export async function sweepUploads(
  deps: Pick<Deps, 'pool' | 'dataDir' | 'blobs'>,
  now: Date,
  { isStopped }: StopSignal = unstopped,
): Promise<number> {
  const folder = join(deps.dataDir, 'uploads');
  const before = new Date(now.getTime() - YOUNG_MS);
  const names = (await namesIn(folder)).flatMap(readName);
  let removed = 0;
  for (let from = 0; from < names.length; from += NAMES_A_BATCH) {
    const part = names.slice(from, from + NAMES_A_BATCH);
    const found = await rows<KnownUpload>(
      deps.pool,
      `select id, sha256, completed_at is not null as "isWhole" from uploads where id = any($1)`,
      [part.map(({ id }) => id)],
    );
    const known = new Map(found.map((upload) => [upload.id, upload]));
    for (const file of part) {
      if (isStopped()) return removed;
      const path = join(folder, file.name);
      if (!(await isOld(path, before))) continue;
      if (!(await isLeft(deps, file, known.get(file.id)))) continue;
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
}
