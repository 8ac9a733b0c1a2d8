import { type BigIntStats } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';

interface Entry {
  readonly name: string;
  readonly inode: bigint;
  readonly isFolder: boolean;
}

type Flushed =
  | { readonly name: string; readonly bytes: Buffer }
  | { readonly name: string; readonly entries: readonly Flushed[] };

/** A folder on a disk that retains only flushed data. */
export interface LostWrites {
  /** Reverts everything that was not flushed, as a power cut may. */
  cutPower(): Promise<void>;
  stop(): void;
}

const inodeOf = async (path: string) => (await stat(path, { bigint: true })).ino;

async function entriesOf(folder: string): Promise<Entry[]> {
  const listed = await readdir(folder, { withFileTypes: true });
  return Promise.all(
    listed.map(async (entry) => ({
      name: entry.name,
      inode: await inodeOf(join(folder, entry.name)),
      isFolder: entry.isDirectory(),
    })),
  );
}

async function findPath(folder: string, inode: bigint): Promise<string | null> {
  if ((await inodeOf(folder)) === inode) return folder;
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.inode === inode) return path;
    const found = entry.isFolder ? await findPath(path, inode) : null;
    if (found !== null) return found;
  }
  return null;
}

/**
 * Watches what Node flushes below an empty folder: bytes of a file last as they were at its last
 * `datasync` or `sync`, names as they were at the last `sync` of their folder.
 */
export async function loseWrites(root: string): Promise<LostWrites> {
  const names = new Map<bigint, readonly Entry[]>();
  const bytes = new Map<bigint, Buffer>();

  async function remember(handle: FileHandle): Promise<void> {
    const found: BigIntStats = await handle.stat({ bigint: true });
    const path = await findPath(root, found.ino);
    if (path === null) return;
    if (found.isDirectory()) names.set(found.ino, await entriesOf(path));
    else bytes.set(found.ino, await readFile(path));
  }

  const probe = await open(root, 'r');
  const prototype = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const spies = (['sync', 'datasync'] as const).map((method) => {
    const flush = prototype[method];
    return vi.spyOn(prototype, method).mockImplementation(async function (this: FileHandle) {
      await remember(this);
      return flush.call(this);
    });
  });

  const flushedIn = (inode: bigint): Flushed[] =>
    (names.get(inode) ?? []).map(({ name, inode: of, isFolder }) =>
      isFolder
        ? { name, entries: flushedIn(of) }
        : { name, bytes: bytes.get(of) ?? Buffer.alloc(0) },
    );

  /** Writes what was flushed, which is durable from then on. */
  async function writeAll(folder: string, entries: readonly Flushed[]): Promise<void> {
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if ('entries' in entry) {
        await mkdir(path);
        await writeAll(path, entry.entries);
      } else {
        await writeFile(path, entry.bytes);
        bytes.set(await inodeOf(path), entry.bytes);
      }
    }
    names.set(await inodeOf(folder), await entriesOf(folder));
  }

  return {
    async cutPower() {
      const entries = flushedIn(await inodeOf(root));
      await rm(root, { recursive: true });
      // Inode numbers of deleted files are reused.
      names.clear();
      bytes.clear();
      await mkdir(root);
      await writeAll(root, entries);
    },
    stop: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}
