import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { ScriptError, inProject, say } from './project.mjs';
import { head, run } from './run.mjs';

/** @typedef {{version?: string, optional?: boolean, devOptional?: boolean, link?: boolean}} Locked */

/**
 * @param {string} path
 * @returns {Record<string, Locked> | undefined} package folders and what the lockfile says of them
 */
const readPackages = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
};

/**
 * Whether what npm says it installed is what the lockfile asks for. npm writes its own record last,
 * so an interrupted installation counts as none; packages for other platforms may be missing.
 * @param {Record<string, Locked>} wanted
 * @param {Record<string, Locked> | undefined} installed
 */
export const installationMatches = (wanted, installed) => {
  if (installed === undefined) return false;
  const strange = Object.keys(installed).some((folder) => wanted[folder] === undefined);
  if (strange) return false;
  return Object.entries(wanted).every(([folder, { version, optional }]) => {
    if (folder === '') return true;
    const found = installed[folder];
    return found === undefined ? optional === true : found.version === version;
  });
};

const isInstalled = () => {
  const wanted = readPackages(inProject('package-lock.json'));
  if (wanted === undefined) throw new ScriptError('Файл package-lock.json не читается.');
  return installationMatches(wanted, readPackages(inProject('node_modules', '.package-lock.json')));
};

/** @param {string} folder made when it is missing */
const canWrite = (folder) => {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** @returns {string[]} arguments that move npm's cache into the project when the usual place is closed */
const cacheArguments = () => {
  const usual = process.env['npm_config_cache'] ?? join(homedir(), '.npm');
  if (canWrite(join(usual, '_cacache'))) return [];
  const own = inProject('.cache', 'npm');
  say(`В кэш npm (${usual}) писать нельзя, берём ${own}.`);
  return ['--cache', own];
};

/** @returns {[string, string[]]} how to start the npm that started us, or the one on the path */
export const npm = () => {
  const own = process.env['npm_execpath'];
  if (own !== undefined && /npm-cli\.[cm]?js$/.test(own) && existsSync(own))
    return [process.execPath, [own]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
};

/** Installs the locked packages when they are missing or differ from the lockfile. */
export const ensureInstalled = async () => {
  if (isInstalled()) return;
  await withLock(async () => {
    if (isInstalled()) return;
    say('Устанавливаем зависимости (npm ci). Обычно это занимает от 20 секунд до 3 минут.');
    const [command, first] = npm();
    const { code, output } = await run(
      command,
      [...first, 'ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit']
        .concat(['--no-fund', '--no-progress', '--loglevel=error'])
        .concat(cacheArguments()),
      { progress: 'устанавливаем' },
    );
    if (code !== 0 || !isInstalled())
      throw new ScriptError(
        `Зависимости не установились. Нужны сеть до реестра npm и место на диске.\n${head(output, 12)}`,
      );
  });
};
