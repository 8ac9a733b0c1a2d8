import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { changeTreeOwner } from '#server/db/embedded/account.ts';
import type { ReadEntry } from './archive-reader.ts';

async function syncPath(path: string, flags: string): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes a handed-in file atomically. */
export async function restoreUpload(
  dataDir: string,
  name: string,
  entry: ReadEntry,
): Promise<void> {
  const folder = join(dataDir, 'uploads');
  const fresh = join(folder, `${name}.${randomUUID()}.restoring`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await pipeline(entry.bytes, createWriteStream(fresh, { flags: 'wx', mode: 0o600 }));
    await syncPath(fresh, 'r+');
    await rename(fresh, join(folder, name));
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** Makes the names of the uploads durable before the database commits them. */
export async function syncUploads(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'uploads');
  if (process.platform !== 'win32' && existsSync(folder)) await syncPath(folder, 'r');
}

/** The keys that phones trust, all of one kind: a key and a certificate of two kinds do not match. */
export async function restoreLan(
  dataDir: string,
  files: ReadonlyMap<string, Buffer>,
): Promise<void> {
  if (files.size === 0) return;
  const folder = join(dataDir, 'lan');
  const fresh = `${folder}.restoring`;
  const old = `${folder}.replaced`;
  await rm(fresh, { recursive: true, force: true });
  await rm(old, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of files)
    await writeFile(join(fresh, name), bytes, { mode: name.endsWith('.crt') ? 0o644 : 0o600 });
  if (existsSync(folder)) await rename(folder, old);
  await rename(fresh, folder);
  await rm(old, { recursive: true, force: true });
}

/** What root restored gets the owner of the data folder: the server may run as another user. */
export async function assignOwner(dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dataDir);
  if (uid === 0) return;
  for (const name of ['uploads', 'blobs', 'incoming', 'lan']) {
    const path = join(dataDir, name);
    if (existsSync(path)) await changeTreeOwner({ uid, gid, name: String(uid) }, path);
  }
}
