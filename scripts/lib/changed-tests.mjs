import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { mutantParts } from './mutant-parts.mjs';
import { inProject, root } from './project.mjs';

/** @param {string | string[]} patterns @returns {string[]} files of the project */
const find = (patterns) => globSync(patterns, { cwd: root, expandDirectories: false });

const TESTS =
  '{contract,domain,interchange,src,src-sw,server,scripts,simulation,proof,tests}/**/*.test.{ts,tsx}';

/** @param {string} path */
const isTest = (path) => /\.test\.tsx?$/.test(path);

/**
 * The files that differ from a commit, those that Git does not know yet among them.
 * @param {string} commit
 * @returns {string[]}
 */
export const findChanged = (commit) => {
  /** @param {string[]} args */
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--diff-filter=d', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
};

/** @param {string} path of a file of the server @returns {string[]} the integration tests of its folder */
const integrationOf = (path) => {
  const [top, folder = ''] = path.split('/');
  if (top !== 'server' || folder.includes('.')) return [];
  const named = mutantParts.get(folder)?.tests['integration'];
  return find(named ?? `tests/integration/${folder.replace(/s$/, '')}*.test.ts`);
};

/** @type {Record<string, string>} the folders that imports name otherwise */
const RENAMED = { app: 'src', worker: 'src-sw' };

/** @param {string} from the importing file @param {string} name what it imports @returns {string} a path */
const resolveImport = (from, name) => {
  if (!name.startsWith('#')) return join(dirname(from), name);
  const [top = '', ...rest] = name.slice(1).split('/');
  return [RENAMED[top] ?? top, ...rest].join('/');
};

/** @param {string} path of a test @returns {string[]} the files that it imports itself */
const importsOf = (path) =>
  [...readFileSync(inProject(path), 'utf8').matchAll(/'([#.][^'\n]*\/[^'\n]+)'/g)].map(
    ([, name = '']) => resolveImport(path, name),
  );

/**
 * The tests next to the changed files: those that import them, where there are none those of the folder, and what
 * stands for a folder of the server. What is built on a changed file is left to `npm test`.
 * @param {readonly string[]} changed
 * @returns {string[]}
 */
export const findTests = (changed) => {
  const sources = changed.filter((path) => /\.(tsx?|mjs)$/.test(path) && !isTest(path));
  const imports = find(TESTS).map((path) => ({ path, names: importsOf(path) }));
  const next = sources.flatMap((source) => {
    const importing = imports.filter(({ names }) => names.includes(source));
    if (importing.length > 0) return importing.map(({ path }) => path);
    return find(`${dirname(source)}/*.test.{ts,tsx}`);
  });
  const tests = [...changed.filter(isTest), ...next, ...sources.flatMap(integrationOf)];
  return [...new Set(tests)].sort();
};

/** @param {string} cell of a table @returns {string[]} its paths */
const pathsIn = (cell) =>
  [...cell.matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes('/'));

/**
 * The browser tests that the table «To change X» names for the changed files, and the changed ones.
 * @param {readonly string[]} changed
 * @returns {string[]}
 */
export const findSpecs = (changed) => {
  const table = readFileSync(inProject('docs', 'ARCHITECTURE.md'), 'utf8');
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('.spec.ts'));
  const named = rows.flatMap((row) => {
    const [, touched = '', run = ''] = row.split(' | ');
    const files = pathsIn(touched).flatMap((path) => find([path, `${path.replace(/\/$/, '')}/**`]));
    return files.some((file) => changed.includes(file)) ? pathsIn(run) : [];
  });
  const specs = find(named.filter((path) => path.startsWith('e2e/')));
  return [...new Set([...changed, ...specs])]
    .filter((path) => path.endsWith('.spec.ts') && existsSync(inProject(path)))
    .sort();
};
