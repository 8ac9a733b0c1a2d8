import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { inProject } from '#scripts/lib/project.mjs';
import { runBrowserKills } from './browser-kills.ts';
import {
  formatMarkdown,
  formatTable,
  type ProofReport,
  replaceFigures,
  violationsOf,
} from './report.ts';
import { runServerKills } from './server-kills.ts';
import { runPlanted, runSeeds } from './simulated-seeds.ts';

/**
 * The long form of what `npm test` checks briefly. `--seeds`, `--browser-kills`, `--server-kills`: how
 * many; `--minutes`: time limit of the whole run; `--seed`: the first one, from the date by
 * default; `--no-planted` skips the planted bugs; `--write` writes the figures to docs/PROOF.md.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100000' },
    'browser-kills': { type: 'string', default: '500' },
    'server-kills': { type: 'string', default: '2000' },
    minutes: { type: 'string', default: '170' },
    seed: { type: 'string' },
    'no-planted': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

function wholeNumber(text: string, name: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  console.error(`--${name}: нужно целое число`);
  process.exit(2);
}

/** Shares of the time for the kills; the rest is for the seeds. */
const SERVER_SHARE = 0.3;
const BROWSER_SHARE = 0.6;

const say = (line: string): void => console.log(line);

function readCommit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: inProject(), encoding: 'utf8' }).trim();
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

const at = new Date();
const seedOfToday = `${at.toISOString().slice(0, 10).replaceAll('-', '')}000000`;
const seed = wholeNumber(values.seed ?? seedOfToday, 'seed');
const minutes = wholeNumber(values.minutes, 'minutes');
const ends = (share: number): number => at.getTime() + minutes * 60_000 * share;
const part = (name: 'seeds' | 'browser-kills' | 'server-kills', share: number) => ({
  seed,
  count: wholeNumber(values[name], name),
  until: ends(share),
  say,
});
const requested = {
  servers: part('server-kills', SERVER_SHARE),
  browsers: part('browser-kills', BROWSER_SHARE),
  seeds: part('seeds', 1),
};
const commit = readCommit();

say('Убиваем серверы и базы, пока ученики отвечают.');
const serverKills = await runServerKills(requested.servers);
say('Убиваем браузеры, пока ученик отвечает.');
const browserKills = await runBrowserKills(requested.browsers);
if (!values['no-planted']) say('Подкладываем ошибки.');
const planted = values['no-planted'] ? null : await runPlanted(1);
say('Симуляция сбоев.');
const seeds = await runSeeds(requested.seeds);

const report: ProofReport = {
  at: at.toISOString(),
  commit,
  seed,
  minutes,
  machine: {
    cpus: cpus().length,
    model: cpus()[0]?.model ?? '',
    load: Number((loadavg()[2] ?? 0).toFixed(1)),
  },
  serverKills,
  browserKills,
  seeds,
  planted,
};
mkdirSync(inProject('reports'), { recursive: true });
writeFileSync(inProject('reports', 'proof.json'), `${JSON.stringify(report, null, 2)}\n`);
say(`\n${formatTable(report)}`);
if (values.write) {
  const path = inProject('docs', 'PROOF.md');
  writeFileSync(path, replaceFigures(readFileSync(path, 'utf8'), formatMarkdown(report)));
}
const violations = violationsOf(report);
for (const { what, repeat } of violations) say(`\n${what}\nПовторить: ${repeat}`);
if (violations.length > 0) process.exitCode = 1;
