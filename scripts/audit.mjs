import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { AUDIT_HOLES } from './lib/audit-holes.mjs';
import { auditFile, AUDIT_PARTS } from './lib/audit-parts.mjs';
import { npm } from './lib/install.mjs';
import { readVulnerabilities } from './lib/vulnerabilities.mjs';
import { prepare } from './lib/prepare.mjs';
import { inProject, main, say } from './lib/project.mjs';
import { countReport, countVitest } from './lib/reports.mjs';
import { run, runTool } from './lib/run.mjs';

/** @typedef {import('./lib/reports.mjs').VitestReport} VitestReport */

const report = inProject('reports', 'audit.json');
const [mode, onlyHole] = process.argv.slice(2);

/** @param {string[]} args @param {import('./lib/run.mjs').RunOptions} [options] */
const vitest = (args, options) => {
  rmSync(report, { force: true });
  const reporters = ['--reporter=json', `--outputFile.json=${report}`];
  return runTool('vitest/vitest.mjs', ['run', ...args, ...reporters], options);
};

/** @returns {VitestReport} */
const readReport = () => JSON.parse(readFileSync(report, 'utf8'));

/** @returns {Promise<boolean>} whether a production package has a known vulnerability */
const hasVulnerabilities = async () => {
  const [command, first] = npm();
  const question = ['audit', '--omit=dev', '--json', '--loglevel=silent'];
  const { output } = await run(command, [...first, ...question]);
  const found = readVulnerabilities(output);
  if (found === null) say('Известные уязвимости в пакетах: реестр не ответил, не проверены');
  else say(`Известные уязвимости в пакетах: ${found.length === 0 ? 'нет' : found.join(', ')}`);
  return found !== null && found.length > 0;
};

const attack = async () => {
  const files = AUDIT_PARTS.flatMap(([, names]) => names.map(auditFile));
  const { code } = await vitest([...files, '--reporter=dot'], { live: true, env: { AUDIT: '1' } });
  const total = countReport(report, code, countVitest);
  const { testResults } = readReport();
  for (const [title, names] of AUDIT_PARTS) {
    const results = testResults
      .filter(({ name = '' }) => names.some((each) => name.endsWith(`/${auditFile(each)}`)))
      .flatMap(({ assertionResults }) => assertionResults);
    const held = results.filter(({ status }) => status === 'passed').length;
    say(`${title}: попыток ${results.length}, отбито ${held}`);
  }
  const isVulnerable = await hasVulnerabilities();
  say(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && !isVulnerable ? 0 : 1;
};

/**
 * Whether the tests that have to see a hole fail by an assertion: a server that does not start proves nothing.
 * @param {import('./lib/audit-holes.mjs').AuditHole} hole
 */
const isSeen = async ({ name, seenBy, only }) => {
  const { output } = await vitest(
    [
      '--config',
      'vitest.audit.config.ts',
      '--project=integration',
      '--bail=1',
      auditFile(seenBy),
      ...(only === undefined ? [] : ['-t', only]),
    ],
    { env: { AUDIT_HOLE: name } },
  );
  try {
    const results = readReport().testResults.flatMap(({ assertionResults }) => assertionResults);
    return results.some(({ status }) => status === 'failed');
  } catch {
    say(output);
    return false;
  }
};

const attackPlanted = async () => {
  const holes = AUDIT_HOLES.filter(({ name }) => onlyHole === undefined || name === onlyHole);
  let unseen = 0;
  for (const hole of holes) {
    const seen = await isSeen(hole);
    if (!seen) unseen += 1;
    say(`${seen ? 'замечена' : 'НЕ замечена'}: ${hole.name} (${hole.file}, ${hole.seenBy})`);
  }
  say(`\n${holes.length - unseen} passed, ${unseen} failed`);
  return unseen === 0 && holes.length > 0 ? 0 : 1;
};

await main(async () => {
  await prepare();
  mkdirSync(inProject('reports'), { recursive: true });
  return mode === '--planted' ? attackPlanted() : attack();
});
