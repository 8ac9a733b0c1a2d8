import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPackage, prepareBinaries } from '#server/db/embedded/binaries.ts';
import { type Bench, makeBench, query, refusal } from '#tests/embedded.ts';
import { postmasterOf } from '#tests/folders.ts';

let bench: Bench;
let folder: string;
const launch: Bench['launch'] = (dataDir, extra) => bench.launch(dataDir, extra);
const stopAll = (): Promise<void> => bench.stopAll();

beforeEach(async () => {
  bench = await makeBench();
  folder = bench.folder;
});

afterEach(() => bench.clear());

const one = 'SELECT 1 AS one';

function root(): void {
  /** A data folder in a home that only root can enter. */
  async function home(name = 'root'): Promise<string> {
    await mkdir(join(folder, name, 'data'), { recursive: true });
    await chmod(join(folder, name), 0o700);
    return join(folder, name, 'data');
  }

  test('PostgreSQL runs as nobody', async () => {
    const { cluster } = await launch(folder);
    const status = await readFile(`/proc/${await postmasterOf(cluster)}/status`, 'utf8');
    const uid = (await stat(cluster)).uid;
    expect(uid).not.toBe(0);
    expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s+${uid}\\s+${uid}$`, 'm'));
  });

  test('a folder only root can enter gets its cluster in the system folder, and the start line says so', async () => {
    const dataDir = await home();
    const first = await launch(dataDir);
    expect(first.cluster.startsWith(join(folder, 'system'))).toBe(true);
    expect(first.where).toContain(
      `(в папку ${dataDir} может войти только root, а PostgreSQL от root не работает)`,
    );
    await query(first.url, 'CREATE TABLE kept (n int)');
    await stopAll();

    // opened later: the same cluster, not an empty one
    await chmod(join(folder, 'root'), 0o755);
    const second = await launch(dataDir);
    expect(second.cluster).toBe(first.cluster);
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([]);
  });

  test('programs inaccessible to nobody are copied beside the cluster', async () => {
    const found = await findPackage();
    const native = join(folder, 'closed', 'native');
    await cp(found.native, native, { recursive: true, verbatimSymlinks: true });
    await chmod(join(folder, 'closed'), 0o700);
    const base = join(folder, 'base');
    await mkdir(base);
    const binaries = await prepareBinaries({ native, version: 'x' }, base, {
      uid: 65_534,
      gid: 65_534,
      name: 'nobody',
    });
    expect(binaries.bin).toBe(join(base, 'binaries-x', 'bin'));
  });

  test('a moved data folder uses its cluster; a copied one is refused', async () => {
    const dataDir = await home();
    const { cluster } = await launch(dataDir);
    await stopAll();
    const copy = join(await home('copy'), 'of-it');
    await cp(dataDir, copy, { recursive: true });
    expect(await refusal(launch(copy))).toContain(`Папка ${copy} — копия папки ${dataDir}`);
    await rm(dataDir, { recursive: true });
    expect((await launch(copy)).cluster).toBe(cluster);
  });

  test('a removed data folder begins with an empty database', async () => {
    const dataDir = await home();
    const { cluster } = await launch(dataDir);
    await stopAll();
    await rm(dataDir, { recursive: true });
    expect((await launch(dataDir)).cluster).not.toBe(cluster);
  });

  test('a cluster that has become unreachable is not replaced by an empty one', async () => {
    const dataDir = await home();
    await chmod(join(folder, 'root'), 0o755);
    await launch(dataDir);
    await stopAll();
    await chmod(join(folder, 'root'), 0o700);
    expect(await refusal(launch(dataDir))).toMatch(
      /пользователь nobody.*не может туда войти.*chmod o\+x/,
    );
  });

  test('a cluster of an ordinary user still runs under that user', async () => {
    const { cluster } = await launch(folder);
    await stopAll();
    for (const name of await readdir(join(folder, 'postgres'), { recursive: true })) {
      await chown(join(folder, 'postgres', name), 1, 1);
    }
    expect(await query((await launch(folder)).url, one)).toEqual([{ one: 1 }]);
    expect((await stat(`/proc/${await postmasterOf(cluster)}`)).uid).toBe(1);
  });

  test('a cluster that root restored from a copy is given to nobody again', async () => {
    const { cluster } = await launch(folder);
    await stopAll();
    for (const name of await readdir(cluster, { recursive: true }))
      await chown(join(cluster, name), 0, 0);
    await chown(cluster, 0, 0);
    expect(await query((await launch(folder)).url, one)).toEqual([{ one: 1 }]);
  });
}

function ordinaryUser(): void {
  test('PostgreSQL runs as that user, in the data folder', async () => {
    const { cluster } = await launch(folder);
    expect((await stat(`/proc/${await postmasterOf(cluster)}`)).uid).toBe(process.getuid?.());
    expect(cluster).toBe(join(folder, 'postgres', 'cluster'));
  });

  test('a folder that may not be written is named, with its user and what to do', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o500 });
    expect(await refusal(launch(closed))).toMatch(
      /closed недоступна пользователю .*chown или chmod.*DATA_DIR/,
    );
  });

  test('a folder that may not be entered is named too', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o000 });
    expect(await refusal(launch(join(closed, 'data')))).toMatch(
      /недоступна пользователю .*DATA_DIR/,
    );
  });
}

// each account has conditions of its own
const conditions = process.getuid?.() === 0 ? root : ordinaryUser;
describe('for the account that runs the tests', () => {
  conditions();
});
