import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installBrowser, installPackages, unpackedBrowser } from './browser-install.mjs';
import { ScriptError, say } from './project.mjs';

/** The same browser without its desktop part: the tests need a quarter less work in it. */
const light = 'chromium-headless-shell';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];

const macApplications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** @param {string} name */
const inPath = (name) =>
  (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));

/** @returns {string[]} browsers that Playwright has downloaded, newest first */
const playwrightOwn = () => {
  const caches = {
    darwin: join(homedir(), 'Library', 'Caches'),
    win32: process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'),
  };
  const usual = caches[/** @type {'darwin'} */ (process.platform)] ?? join(homedir(), '.cache');
  const folder = process.env['PLAYWRIGHT_BROWSERS_PATH'] ?? join(usual, 'ms-playwright');
  if (!existsSync(folder)) return [];
  const programs = [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-linux/headless_shell',
    'chrome-headless-shell-linux64/chrome-headless-shell',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-win/chrome.exe',
    'chrome-win64/chrome.exe',
  ];
  return readdirSync(folder)
    .filter((name) => name.startsWith('chromium'))
    .sort()
    .reverse()
    .flatMap((name) => programs.map((program) => join(folder, name, program)));
};

const fullOnes = () => [
  ...names.flatMap(inPath),
  ...macApplications,
  ...playwrightOwn(),
  unpackedBrowser,
];

/** @param {string} path @returns {string | undefined} what it says of its version, if it starts */
const versionOf = (path) => {
  if (!existsSync(path)) return undefined;
  if (process.platform === 'win32') return path;
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return status === 0 ? stdout.trim() : undefined;
};

/** @typedef {{path: string, version: string}} Browser */

/** @param {string[]} paths @returns {Browser | undefined} the first one that starts */
const firstOf = (paths) => {
  for (const path of paths) {
    const version = versionOf(path);
    if (version !== undefined) return { path, version };
  }
  return undefined;
};

/** @returns {Browser | undefined} the one that the environment names */
const chosenBrowser = () => {
  const path = process.env['CHROMIUM_PATH'] ?? '';
  if (path === '') return undefined;
  const version = versionOf(path);
  if (version === undefined)
    throw new ScriptError(`Браузер из CHROMIUM_PATH не запускается: ${path}`);
  return { path, version };
};

/** @returns {Browser | undefined} */
const fullBrowser = () => chosenBrowser() ?? firstOf(fullOnes());

/** @returns {Browser | undefined} */
const lightBrowser = () => chosenBrowser() ?? firstOf(inPath(light));

/**
 * Installs what the tests need and lack: a browser, and the light one where it is to be had.
 * @throws {ScriptError} with the one thing a person can do
 */
export const ensureBrowsers = async () => {
  let full = fullBrowser();
  if (full === undefined) {
    await installBrowser();
    full = fullBrowser();
  }
  if (full === undefined)
    throw new ScriptError(
      'Браузер для тестов не нашёлся и не установился. Установите Chromium или Chrome и укажите путь в CHROMIUM_PATH.',
    );
  let quick = lightBrowser();
  if (quick === undefined) {
    // One installation: it shares its files with the full one's package.
    await installPackages([light]);
    quick = lightBrowser();
  }
  for (const { path, version } of [full, quick ?? full]) say(`Браузер: ${version} (${path})`);
};

/** @type {Map<string, string>} found once: it takes a start of the browser each time */
const found = new Map();

/** @param {'light' | 'full'} kind @returns {string | undefined} */
const findBrowser = (kind) => {
  const path =
    found.get(kind) ?? ((kind === 'light' ? lightBrowser() : undefined) ?? fullBrowser())?.path;
  if (path !== undefined) found.set(kind, path);
  return path;
};

/** @throws {ScriptError} when the tests have no browser yet */
export const requireBrowser = () => {
  if (findBrowser('light') === undefined)
    throw new ScriptError('Нет браузера для тестов: npm test найдёт его или установит.');
};

/**
 * How the tests start a browser: its path and arguments that reduce its output. Without a browser the path does not
 * exist, since code checks load Playwright's configurations before any browser is installed.
 * @param {'light' | 'full'} kind the full one has a profile like a person's
 * @returns {{executablePath: string, args: string[]}}
 */
export const launchOptions = (kind = 'light') => {
  return {
    executablePath: findBrowser(kind) ?? names[0] ?? '',
    // The pages are our own, and neither root nor a container has a sandbox to offer.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
};
