import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { rows } from '#server/db/query.ts';

/** Bytes come before their row is committed. */
const YOUNG_MS = 86_400_000;
const NAMES_A_BATCH = 500;
const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.part)?$/;

const idOf = (name: string): string | null => NAME.exec(name)?.[1] ?? null;

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

/**
 * Removes handed-in files whose attempt is gone: the database forgets first, then the disk, so that a
 * cut between the two leaves a file and never a row without one.
 * @param now by the clock of the disk
 * @returns how many files
 */
export async function sweepUploads(pool: Pool, dataDir: string, now: Date): Promise<number> {
  const folder = join(dataDir, 'uploads');
  const before = new Date(now.getTime() - YOUNG_MS);
  const names = (await namesIn(folder)).filter((name) => idOf(name) !== null);
  let removed = 0;
  for (let from = 0; from < names.length; from += NAMES_A_BATCH) {
    const part = names.slice(from, from + NAMES_A_BATCH);
    const found = await rows<{ id: string }>(pool, 'select id from uploads where id = any($1)', [
      part.map(idOf),
    ]);
    const known = new Set(found.map(({ id }) => id));
    for (const name of part) {
      const path = join(folder, name);
      if (known.has(idOf(name) ?? '') || !(await isOld(path, before))) continue;
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
}
