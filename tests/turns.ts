import { turnOfRun } from './whole.ts';

/**
 * `npm test` runs a sample: of each list of lists below, the files of one list, by the remainder of the run's number.
 */
type Turns = readonly (readonly (readonly string[])[])[];

/**
 * Journeys of screens and of rare kinds of questions; their parts have tests of their own, which always run. What
 * concerns stored answers, sign-ins and devices is in no list.
 */
export const BROWSER_TURNS: Turns = [
  [
    [
      'exchange',
      'formulas',
      'long-names',
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
      'composition',
      'generate',
      'groups',
      'home',
      'ordering',
      'paste',
      'statistics',
    ],
    [
      'admin',
      'ai',
      'big-bank',
      'gaps',
      'layout-shift',
      'projects',
      'second-factor',
      'translated',
      'word-bank',
    ],
  ],
  [
    ['board', 'class-run', 'focus', 'grading', 'lists', 'lost-parts'],
    ['authoring', 'comforts', 'keyboard', 'results', 'screens', 'shell'],
  ],
].map((lists) => lists.map((names) => names.map((name) => `e2e/${name}.spec.ts`)));

/** Programs that are installed, started and stopped, and a compilation of the whole: slow, and changed seldom. */
export const PROGRAM_TURNS: Turns = [
  [
    [
      'architecture/toy-kind',
      'integration/backup-commands',
      'integration/durable-database',
      'integration/embedded-life',
      'integration/embedded-stranger',
    ],
    [
      'integration/demo',
      'integration/embedded-cluster-paths',
      'integration/reset-password',
      'integration/server-role',
      'integration/tls',
    ],
    ['integration/demo-projects', 'integration/embedded-account', 'integration/processes'],
  ],
].map((lists) => lists.map((names) => names.map((name) => `tests/${name}.test.ts`)));

/** The files that wait for another run. */
export const filesOfOtherRuns = (turns: Turns, turn = turnOfRun): string[] =>
  turn === null
    ? []
    : turns.flatMap((lists) => lists.filter((_, index) => index !== turn % lists.length).flat());
