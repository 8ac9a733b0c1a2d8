import { turnOfRun } from './whole.ts';

/** `npm test` runs the files of one list of each group, by the remainder of the run's number. */
type Turns = readonly (readonly string[])[];

/**
 * Journeys of screens and of rare kinds of questions; their parts have tests of their own, which always run. What
 * concerns stored answers, sign-ins and devices is in no list.
 */
export const BROWSER_TURNS: Turns = [
  [
    'authoring',
    'board',
    'class-run',
    'exchange',
    'formulas',
    'long-names',
    'lost-parts',
    'low-vision',
    'number-phone',
    'presses',
    'recordings',
    'sharing',
    'trials',
  ],
  [
    'areas',
    'bank',
    'comforts',
    'composition',
    'generate',
    'groups',
    'home',
    'keyboard',
    'ordering',
    'paste',
    'screens',
    'shell',
    'statistics',
  ],
  [
    'admin',
    'ai',
    'big-bank',
    'focus',
    'gaps',
    'grading',
    'layout-shift',
    'lists',
    'projects',
    'results',
    'second-factor',
    'translated',
    'word-bank',
  ],
].map((names) => names.map((name) => `e2e/${name}.spec.ts`));

/** Programs that are installed, started and stopped, and what else is slow and changed seldom. */
export const PROGRAM_TURNS: Turns = [
  [
    'architecture/toy-kind',
    'integration/backup-commands',
    'integration/durable-database',
    'integration/embedded-life',
    'integration/embedded-stranger',
    'integration/passing-files-s3',
    'integration/start-up',
  ],
  [
    'faults/simulation',
    'integration/act-limits',
    'integration/demo',
    'integration/embedded-cluster-paths',
    'integration/reset-password',
    'integration/server-role',
    'integration/tls',
  ],
  [
    'integration/backup',
    'integration/board-stream',
    'integration/demo-projects',
    'integration/embedded-account',
    'integration/processes',
  ],
].map((names) => names.map((name) => `tests/${name}.test.ts`));

/** The files that wait for another run. */
export const filesOfOtherRuns = (turns: Turns, turn = turnOfRun): string[] =>
  turn === null ? [] : turns.filter((_, index) => index !== turn % turns.length).flat();
