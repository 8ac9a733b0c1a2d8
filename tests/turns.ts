import { turnOfRun } from './whole.ts';

/** `npm test` runs the files of one list of each group, by the remainder of the run's number. */
type Turns = readonly (readonly string[])[];

/**
 * Journeys of screens and of rare kinds of questions; their parts have tests of their own, which always run. What
 * concerns stored answers, sign-ins and devices is in no list.
 */
export const BROWSER_TURNS: Turns = [
  ['authoring', 'board', 'class-run', 'composition', 'exchange', 'presses'],
  ['bank', 'low-vision', 'number-phone', 'recordings', 'shell', 'trials'],
  ['areas', 'comforts', 'generate', 'keyboard', 'lost-parts'],
  ['gaps', 'help-pictures', 'lists', 'ordering', 'second-factor', 'word-bank'],
  ['focus', 'groups', 'home', 'screens', 'statistics', 'translated'],
  [
    'admin',
    'ai',
    'big-bank',
    'formulas',
    'grading',
    'layout-shift',
    'long-names',
    'paste',
    'projects',
    'results',
    'sharing',
  ],
].map((names) => names.map((name) => `e2e/${name}.spec.ts`));

/** Programs that are installed, started and stopped, and what else is slow and changed seldom. */
export const PROGRAM_TURNS: Turns = [
  ['architecture/toy-kind'],
  [
    'faults/simulation',
    'integration/backup-commands',
    'integration/demo',
    'integration/durable-database',
    'integration/embedded-stranger',
  ],
  [
    'integration/embedded-life',
    'integration/passing-files-s3',
    'integration/reset-password',
    'integration/tls',
  ],
  [
    'integration/embedded-cluster-paths',
    'integration/processes',
    'integration/server-role',
    'integration/start-up',
  ],
  ['integration/act-limits', 'integration/backup', 'integration/embedded-account'],
  ['integration/backup-s3', 'integration/board-stream', 'integration/demo-projects'],
].map((names) => names.map((name) => `tests/${name}.test.ts`));

/** The files that wait for another run. */
export const filesOfOtherRuns = (turns: Turns, turn = turnOfRun): string[] =>
  turn === null ? [] : turns.filter((_, index) => index !== turn % turns.length).flat();
