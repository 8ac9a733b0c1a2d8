import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { globSync } from 'tinyglobby';
import { readTrials } from './mutant-trials.mjs';
import { ScriptError, inProject, root, say } from './project.mjs';
import { runTool } from './run.mjs';
import { markRefused } from './type-refused.mjs';

/**
 * @typedef {import('./mutants.mjs').MutationReport} MutationReport
 * @typedef {import('./mutant-parts.mjs').MutantPart} MutantPart
 * @typedef {import('./mutant-trials.mjs').Line} Line
 */

/** Strings are labels, as in `stryker.config.mjs`. */
const INSTRUMENTED = { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [] };
/** Maximum number of starts of one test file without a new result. */
const IDLE_STARTS = 2;

const nothing = () => undefined;
const no = () => false;
const silent = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};

/** All files that are not ignored in a folder of their own, with the changes in them. @param {string} sandbox */
const copyProject = (sandbox) => {
  rmSync(sandbox, { recursive: true, force: true });
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, encoding: 'utf8' },
  );
  for (const file of listed.split('\0').filter((name) => name && existsSync(inProject(name)))) {
    mkdirSync(dirname(join(sandbox, file)), { recursive: true });
    cpSync(inProject(file), join(sandbox, file));
  }
  symlinkSync(inProject('node_modules'), join(sandbox, 'node_modules'), 'dir');
};

/**
 * The files of the patterns, in the order of the patterns: a change that one file has detected is not tried with the
 * next, so the cheap ones come first.
 * @param {readonly string[]} patterns
 */
const listTests = (patterns) =>
  new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted()));

/**
 * Tries all changes of a part, each test once for each change that it covers, in a process per test file
 * (`repeating-runner.mjs`): for tests with a server that takes seconds to start.
 * @param {string} name
 * @param {MutantPart} part
 * @param {string[]} only paths; empty: all files of the part
 * @returns {Promise<MutationReport>}
 */
export const repeatMutants = async (name, part, only) => {
  const sandbox = inProject('reports', 'mutants', `repeated-${name}`);
  copyProject(sandbox);
  const paths = globSync(only.length > 0 ? only : part.mutate, { cwd: root });
  const given = paths.map((path) => ({
    name: path,
    mutate: true,
    content: readFileSync(inProject(path), 'utf8'),
  }));
  const { files, mutants: made } = await new Instrumenter(silent).instrument(given, INSTRUMENTED);
  // Of the kinds that are left out some are made all the same, and marked.
  const mutants = made.filter(({ status }) => status !== 'Ignored');
  for (const file of files) writeFileSync(join(sandbox, file.name), file.content);

  const report = reportOf(given, mutants);
  markRefused(report, part.tsconfig);
  const refused = mutantsOf(report).flatMap(({ id, status }) =>
    status === 'CompileError' ? [id] : [],
  );
  const trials = join(sandbox, 'trials.jsonl');
  /** @type {Line[]} */
  let lines = [{ refused }];
  writeFileSync(trials, `${JSON.stringify(lines[0])}\n`);
  for (const [project, patterns] of Object.entries(part.tests))
    for (const test of listTests(patterns)) {
      let idle = 0;
      for (;;) {
        const before = lines.length;
        await runTool(
          'vitest/vitest.mjs',
          ['run', '--config', 'vitest.mutants.config.ts', '--project', project, test],
          {
            cwd: sandbox,
            env: { MUTANTS_PART: name, MUTANT_TRIALS: trials },
          },
        );
        lines = readTrials(trials);
        if (lines.slice(before).some((line) => 'done' in line)) break;
        idle = lines.length > before ? 0 : idle + 1;
        if (idle === IDLE_STARTS) throw new ScriptError(`Тесты ${test} не доходят до конца.`);
      }
      const noticed = new Set(
        lines.flatMap((line) => ('mutant' in line && line.noticed ? [line.mutant] : [])),
      );
      say(`  ${test}: замечено ${noticed.size} из ${mutants.length - refused.length}`);
    }
  markTried(report, lines);
  return report;
};

/** @param {MutationReport} report */
const mutantsOf = ({ files }) => Object.values(files).flatMap((file) => file.mutants);

/**
 * Of changes that no test has tried yet.
 * @param {{ name: string, content: string }[]} given
 * @param {Awaited<ReturnType<Instrumenter['instrument']>>['mutants']} mutants
 * @returns {MutationReport}
 */
const reportOf = (given, mutants) => ({
  files: Object.fromEntries(
    given.map(({ name, content }) => [
      name,
      {
        source: content,
        mutants: mutants
          .filter(({ fileName }) => fileName === name)
          .map(({ id, mutatorName, replacement, location }) => ({
            id,
            mutatorName,
            replacement,
            status: 'NoCoverage',
            // From 1, as in Stryker’s reports.
            location: {
              start: { line: location.start.line + 1, column: location.start.column + 1 },
              end: { line: location.end.line + 1, column: location.end.column + 1 },
            },
          })),
      },
    ]),
  ),
});

/** @param {MutationReport} report changed in place: the status of what was tried @param {Line[]} lines */
const markTried = (report, lines) => {
  /** @type {Map<string, string>} */
  const status = new Map();
  const atImport = new Set(lines.flatMap((line) => ('done' in line ? line.atImport : [])));
  for (const line of lines) {
    if ('unrepeatable' in line) say(`  не повторить: ${line.unrepeatable}`);
    if (!('mutant' in line)) continue;
    if (line.noticed) status.set(line.mutant, line.noticed === 'failed' ? 'Killed' : 'Timeout');
    else if (!status.has(line.mutant)) status.set(line.mutant, 'Survived');
  }
  let untried = 0;
  for (const mutant of mutantsOf(report)) {
    if (mutant.status === 'CompileError') continue;
    const tried = status.get(mutant.id);
    // What is made while a module loads cannot be switched between two tests.
    const isUntried = tried === undefined && atImport.has(mutant.id);
    if (isUntried) untried += 1;
    mutant.status = tried ?? (isUntried ? 'Ignored' : 'NoCoverage');
  }
  if (untried > 0) say(`  при загрузке, не пробовались: ${untried}`);
};
