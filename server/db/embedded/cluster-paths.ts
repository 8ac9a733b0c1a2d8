import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { currentUser, asFileError, OperatorError } from '#server/db/operator-error.ts';
import {
  type SystemAccount,
  canEnter,
  changeOwner,
  changeTreeOwner,
  isRoot,
  postgresAccount,
} from './account.ts';

/** Where the clusters of data folders are that only root can enter. */
const SYSTEM_FOLDER = '/var/lib/exam-room';

/** Folders of one embedded server, all absolute. */
export type ClusterPaths = {
  /** the data folder as the operator named it */
  dataDir: string;
  /** everything of PostgreSQL is under it */
  base: string;
  cluster: string;
  /** socket folder, private to the account */
  run: string;
  log: string;
  account: SystemAccount | undefined;
  /** true when PostgreSQL has no access to the data folder and `base` is under the system folder */
  elsewhere: boolean;
};

const inBase = (base: string): Pick<ClusterPaths, 'base' | 'cluster' | 'run' | 'log'> => ({
  base,
  cluster: join(base, 'cluster'),
  run: join(base, 'run'),
  log: join(base, 'log'),
});

/**
 * Decides where the cluster of a data folder is and who owns it, and creates the folders. Throws OperatorError
 * with a remedy when a folder cannot be used.
 */
export async function chooseClusterPaths(
  dataDir: string,
  systemFolder = SYSTEM_FOLDER,
): Promise<ClusterPaths> {
  const folder = resolve(dataDir);
  const own = join(folder, 'postgres');
  try {
    await mkdir(own, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw asFileError(error, folder);
  }
  const places = isRoot()
    ? await clusterPathsOfRoot(folder, own, systemFolder)
    : { dataDir: folder, ...inBase(own), account: undefined, elsewhere: false };
  await makeFolders(places);
  return places;
}

async function clusterPathsOfRoot(
  dataDir: string,
  own: string,
  systemFolder: string,
): Promise<ClusterPaths> {
  const marker = join(own, 'elsewhere');
  const id = await readMarker(marker);
  if (id !== undefined) {
    const base = join(systemFolder, id);
    await refuseCopy(base, id, dataDir);
    const account = await postgresAccount(join(base, 'cluster'));
    return { dataDir, ...inBase(base), account, elsewhere: true };
  }
  const here = inBase(own);
  const account = await postgresAccount(here.cluster);
  if (account && (await canEnter(own, account)))
    return { dataDir, ...here, account, elsewhere: false };
  if (account && existsSync(here.cluster)) {
    throw new OperatorError(
      `База данных лежит в ${here.cluster}, но пользователь ${account.name}, от которого работает PostgreSQL, не может туда войти. Откройте ему проход через папки на этом пути (chmod o+x) и запустите ещё раз.`,
    );
  }
  const fresh = randomUUID();
  const base = join(systemFolder, fresh);
  try {
    await mkdir(base, { recursive: true, mode: 0o755 });
    await writeFile(join(base, 'data-folder'), `${await realpath(dataDir)}\n`);
  } catch (error) {
    throw asFileError(error, systemFolder);
  }
  // the marker is written last: it must never name a missing folder
  await writeFile(marker, `${fresh}\n`);
  return { dataDir, ...inBase(base), account, elsewhere: true };
}

async function readMarker(marker: string): Promise<string | undefined> {
  const text = await readFile(marker, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const id = text.trim();
  if (/^[0-9a-f-]{36}$/.test(id)) return id;
  throw new OperatorError(
    `Файл ${marker} повреждён: в нём должно стоять имя папки из ${SYSTEM_FOLDER}, где лежит база данных.`,
  );
}

/** A copied data folder would silently share the first one's database. */
async function refuseCopy(base: string, id: string, dataDir: string): Promise<void> {
  const note = join(base, 'data-folder');
  const recorded = (await readFile(note, 'utf8').catch(() => '')).trim();
  const actual = await realpath(dataDir);
  if (recorded === actual) return;
  if (!existsSync(base)) {
    throw new OperatorError(
      `База данных папки ${dataDir} лежала в ${base}, а теперь этой папки нет. Верните её или удалите файл ${join(dataDir, 'postgres', 'elsewhere')}, чтобы начать с пустой базы.`,
    );
  }
  const other = (
    await readFile(join(recorded, 'postgres', 'elsewhere'), 'utf8').catch(() => '')
  ).trim();
  if (recorded !== '' && other === id) {
    throw new OperatorError(
      `Папка ${dataDir} — копия папки ${recorded}: база данных у них одна, в ${base}. Работайте с первой папкой или удалите файл ${join(dataDir, 'postgres', 'elsewhere')}, чтобы начать с пустой базы.`,
    );
  }
  await writeFile(note, `${actual}\n`);
}

async function makeFolders(places: ClusterPaths): Promise<void> {
  const { account, base, cluster } = places;
  const owner = await lstat(cluster).catch(() => undefined);
  const uid = process.getuid?.();
  if (owner && !account && uid !== undefined && owner.uid !== uid) {
    throw new OperatorError(
      `База данных в ${cluster} принадлежит другому пользователю (номер ${owner.uid}), а программа запущена от ${currentUser()}. Запустите её от того же пользователя, что и раньше (например, от root), или отдайте папку: sudo chown -R ${currentUser()} ${base}`,
    );
  }
  try {
    await changeOwner(account, base);
    for (const path of [places.run, places.log]) {
      await mkdir(path, { recursive: true, mode: 0o700 });
      await changeOwner(account, path);
    }
    if (owner && account && owner.uid !== account.uid) await changeTreeOwner(account, cluster);
    await access(base, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw asFileError(error, base);
  }
}
