import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './browser-install.mjs';
import { ScriptError, say } from './project.mjs';

/** @param {string} name @returns {string[]} */
const inPath = (name) =>
  (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));

/** The path of WebKit's MiniBrowser contains its version. @returns {string[]} */
const miniBrowsers = () =>
  ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.startsWith('webkit2gtk-4'))
        .map((name) => join(folder, name, 'MiniBrowser')),
    );

/** Programs that drive the engines of Firefox and of Safari. */
const PROGRAMS = {
  firefox: () => ['firefox-esr', 'firefox'].flatMap(inPath),
  webkit: miniBrowsers,
  webkitDriver: () => inPath('WebKitWebDriver'),
  xvfb: () => inPath('Xvfb'),
};

/** Debian's packages that contain them. */
const PACKAGES = ['firefox-esr', 'webkit2gtk-driver', 'libwebkit2gtk-4.1-0', 'xvfb'];

/** @typedef {keyof typeof PROGRAMS} Program */

/** @param {Program} program @returns {string | undefined} */
const find = (program) => PROGRAMS[program]().find((path) => existsSync(path));

/**
 * Where a program lies.
 * @param {Program} program
 * @returns {string}
 * @throws {ScriptError} when it is not installed
 */
export const engineProgram = (program) => {
  const path = find(program);
  if (path === undefined)
    throw new ScriptError(
      `Для проверок в Firefox и WebKit нужны пакеты Debian: ${PACKAGES.join(', ')}. Установите их: apt-get install ${PACKAGES.join(' ')}.`,
    );
  return path;
};

/** Installs the engines that are missing where the run may install packages. */
export const ensureEngines = async () => {
  const programs = /** @type {Program[]} */ (Object.keys(PROGRAMS));
  if (programs.some((program) => find(program) === undefined)) await installPackages(PACKAGES);
  say(`Движки: ${engineProgram('firefox')}, ${engineProgram('webkit')}`);
};
