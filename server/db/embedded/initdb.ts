import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, asFileError, OperatorError } from '#server/db/operator-error.ts';
import { syncFolder } from '#server/files/sync-folder.ts';
import { changeOwner, run } from './account.ts';
import { SUPERUSER } from './address.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterPaths } from './cluster-paths.ts';

const UNFINISHED = 'cluster.new-';
const ABANDONED_AFTER_MS = 10 * 60_000;
const inWork = new Set<string>();

/**
 * Creates the cluster unless it exists. In a temporary folder that is renamed at the end, so that an
 * interrupted initdb leaves no partial cluster. True when it was created now.
 */
export async function ensureCluster(
  places: ClusterPaths,
  binaries: Binaries,
  options: { durable: boolean; password: string | undefined },
): Promise<boolean> {
  if (await isCluster(places.cluster, binaries.version)) return false;
  await sweepUnfinished(places.base);
  const name = `${UNFINISHED}${process.pid}-${randomBytes(4).toString('hex')}`;
  const unfinished = join(places.base, name);
  inWork.add(name);
  try {
    await mkdir(unfinished, { mode: 0o700 });
    await changeOwner(places.account, unfinished);
    await initialise(unfinished, places, binaries, options);
    return await publish(unfinished, places);
  } catch (error) {
    throw asFileError(error, places.base);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    inWork.delete(name);
  }
}

async function isCluster(cluster: string, version: string): Promise<boolean> {
  const made = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw asFileError(error, cluster);
  });
  const major = version.split('.')[0];
  if (made === undefined) {
    const names = await readdir(cluster).catch(() => []);
    if (names.length === 0) return false;
    throw new OperatorError(
      `В папке ${cluster} лежит не база данных PostgreSQL: нет файла PG_VERSION. Верните её из резервной копии или уберите папку, чтобы начать с пустой базы.`,
    );
  }
  if (made.trim() === major) return true;
  throw new OperatorError(
    `База данных в ${cluster} сделана PostgreSQL ${made.trim()}, а в программу встроен ${major}. Запустите прежнюю версию программы, сохраните резервную копию и восстановите её в новой.`,
  );
}

async function initialise(
  folder: string,
  places: ClusterPaths,
  binaries: Binaries,
  options: { durable: boolean; password: string | undefined },
): Promise<void> {
  const args = ['-D', folder, '-U', SUPERUSER, '--encoding=UTF8', '--locale-provider=builtin'];
  args.push('--builtin-locale=C.UTF-8', '--locale=C', '--data-checksums');
  const secret = `${folder}.password`;
  if (options.password === undefined) {
    args.push('-A', 'trust');
  } else {
    await writeFile(secret, `${options.password}\n`, { mode: 0o600, flag: 'wx' });
    await changeOwner(places.account, secret);
    args.push('-A', 'scram-sha-256', `--pwfile=${secret}`);
  }
  if (!options.durable) args.push('--no-sync');
  const finished = await run(join(binaries.bin, 'initdb'), args, places.account);
  await rm(secret, { force: true });
  if (finished.code !== 0)
    throw asInitdbError(`${finished.stderr}\n${finished.stdout}`, places.base);
}

function asInitdbError(output: string, base: string): OperatorError {
  if (/could not look up effective user ID/.test(output)) {
    return new OperatorError(
      `У пользователя с номером ${process.getuid?.() ?? ''} нет записи в /etc/passwd, а PostgreSQL без неё базу не создаёт. Добавьте её, запустите программу от другого пользователя или укажите адрес своего PostgreSQL в DATABASE_URL.`,
    );
  }
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new OperatorError(
      `Не хватило места на диске, чтобы создать базу данных в ${base} (нужно около 200 МБ). Освободите его и запустите ещё раз.`,
    );
  }
  const lines = output.split('\n').filter((line) => /error|fatal|could not|cannot/i.test(line));
  return new OperatorError(
    `Базу данных в ${base} создать не удалось: ${lines.slice(0, 3).join('; ') || output.trim()}`,
  );
}

async function publish(unfinished: string, places: ClusterPaths): Promise<boolean> {
  try {
    await rename(unfinished, places.cluster);
  } catch (error) {
    // another start was first: its cluster is complete, since it was renamed
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  await syncFolder(places.base);
  return true;
}

async function sweepUnfinished(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(UNFINISHED) || inWork.has(name)) continue;
    const path = join(base, name);
    const maker = Number(name.slice(UNFINISHED.length).split('-')[0]);
    const age = Date.now() - ((await lstat(path).catch(() => undefined))?.mtimeMs ?? 0);
    if (maker === process.pid || !isAlive(maker) || age > ABANDONED_AFTER_MS) {
      // the initdb of a killed node may still be writing there; the rest is removed at the next start
      await rm(path, { recursive: true, force: true, maxRetries: 10 }).catch(() => undefined);
    }
  }
}

/** Whether a process with this id exists, owned by anybody. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
