import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';
import { runTool } from './run.mjs';

const folders = [
  'contract',
  'domain',
  'interchange',
  'src',
  'src-sw',
  'server',
  'simulation',
  'bench',
  'proof',
  'tests',
];

/**
 * @typedef {{
 *   modules: {source: string}[],
 *   summary: {
 *     totalCruised: number,
 *     totalDependenciesCruised: number,
 *     violations: {rule: {name: string}, from: string, to: string}[],
 *   },
 * }} Cruised
 */

/** @param {string} cwd @param {string} folder */
const sourcesOf = (cwd, folder) =>
  readdirSync(join(cwd, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'));

/**
 * Checks the import rules. A tool that silently reads nothing would find nothing wrong, so every
 * source file must be among the modules it has read.
 * @param {string} [cwd] the tree to check
 * @returns {Promise<{ok: boolean, violations: {rule: string, from: string}[], report: string}>}
 */
export const cruise = async (cwd = root) => {
  const present = folders.filter((folder) => existsSync(join(cwd, folder)));
  const { output } = await runTool(
    'dependency-cruiser/bin/dependency-cruise.mjs',
    ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...present],
    { cwd },
  );
  /** @type {Cruised} */ let cruised;
  try {
    cruised = JSON.parse(output.slice(output.indexOf('{')));
  } catch {
    return { ok: false, violations: [], report: output };
  }
  const { violations, totalDependenciesCruised } = cruised.summary;
  const read = new Set(cruised.modules.map(({ source }) => source));
  const sources = present.flatMap((folder) => sourcesOf(cwd, folder));
  const unread = sources.filter((source) => !read.has(source));
  const lines = [
    ...violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    ...unread.map((source) => `не прочитан: ${source}`),
    ...(sources.length === 0 ? ['не найдено ни одного файла'] : []),
  ];
  return {
    ok: lines.length === 0,
    violations: violations.map(({ rule, from }) => ({ rule: rule.name, from })),
    report:
      lines.length === 0
        ? `Правила импорта: ${sources.length} файлов, ${totalDependenciesCruised} связей, нарушений нет.`
        : lines.join('\n'),
  };
};
