import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { carryAssets } from './carry-assets.mjs';
import { withLock } from './lock.mjs';
import { ScriptError, inProject, say } from './project.mjs';
import { runTool, tail } from './run.mjs';
import { writeSbom } from './sbom.mjs';
import { grownScreens, measurePages, printBudget, printScreens } from './size-budget.mjs';
import { sourceHash } from './source-hash.mjs';

/** @param {string} hash of the sources */
const versionOf = (hash) =>
  process.env['APP_VERSION'] ??
  `${JSON.parse(readFileSync(inProject('package.json'), 'utf8')).version}+${hash.slice(0, 8)}`;

/**
 * @param {string} what named in the failure
 * @param {string[]} args
 * @param {string} version
 */
const vite = async (what, args, version) => {
  const { code, output } = await runTool(
    'vite/bin/vite.js',
    ['build', '--emptyOutDir', '--logLevel', 'warn', ...args],
    { env: { APP_VERSION: version, NODE_ENV: 'production' }, progress: 'собираем' },
  );
  if (code !== 0) throw new ScriptError(`Не собирается ${what}:\n${tail(output, 60)}`);
};

/** @param {string} from @param {string} to */
const swap = (from, to) => {
  const old = `${to}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(to)) renameSync(to, old);
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
};

/**
 * Bundles the server with what it reads beside its code: migrations and the demo's pictures.
 * @param {string} out
 * @param {string} version
 */
const buildServer = async (out, version) => {
  await vite('сервер', ['-c', 'vite.server.config.ts', '--outDir', out], version);
  cpSync(inProject('server', 'db', 'migrations'), join(out, 'migrations'), { recursive: true });
  const pictures = inProject('server', 'demo', 'pictures');
  mkdirSync(join(out, 'demo', 'pictures'), { recursive: true });
  for (const name of readdirSync(pictures).filter((file) => /\.(png|pdf)$/.test(file)))
    copyFileSync(join(pictures, name), join(out, 'demo', 'pictures', name));
};

/** What each screen weighed when this list was last written; brotli bytes. */
const screenWeights = inProject('scripts', 'lib', 'screen-weights.json');

/**
 * Builds the app, its worker and the server into `out`; the running build stays whole until the end.
 * @param {{out?: string, listScreens?: boolean}} options `listScreens` prints what each screen weighs and stores it
 * @throws {ScriptError} when something does not build or the pages outgrow the budget
 */
export const build = async ({ out = inProject('dist'), listScreens = false } = {}) => {
  const started = Date.now();
  const hash = sourceHash();
  const version = versionOf(hash);
  mkdirSync(out, { recursive: true });
  const client = join(out, 'client.next');
  const server = join(out, 'server.next');
  await vite('приложение', ['--outDir', client], version);
  await buildServer(server, version);
  await writeSbom(out);
  renameSync(join(client, '.vite', 'manifest.json'), join(out, 'client-manifest.next.json'));
  rmSync(join(client, '.vite'), { recursive: true });
  const { screens, ...weights } = measurePages({
    client,
    manifest: join(out, 'client-manifest.next.json'),
    routeTree: inProject('src', 'routeTree.gen.ts'),
  });
  carryAssets({ out, client });
  swap(client, join(out, 'client'));
  swap(server, join(out, 'server'));
  renameSync(join(out, 'client-manifest.next.json'), join(out, 'client-manifest.json'));
  say(`Собрана версия ${version} за ${Math.round((Date.now() - started) / 1000)} с.`);
  for (const line of grownScreens(screens, JSON.parse(readFileSync(screenWeights, 'utf8'))))
    say(line);
  if (listScreens) {
    printScreens(screens, say);
    writeFileSync(screenWeights, `${JSON.stringify(screens, null, 2)}\n`);
  }
  if (!printBudget(weights, say)) throw new ScriptError('Страницы стали тяжелее предела.');
  writeFileSync(join(out, 'stamp.json'), `${JSON.stringify({ hash, version })}\n`);
};

const isBuilt = () => {
  try {
    const stamp = JSON.parse(readFileSync(inProject('dist', 'stamp.json'), 'utf8'));
    return stamp.hash === sourceHash() && existsSync(inProject('dist', 'server', 'main.js'));
  } catch {
    return false;
  }
};

/** Builds when the sources differ from those of the last build. */
export const ensureBuilt = async () => {
  if (isBuilt()) return;
  await withLock(async () => {
    if (isBuilt()) return;
    say('Собираем приложение и сервер. Обычно это занимает 5–30 секунд.');
    await build();
  });
};
