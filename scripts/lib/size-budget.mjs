import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { ScriptError } from './project.mjs';

/**
 * JavaScript and CSS for signing in and taking a test on a first visit, brotli bytes: 215 KB of 1,024. Only the path to
 * the first question needs a bound.
 */
export const budget = 215 * 1024;
/** JavaScript until a question that the worker has painted is answered and stored, brotli bytes. */
export const answerBudget = 52 * 1024;
const pages = ['/login', '/tests/$testId'];

/**
 * @typedef {{file: string, imports?: string[], css?: string[]}} Chunk
 * @typedef {Record<string, Chunk>} Manifest
 * @typedef {{file: string, bytes: number}} Weight
 */

/**
 * The route files a page is made of: its own and those of the layouts around it.
 * @param {string} tree text of the generated route tree
 * @param {string} path such as /tests/$testId
 * @returns {string[]} paths from the project's folder
 */
export const routeFiles = (tree, path) => {
  const byPath = tree.match(/interface FileRoutesByTo \{([^}]*)\}/)?.[1] ?? '';
  const declared = [...byPath.matchAll(/'([^']+)': typeof (\w+)/g)];
  const found = declared.find(([, to]) => to === path)?.[2];
  if (found === undefined)
    throw new ScriptError(`Нет страницы ${path}, размер которой проверяется.`);
  const files = new Map(
    [...tree.matchAll(/import \{ Route as (\w+)Import \} from '\.\/([^']+)'/g)].map(
      ([, name = '', file = '']) => [name, `src/${file}`],
    ),
  );
  const parents = new Map(
    [
      ...tree.matchAll(
        /const (\w+) = \w+\.update\(\{(?:(?!\.update\()[\s\S])*?getParentRoute: \(\) => (\w+)/g,
      ),
    ].map(([, name = '', parent = '']) => [name, parent]),
  );
  /** @type {(string | undefined)[]} */ const chain = [];
  let name = /** @type {string | undefined} */ (found.replace(/WithChildren$/, ''));
  while (name !== undefined) {
    chain.push(files.get(name === 'rootRouteImport' ? 'rootRoute' : name));
    name = parents.get(name);
  }
  return chain.filter((file) => file !== undefined);
};

/**
 * Files that the page itself names: its scripts and styles.
 * @param {string} html of the built index.html
 * @returns {string[]} paths from the folder of the build
 */
export const namedFiles = (html) => {
  const files = [
    ...html.matchAll(/<(?:script|link)\b[^>]*?\s(?:src|href)="\/([^"]+\.(?:js|css))"/g),
  ];
  const paths = files.map(([, path = '']) => path);
  if (!paths.some((path) => path.endsWith('.js')))
    throw new ScriptError('В собранной странице нет скрипта, размер которого проверяется.');
  return paths;
};

/**
 * Files a browser loads for the given route files: those named in the page, the lazy screens, and all their static
 * imports.
 * @param {Manifest} manifest
 * @param {string[]} named by the page
 * @param {string[]} routes
 * @returns {Set<string>}
 */
export const loadedFiles = (manifest, named, routes) => {
  /** @type {Set<string>} */ const files = new Set(named);
  /** @type {Set<string>} */ const seen = new Set();
  /** @param {string} key */
  const add = (key) => {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) return;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const next of chunk.imports ?? []) add(next);
  };
  for (const [key, chunk] of Object.entries(manifest))
    if (named.includes(chunk.file) || routes.some((route) => key.split('?')[0] === route)) add(key);
  return files;
};

/** @param {string} html of the built index.html @returns {string} the script that runs first */
export const firstScript = (html) => {
  const path = /\sdata-app="\/([^"]+\.js)"/.exec(html)?.[1];
  if (path === undefined) throw new ScriptError('В собранной странице нет скрипта приложения.');
  return path;
};

/** @param {string} path of a file @returns {number} brotli bytes */
const weigh = (path) =>
  brotliCompressSync(readFileSync(path), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  }).length;

/** @param {string} tree text of the generated route tree @returns {string[]} such as /tests/$testId */
const everyPath = (tree) =>
  [...(tree.match(/interface FileRoutesByTo \{([^}]*)\}/)?.[1] ?? '').matchAll(/'([^']+)':/g)].map(
    ([, path = '']) => path,
  );

