import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';
import { ScriptError, inProject, main, say } from './lib/project.mjs';
import {
  countPlaywright,
  countReport,
  countVitest,
  failuresIn,
  failuresOfPlaywright,
  failuresOfVitest,
} from './lib/reports.mjs';
import { run, runTool } from './lib/run.mjs';

/** @typedef {import('./lib/reports.mjs').Count} Count */

const reports = inProject('reports');

/** @param {string} title @param {() => Promise<Count>} body @returns {Promise<Count>} */
const step = async (title, body) => {
  say(`\n— ${title}`);
  const started = Date.now();
  let count = { passed: 0, failed: 1 };
  try {
    count = await body();
  } catch (error) {
    say(error instanceof ScriptError ? error.message : String(/** @type {Error} */ (error).stack));
  }
  const took = Math.round((Date.now() - started) / 1000);
  say(`— ${title}: прошло ${count.passed}, не прошло ${count.failed}, ${took} с`);
  return count;
};

const done = { passed: 1, failed: 0 };

const readyToRun = async () => {
  const { ensureBrowsers } = await import('./lib/browser.mjs');
  await ensureBrowsers();
  const { ensureEngines } = await import('./lib/engines.mjs');
  await ensureEngines();
  return done;
};

const built = async () => {
  const { ensureBuilt } = await import('./lib/build.mjs');
  await ensureBuilt();
  return done;
};

const checks = async () => {
  const { runChecks } = await import('./lib/checks.mjs');
  return runChecks();
};

const vitestReport = inProject('reports', 'vitest.json');
const vitest = async () => {
  const { code } = await runTool(
    'vitest/vitest.mjs',
    ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestReport}`],
    { live: true },
  );
  return countReport(vitestReport, code, countVitest);
};

const playwrightReport = inProject('reports', 'e2e.json');
const playwright = async () => {
  const { code } = await runTool(
    '@playwright/test/cli.js',
    ['test', '--project=chromium', '--reporter=list,json'],
    { live: true, env: { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport } },
  );
  return countReport(playwrightReport, code, countPlaywright);
};

/** The full figures are measured by hand; here the script only has to work. */
const shortProof = async () => {
  const args = '--seeds 1 --browser-kills 1 --server-kills 1 --minutes 10 --no-planted'.split(' ');
  const { code } = await runTool('tsx/dist/cli.mjs', ['proof/main.ts', ...args], { live: true });
  return code === 0 ? done : { passed: 0, failed: 1 };
};

/** @param {string[]} args */
const simulation = async (args) => {
  const report = inProject('reports', 'simulation.json');
  rmSync(report, { force: true });
  const { code } = await runTool('tsx/dist/cli.mjs', ['simulation/main.ts', ...args], {
    live: true,
  });
  return countReport(report, code, (count) => count);
};

/** The run is whole, or a sample by the given number, otherwise by the commit's: tests/turns.ts, tests/whole.ts. */
const chooseTests = async () => {
  const { values } = parseArgs({
    options: { whole: { type: 'boolean', default: false }, turn: { type: 'string' } },
  });
  if (values.whole) {
    process.env['TEST_WHOLE'] = '1';
    return;
  }
  const { output } = await run('git', ['rev-parse', 'HEAD']);
  const turn = values.turn ?? String(Number.parseInt(output.slice(0, 8), 16) || 0);
  if (!/^\d{1,15}$/.test(turn)) throw new ScriptError('--turn: нужно целое число');
  process.env['TEST_TURN'] = turn;
  say(`Выборка ${turn}; повторить её: npm test -- --turn ${turn}; все тесты: npm test -- --whole`);
};

await main(async () => {
  await chooseTests();
  await prepare();
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  /** @type {[string, () => Promise<Count>][]} */
  const steps = [
    ['Проверки кода', checks],
    ['Браузер', readyToRun],
    ['Сборка', built],
    ['Модульные и интеграционные тесты', vitest],
    ['Тесты в браузере', playwright],
    ['Симуляция сбоев', () => simulation(['--runs', '40', '--seed', '1'])],
    // All four scenarios take minutes: `npm run simulate -- --crashes`.
    ['Обрыв питания на каждом шаге', () => simulation(['--crashes', '--scenario', 'answering'])],
    ['Обещания, кратко', shortProof],
    ['Симуляция с подложенными ошибками', () => simulation(['--planted'])],
  ];
  const counts = [];
  const failedSteps = [];
  for (const [title, run] of steps) {
    const count = await step(title, run);
    counts.push(count);
    if (count.failed > 0) failedSteps.push(`${title}: ${count.failed}`);
  }
  const total = counts.reduce(
    (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
    { passed: 0, failed: 0 },
  );
  const failures = [
    ...failedSteps,
    ...failuresIn(vitestReport, failuresOfVitest),
    ...failuresIn(playwrightReport, failuresOfPlaywright),
  ];
  // The reports above are long: a reader of only the end sees where to look.
  if (failures.length > 0) say(`\nНе прошло:\n${failures.join('\n')}`);
  say(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
});
