import { execFile, type ExecFileOptions } from 'node:child_process';
import { lchown, lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, messageOf, OperatorError } from '#server/db/operator-error.ts';

/** The system account that PostgreSQL runs under. */
export type SystemAccount = { uid: number; gid: number; name: string };

/** The result of a program. `code`: exit code, or the reason it could not be started. */
export type Finished = { code: number | string; stdout: string; stderr: string };

export const isRoot = (): boolean => process.getuid?.() === 0;

async function readAccounts(): Promise<SystemAccount[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    // macOS reports nobody's id as -2
    return name && uid && gid ? [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }] : [];
  });
}

/**
 * Account for initdb and postgres, which refuse to run as root: the owner of an existing cluster, else
 * `nobody`. Undefined when node is not root: then they run as node does.
 */
export async function postgresAccount(cluster: string): Promise<SystemAccount | undefined> {
  if (!isRoot()) return undefined;
  const known = await readAccounts();
  const owner = await lstat(cluster).catch(() => undefined);
  if (owner && owner.uid !== 0) {
    const name = known.find((entry) => entry.uid === owner.uid)?.name ?? String(owner.uid);
    return { uid: owner.uid, gid: owner.gid, name };
  }
  return (
    known.find((entry) => entry.name === 'nobody') ?? { uid: 65_534, gid: 65_534, name: 'nobody' }
  );
}

/** Only the environment variables needed to find programs and libraries: others may hold passwords. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const allowedNames = [
    'PATH',
    'SystemRoot',
    'windir',
    'TEMP',
    'TMP',
    'NIX_LD',
    'NIX_LD_LIBRARY_PATH',
  ];
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of allowedNames) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Options for starting a program as the account, from a folder that everybody can enter. */
export function spawnOptions(account: SystemAccount | undefined): ExecFileOptions {
  const base: ExecFileOptions = { env: plainEnvironment(), windowsHide: true };
  if (!account) return base;
  // spawn takes the signed form of the highest numbers (nobody on macOS), files the unsigned one
  return { ...base, uid: account.uid | 0, gid: account.gid | 0, cwd: '/' };
}

/** Runs a program to its end as the account. Throws OperatorError when the user cannot be switched. */
export async function run(
  file: string,
  args: string[],
  account: SystemAccount | undefined,
): Promise<Finished> {
  const options = { ...spawnOptions(account), timeout: 180_000, encoding: 'utf8' as const };
  // missing permission to start a program is thrown by spawn on some systems, emitted later on others
  const finished = await new Promise<Finished>((resolve) => {
    try {
      execFile(file, args, options, (error, stdout, stderr) => {
        const code = error ? (error.code ?? error.signal ?? 'killed') : 0;
        resolve({ code, stdout, stderr });
      });
    } catch (error) {
      resolve({ code: codeOf(error) ?? messageOf(error), stdout: '', stderr: '' });
    }
  });
  if (account && (finished.code === 'EPERM' || finished.code === 'EINVAL'))
    throw cannotSwitch(account);
  return finished;
}

const cannotSwitch = (account: SystemAccount): OperatorError =>
  new OperatorError(
    `PostgreSQL не работает от root, а перейти к пользователю ${account.name} здесь нельзя. Запустите программу от обычного пользователя или укажите адрес своего PostgreSQL в DATABASE_URL.`,
  );

/** Whether the account can enter a folder (checked by the system itself, so that ACLs count too). */
export async function canEnter(folder: string, account: SystemAccount): Promise<boolean> {
  const finished = await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], account);
  return finished.code === 0;
}

/** Gives a file or folder to the account. Links are not followed: the folder may belong to another user. */
export async function changeOwner(account: SystemAccount | undefined, path: string): Promise<void> {
  if (account) await lchown(path, account.uid, account.gid);
}

/** Gives a whole tree to the account, e.g. a cluster that root restored from a copy. */
export async function changeTreeOwner(
  account: SystemAccount | undefined,
  root: string,
): Promise<void> {
  if (!account) return;
  const entries = await readdir(root, { withFileTypes: true, recursive: true }).catch(
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    },
  );
  for (const entry of entries) await changeOwner(account, join(entry.parentPath, entry.name));
  await changeOwner(account, root);
}
