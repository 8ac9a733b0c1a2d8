import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { ScriptError } from './project.mjs';

/** JavaScript and CSS for signing in and taking a test, brotli bytes: 208 KB of 1,024. Only the path to the first question needs a bound. */
export const budget = 208 * 1024;
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

/**
 * @param {{client: string, manifest: string, routeTree: string}} paths of one build
 * @returns {Weight[]} heaviest first
 */
export const measurePages = ({ client, manifest, routeTree }) => {
  const tree = readFileSync(routeTree, 'utf8');
  const routes = pages.flatMap((page) => routeFiles(tree, page));
  /** @type {Manifest} */ const chunks = JSON.parse(readFileSync(manifest, 'utf8'));
  const named = namedFiles(readFileSync(join(client, 'index.html'), 'utf8'));
  return [...loadedFiles(chunks, named, routes)]
    .filter((file) => /\.(?:js|css)$/.test(file))
    .map((file) => ({
      file,
      bytes: brotliCompressSync(readFileSync(join(client, file)), {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
      }).length,
    }))
    .sort((a, b) => b.bytes - a.bytes);
};

/** @param {number} bytes in units of 1,024 */
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1).replace('.', ',')} КБ`;

/**
 * @param {Weight[]} weights
 * @param {(line: string) => void} print
 * @returns {boolean} whether the pages stay within the budget
 */
export const printBudget = (weights, print) => {
  const total = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  const fits = total <= budget;
  print(
    `Вход и прохождение теста: ${kilobytes(total)} brotli из ${kilobytes(budget)}${fits ? '' : ' — больше предела'}`,
  );
  for (const { file, bytes } of fits ? weights.slice(0, 5) : weights)
    print(`  ${kilobytes(bytes).padStart(9)}  ${file}`);
  return fits;
};
