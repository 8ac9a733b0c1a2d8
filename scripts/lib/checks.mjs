import { cruise } from './imports.mjs';
import { say } from './project.mjs';
import { runTool } from './run.mjs';
import { checkWords } from './words.mjs';

/** @typedef {{name: string, check: () => Promise<{ok: boolean, report: string}>}} Check */

/**
 * @param {string} name
 * @param {string} script of the tool, inside node_modules
 * @param {string[]} args
 * @returns {Check}
 */
const tool = (name, script, args) => ({
  name,
  check: async () => {
    const { code, output } = await runTool(script, args);
    return { ok: code === 0, report: output };
  },
});

/** @param {string} project */
const types = (project) => ['-p', project, '--pretty', 'false'];

/** @type {Check[]} */
const checks = [
  tool('типы: приложение', 'typescript/bin/tsc', types('tsconfig.json')),
  tool('типы: сервер и тесты', 'typescript/bin/tsc', types('tsconfig.server.json')),
  tool('типы: service worker', 'typescript/bin/tsc', types('src-sw/tsconfig.json')),
  tool('oxlint', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', '--format=unix']),
  tool('oxfmt', 'oxfmt/bin/oxfmt', ['--check', '.']),
  { name: 'правила импорта', check: () => cruise() },
  { name: 'простой английский', check: async () => checkWords() },
  tool('файл зависимостей (lockfile-lint)', 'lockfile-lint/bin/lockfile-lint.js', [
    '--path=package-lock.json',
    '--type=npm',
    '--allowed-hosts=npm',
    '--validate-https',
    '--validate-integrity',
    '--validate-package-names',
  ]),
  tool('неиспользуемый код (knip)', 'knip/bin/knip.js', ['--no-progress']),
];

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1).replace('.', ',')} с`;

/**
 * Runs every check, two at a time, and says the outcome of each.
 * @returns {Promise<{passed: number, failed: number}>}
 */
export const runChecks = async () => {
  const waiting = [...checks];
  const count = { passed: 0, failed: 0 };
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const started = Date.now();
      const { ok, report } = await next.check();
      count[ok ? 'passed' : 'failed'] += 1;
      say(`${ok ? 'ok     ' : 'failed '} ${next.name} (${seconds(Date.now() - started)})`);
      if (!ok) say(report.trim().replaceAll(/^/gm, '    '));
    }
  };
  await Promise.all([work(), work()]);
  return count;
};
