import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { mutantParts } from './lib/mutant-parts.mjs';
import { LOWEST_SCORE, summarise } from './lib/mutants.mjs';
import { prepare } from './lib/prepare.mjs';
import { ScriptError, inProject, main, say } from './lib/project.mjs';
import { repeatMutants } from './lib/repeat-mutants.mjs';
import { runTool } from './lib/run.mjs';
import { markRefused } from './lib/type-refused.mjs';

const [first, ...rest] = process.argv.slice(2);
/** Of `--mutate a.ts,b.ts`. */
const mutatedFiles = (rest.includes('--mutate') ? (rest[rest.indexOf('--mutate') + 1] ?? '') : '')
  .split(',')
  .filter(Boolean);
const isPart = first !== undefined && !first.startsWith('-');
if (isPart && !mutantParts.has(first))
  throw new ScriptError(`Нет такой части: ${first}. Есть: ${[...mutantParts.keys()].join(', ')}.`);

/**
 * @param {string} name
 * @param {import('./lib/mutant-parts.mjs').MutantPart} part
 * @returns {Promise<import('./lib/mutants.mjs').MutationReport | null>}
 */
const runStryker = async (name, part) => {
  const { code } = await runTool(
    '@stryker-mutator/core/bin/stryker.js',
    ['run', ...(isPart ? rest : process.argv.slice(2))],
    {
      live: true,
      env: {
        MUTANTS_PART: name,
        // Stryker's process runs all projects, and the zone of one of them cannot be set in it.
        ...(part.tests['dom'] && { TZ: 'Europe/Moscow' }),
        NODE_OPTIONS: `--import=${pathToFileURL(inProject('scripts', 'lib', 'typescript-6.mjs')).href}`,
      },
    },
  );
  if (code !== 0) return null;
  /** @type {import('./lib/mutants.mjs').MutationReport} */
  const report = JSON.parse(readFileSync(inProject('reports', 'mutants', `${name}.json`), 'utf8'));
  markRefused(report, part.tsconfig);
  return report;
};

/** @param {string} name @param {import('./lib/mutant-parts.mjs').MutantPart} part */
const mutate = async (name, part) => {
  say(`\n— ${name}`);
  const report = part.isRepeated
    ? await repeatMutants(name, part, mutatedFiles)
    : await runStryker(name, part);
  if (report === null) return false;
  const { line, score, survivors } = summarise(report);
  for (const survivor of survivors) say(survivor);
  say(`— ${name}: ${line}`);
  return score >= LOWEST_SCORE;
};

await main(async () => {
  await prepare();
  let enough = true;
  for (const [name, part] of mutantParts)
    if (!isPart || name === first) enough = (await mutate(name, part)) && enough;
  return enough ? 0 : 1;
});
