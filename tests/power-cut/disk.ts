import { execFile } from 'node:child_process';
import { mkdir, open, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openFolder } from '#tests/folders.ts';

const run = promisify(execFile);

const SIZE = 2 * 1024 ** 3;
/** The file system flushes nothing by itself for so many seconds: longer than any trial. */
const COMMIT_SECONDS = 3_600;

/**
 * A file system in an image, which has only flushed data: the system's page cache is above it. The image at a
 * moment is what a disk has when the power fails at that moment.
 */
export interface PowerCutDisk {
  readonly folder: string;
  /** Resets the disk to its state at a power cut; processes that wrote to it are dead already. */
  losePages(): Promise<void>;
  remove(): Promise<void>;
}

/** Throws where images cannot be mounted: not Linux, not root, or a container without loop devices. */
export async function mountDisk(): Promise<PowerCutDisk> {
  const place = await openFolder();
  const image = join(place, 'disk.img');
  const folder = join(place, 'disk');
  const mount = () =>
    run('mount', ['-o', `loop,commit=${COMMIT_SECONDS}`, '-t', 'ext4', image, folder]);
  try {
    await writeFile(image, '');
    await truncate(image, SIZE);
    await run('mkfs.ext4', ['-q', '-F', image]);
    await mkdir(folder);
    await mount();
  } catch (error) {
    await rm(place, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    async losePages() {
      const left = `${image}.left`;
      await run('cp', ['--sparse=always', image, left]);
      await run('umount', [folder]);
      await rename(left, image);
      await mount();
    },
    async remove() {
      await run('umount', [folder]);
      await rm(place, { recursive: true, force: true });
    },
  };
}

/** Whether the disk loses unflushed data, and only that: otherwise a trial on it proves nothing. */
export async function losesUnflushed(disk: PowerCutDisk): Promise<boolean> {
  const path = (name: string) => join(disk.folder, name);
  const flushed = await open(path('flushed'), 'w');
  await flushed.write('flushed');
  await flushed.sync();
  await flushed.close();
  await writeFile(path('unflushed'), 'unflushed');
  await disk.losePages();
  const isThere = (name: string) =>
    open(path(name), 'r').then(
      async (file) => {
        const { size } = await file.stat();
        await file.close();
        return size > 0;
      },
      () => false,
    );
  return (await isThere('flushed')) && !(await isThere('unflushed'));
}