/**
 * What the path to the first question loads, and what each other screen loads beyond it; its lazy parts are left out.
 * @param {{client: string, manifest: string, routeTree: string}} paths of one build
 * @returns {{first: Weight[], answer: Weight[], screens: Record<string, number>}} heaviest first; brotli bytes by path of
 *   the screen
 */
export const measurePages = ({ client, manifest, routeTree }) => {
  const tree = readFileSync(routeTree, 'utf8');
  /** @type {Manifest} */ const chunks = JSON.parse(readFileSync(manifest, 'utf8'));
  const html = readFileSync(join(client, 'index.html'), 'utf8');
  const named = namedFiles(html);
  /** @type {Map<string, number>} */ const weights = new Map();
  /** @param {string} file */
  const bytesOf = (file) => {
    const bytes = weights.get(file) ?? weigh(join(client, file));
    weights.set(file, bytes);
    return bytes;
  };
  /** @param {string[]} paths */
  const filesOf = (paths) =>
    [
      ...loadedFiles(
        chunks,
        named,
        paths.flatMap((path) => routeFiles(tree, path)),
      ),
    ].filter((file) => /\.(?:js|css)$/.test(file));
  /** @param {string[]} files */
  const weighAll = (files) =>
    files.map((file) => ({ file, bytes: bytesOf(file) })).sort((a, b) => b.bytes - a.bytes);
  const first = filesOf(pages);
  const answer = [...loadedFiles(chunks, [firstScript(html)], [])];
  const screens = everyPath(tree).map((path) => {
    const own = filesOf([path]).filter((file) => !first.includes(file));
    return [path, own.reduce((sum, file) => sum + bytesOf(file), 0)];
  });
  return {
    first: weighAll(first),
    answer: weighAll(answer.filter((file) => file.endsWith('.js'))),
    screens: Object.fromEntries(screens),
  };
};

/** @param {number} bytes in units of 1,024 */
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1).replace('.', ',')} КБ`;

/**
 * @param {string} what
 * @param {Weight[]} weights
 * @param {number} limit
 * @param {(line: string) => void} print
 */
const printLimit = (what, weights, limit, print) => {
  const total = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  const fits = total <= limit;
  print(
    `${what}: ${kilobytes(total)} brotli из ${kilobytes(limit)}${fits ? '' : ' — больше предела'}`,
  );
  for (const { file, bytes } of fits ? weights.slice(0, 5) : weights)
    print(`  ${kilobytes(bytes).padStart(9)}  ${file}`);
  return fits;
};

/**
 * @param {{first: Weight[], answer: Weight[]}} pages
 * @param {(line: string) => void} print
 * @returns {boolean} whether the pages stay within the budgets
 */
export const printBudget = ({ first, answer }, print) =>
  [
    printLimit('Вход и прохождение теста', first, budget, print),
    printLimit('Первый ответ на показанный вопрос', answer, answerBudget, print),
  ].every(Boolean);

/** A screen that grew by less is not mentioned. */
const GROWTH = 1.1;
const LEAST_GROWTH_BYTES = 1024;

/**
 * @param {Record<string, number>} screens brotli bytes by path
 * @param {Record<string, number>} before the same of the last list that was written
 * @returns {string[]} a line for each screen that grew by more than a tenth
 */
export const grownScreens = (screens, before) =>
  Object.entries(screens).flatMap(([path, bytes]) => {
    const old = before[path];
    if (old === undefined || bytes <= old * GROWTH || bytes - old < LEAST_GROWTH_BYTES) return [];
    return [`Экран ${path} стал тяжелее: ${kilobytes(old)} → ${kilobytes(bytes)}`];
  });

/**
 * @param {Record<string, number>} screens
 * @param {(line: string) => void} print
 */
export const printScreens = (screens, print) => {
  print('Экраны, сверх входа и прохождения теста:');
  for (const [path, bytes] of Object.entries(screens).sort(([, one], [, other]) => other - one))
    print(`  ${kilobytes(bytes).padStart(9)}  ${path}`);
};
