import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { mutantParts } from './lib/mutant-parts.mjs';
import { summarise } from './lib/mutants.mjs';
import { prepare } from './lib/prepare.mjs';
import { Trouble, inProject, main, say } from './lib/project.mjs';
import { runTool } from './lib/run.mjs';

const [first, ...rest] = process.argv.slice(2);
const all = [...mutantParts.keys()];
const isPart = first !== undefined && !first.startsWith('-');
if (isPart && !mutantParts.has(first))
  throw new Trouble(`Нет такой части: ${first}. Есть: ${all.join(', ')}.`);

/** @param {string} part @returns {Promise<boolean>} whether enough wrong lines were caught */
const mutate = async (part) => {
  say(`\n— ${part}`);
  const { code } = await runTool(
    '@stryker-mutator/core/bin/stryker.js',
    ['run', ...(isPart ? rest : process.argv.slice(2))],
    {
      live: true,
      env: {
        MUTANTS_PART: part,
        NODE_OPTIONS: `--import=${pathToFileURL(inProject('scripts', 'lib', 'typescript-6.mjs')).href}`,
      },
    },
  );
  const { line, survivors } = summarise(
    JSON.parse(readFileSync(inProject('reports', 'mutants', `${part}.json`), 'utf8')),
  );
  for (const survivor of survivors) say(survivor);
  say(`— ${part}: ${line}`);
  return code === 0;
};

await main(async () => {
  await prepare();
  let enough = true;
  for (const part of isPart ? [first] : all) enough = (await mutate(part)) && enough;
  return enough ? 0 : 1;
});
