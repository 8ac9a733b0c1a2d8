import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isAlive } from '#server/db/embedded/initdb.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import { readOpening } from './verify.ts';

const MADE = /^backup-\d{4}-\d{2}-\d{2}-\d{4}(-\d{2})?\.tar\.gz$/;
/** Of two names of one minute, the one with seconds is the later. */
const ENDING = '.tar.gz';
const UNFINISHED = /\.tar\.gz\.(\d+)\.unfinished$/;

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** `2026-11-21-1842`, optionally with seconds, in the school's time. */
function stamp(now: Date, timeZone: string, withSeconds: boolean): string {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(now);
  const [date = '', time = ''] = text.split(' ');
  const [hours = '', minutes = '', seconds = ''] = time.split(':');
  return `${date}-${hours}${minutes}${withSeconds ? `-${seconds}` : ''}`;
}

/**
 * The path of a new backup: the given file, or a file named by the time in the given folder. @throws
 * {OperatorError} when the file exists
 */
export async function chooseTarget(
  named: string | undefined,
  usualFolder: string,
  at: { now: Date; timeZone: string },
): Promise<string> {
  if (named !== undefined && !named.endsWith('/') && !(await isFolder(named))) {
    const path = resolve(/\.(tar\.gz|tgz)$/.test(named) ? named : `${named}.tar.gz`);
    if (await isThere(path))
      throw new OperatorError(
        `Файл ${path} уже есть. Укажите другое имя или папку: копия получит имя по времени.`,
      );
    return path;
  }
  const folder = resolve(named ?? usualFolder);
  for (const withSeconds of [false, true]) {
    const path = join(folder, `backup-${stamp(at.now, at.timeZone, withSeconds)}.tar.gz`);
    if (!(await isThere(path))) return path;
  }
  throw new OperatorError(
    'Резервная копия только что создана. Запустите команду ещё раз через секунду.',
  );
}

/** The temporary name of a backup; it is renamed when complete. */
export const unfinishedOf = (target: string): string => `${target}.${process.pid}.unfinished`;

/** Removes what killed backups left in a folder. */
export async function sweepUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(UNFINISHED.exec(name)?.[1]);
    if (pid > 0 && (pid === process.pid || !isAlive(pid)))
      await rm(join(folder, name), { force: true });
  }
}

/**
 * Retains the newest backups of the folder of `target`, including it, and removes older ones. Considers only
 * files that have a name by time and open as a backup. Returns the removed names.
 */
export async function pruneBackups(target: string, count: number): Promise<string[]> {
  const folder = dirname(target);
  const names = (await readdir(folder))
    .filter((name) => MADE.test(name))
    .map((name) => name.slice(0, -ENDING.length))
    .sort()
    .reverse()
    .map((name) => name + ENDING);
  const others = names.filter((name) => name !== basename(target));
  const removed: string[] = [];
  for (const name of others.slice(Math.max(0, count - 1))) {
    const isOurs = await readOpening(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (!isOurs) continue;
    await rm(join(folder, name));
    removed.push(name);
  }
  return removed;
}
