import { execFile, spawn } from 'node:child_process';
import { constants, readlinkSync } from 'node:fs';
import { open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf, OperatorError } from '#server/db/operator-error.ts';
import { changeOwner, run, spawnOptions } from './account.ts';
import type { DatabaseAddress } from './address.ts';
import type { Binaries } from './binaries.ts';
import { isAlive } from './initdb.ts';
import type { ClusterPaths } from './cluster-paths.ts';
import { settings, type Tuning } from './settings.ts';

/** What a running (or killed) postmaster wrote about itself. `host`: socket folder, or empty. */
export type PidFile = { pid: number; port: number; host: string };

/** A postmaster that was started here. `exit` becomes its code when it ends. */
export type StartedPostmaster = {
  exit: () => number | string | undefined;
  output: () => Promise<string>;
};

const MAX_LOGS = 10;
const FAST_STOP_MS = 60_000;

const readLines = async (cluster: string): Promise<string[]> =>
  (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');

/** Process id in the cluster's postmaster.pid, which is written first. */
export async function readPostmasterPid(cluster: string): Promise<number | undefined> {
  const [pid, ...rest] = await readLines(cluster);
  return rest.length > 0 && pid ? Number(pid) : undefined;
}

/**
 * Reads the cluster's postmaster.pid; undefined when there is none or it is incomplete. PostgreSQL writes the
 * port first, the socket's folder later and its status last: without the folder one would connect to localhost,
 * where another server may listen.
 */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const [pid, , , port, host, , , status, ...rest] = await readLines(cluster);
  if (!pid || !port || host === undefined || !status || rest.length === 0) return undefined;
  return { pid: Number(pid), port: Number(port), host };
}

/** Whether the process is this cluster's postmaster, and not another process that reused its id. */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') {
    const listed = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]).catch(
      () => ({ stdout: '' }),
    );
    return process.platform === 'win32' || listed.stdout.includes('postgres');
  }
  try {
    // a postmaster's working folder is its cluster
    return readlinkSync(`/proc/${pid}/cwd`) === (await realpath(cluster));
  } catch (error) {
    // root without ptrace rights (containers) may not read it: the name must do
    if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') return false;
    return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim() === 'postgres';
  }
}

/**
 * PostgreSQL refuses to start while a lock file names a living process, even an unrelated one with a reused id.
 * It treats the id of its parent as stale, and still checks the shared memory.
 */
async function disarmLockFile(file: string, places: ClusterPaths): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (!pid || !isAlive(pid) || (await isPostmaster(pid, places.cluster))) return;
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, text.replace(/^.*/, String(process.pid)), { mode: 0o600, flag: 'wx' });
  await changeOwner(places.account, fresh);
  await rename(fresh, file);
}

async function pruneLogs(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('postgres-')).sort();
  for (const name of names.slice(0, -MAX_LOGS)) await rm(join(folder, name), { force: true });
}

/**
 * Starts a postmaster in a process group of its own (Ctrl+C in a terminal must not reach it before the server
 * has drained), writing to files, so that it outlives a killed node unharmed.
 */
export async function startPostmaster(
  places: ClusterPaths,
  binaries: Binaries,
  address: DatabaseAddress,
  tuning: Tuning,
): Promise<StartedPostmaster> {
  await disarmLockFile(join(places.cluster, 'postmaster.pid'), places);
  await disarmLockFile(join(address.host, `.s.PGSQL.${address.port}.lock`), places);
  await pruneLogs(places.log);
  const args = ['-D', places.cluster, ...settings(address, tuning)];
  const file = join(places.log, 'start.log');
  await rm(file, { force: true });
  const output = await rememberLogs(places);
  if (process.platform === 'win32') {
    const failed = await startByPgCtl(places, binaries, args.slice(2), file);
    return { exit: () => failed, output };
  }
  const { O_CREAT, O_NOFOLLOW, O_APPEND, O_WRONLY } = constants;
  const logFile = await open(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  await changeOwner(places.account, file);
  const child = spawn(join(binaries.bin, 'postgres'), args, {
    ...spawnOptions(places.account),
    detached: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
  });
  let exit: number | string | undefined;
  child.once('error', (error) => (exit = codeOf(error) ?? error.message));
  child.once('exit', (code, signal) => (exit = code ?? signal ?? 'killed'));
  child.unref();
  await logFile.close();
  return { exit: () => exit, output };
}

/** On Windows pg_ctl drops administrator's rights, with which postgres would refuse to run. */
async function startByPgCtl(
  places: ClusterPaths,
  binaries: Binaries,
  args: string[],
  log: string,
): Promise<number | string | undefined> {
  const line = args
    .map((arg) => (arg === '-c' ? arg : `"${arg.replaceAll('"', '\\"')}"`))
    .join(' ');
  const pgCtl = join(binaries.bin, 'pg_ctl');
  const finished = await run(
    pgCtl,
    ['start', '-w', '-D', places.cluster, '-l', log, '-o', line],
    undefined,
  );
  return finished.code === 0 ? undefined : finished.code;
}

/** Remembers the length of the logs; the returned function reads what PostgreSQL has written since. */
async function rememberLogs(places: ClusterPaths): Promise<() => Promise<string>> {
  const lengths = new Map<string, number>();
  const names = async (): Promise<string[]> => (await readdir(places.log)).sort().reverse();
  for (const name of await names()) lengths.set(name, (await stat(join(places.log, name))).size);
  return async () => {
    const texts = (await names()).map(async (name) => {
      const bytes = await readFile(join(places.log, name));
      return bytes.subarray(lengths.get(name) ?? 0).toString();
    });
    return (await Promise.all(texts)).join('\n');
  };
}

/** The message for a postmaster that ended instead of starting; undefined when another start was simply first. */
export function asStartError(output: string, places: ClusterPaths): OperatorError | undefined {
  if (/lock file ".*" already exists/.test(output)) return undefined;
  if (/No space left on device/.test(output)) {
    return new OperatorError(
      `На диске с базой данных (${places.base}) кончилось место. Освободите его и запустите ещё раз.`,
    );
  }
  if (/could not (create|map|resize).* shared memory/.test(output)) {
    return new OperatorError(
      'Системе не хватает памяти, чтобы запустить базу данных (нужно около 256 МБ). Закройте лишние программы и запустите ещё раз.',
    );
  }
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const grave = lines.filter((line) => /FATAL|PANIC|ERROR|HINT|error while/.test(line));
  const cause = (grave.length > 0 ? grave : lines).slice(-4).join(' ') || 'причина не записана';
  return new OperatorError(
    `База данных в ${places.cluster} не запустилась: ${cause}. Журнал: ${places.log}`,
  );
}

/** Fast shutdown: sessions are ended, everything is written, the files are closed. Waits until it is done. */
export async function stopPostmaster(places: ClusterPaths, binaries: Binaries): Promise<void> {
  const pid = await readPostmasterPid(places.cluster);
  if (pid === undefined || !(await isPostmaster(pid, places.cluster))) return;
  if (process.platform === 'win32') {
    await run(
      join(binaries.bin, 'pg_ctl'),
      ['stop', '-m', 'fast', '-w', '-D', places.cluster],
      undefined,
    );
    return;
  }
  signal(pid, 'SIGINT');
  const hurryAt = Date.now() + FAST_STOP_MS;
  let hurried = false;
  while (await isPostmaster(pid, places.cluster)) {
    if (!hurried && Date.now() > hurryAt) {
      // safe: the next start recovers from the write-ahead log
      signal(pid, 'SIGQUIT');
      hurried = true;
    }
    await pause(20);
  }
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
