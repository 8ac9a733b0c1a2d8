import { turnOfRun } from './whole.ts';

/** `npm test` runs the files of one list of each group, by the remainder of the run's number. */
type Turns = readonly (readonly string[])[];

/** Journeys of screens and of rare kinds of questions; their parts have tests of their own, which always run. */
export const BROWSER_TURNS: Turns = [
  ['authoring', 'board', 'class-run', 'composition', 'editor', 'exchange', 'presses'],
  ['bank', 'low-vision', 'number-phone', 'readiness', 'recordings', 'shell', 'trials'],
  ['areas', 'comforts', 'generate', 'keyboard', 'lost-parts', 'offline-kinds', 'start-code'],
  [
    'class-codes',
    'editor-two',
    'gaps',
    'help-pictures',
    'lists',
    'ordering',
    'receipts',
    'second-factor',
    'word-bank',
  ],
  ['focus', 'groups', 'handover', 'home', 'qr-video', 'screens', 'statistics', 'translated'],
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
    'rescue-file',
    'results',
    'sharing',
  ],
].map((names) => names.map((name) => `e2e/${name}.spec.ts`));

/** Programs that are installed, started and stopped, formats of other programs, and what else is slow and seldom changed. */
export const SLOW_TURNS: Turns = [
  [
    'interchange/marked/marked-text',
    'tests/architecture/toy-kind',
    'tests/integration/computable-keys',
  ],
  [
    'interchange/moodle/moodle',
    'interchange/moodle/second-parser',
    'tests/faults/simulation',
    'tests/integration/backup-commands',
    'tests/integration/demo',
    'tests/integration/durable-database',
    'tests/integration/embedded-stranger',
    'tests/integration/factor-stop',
  ],
  [
    'interchange/qti/write',
    'tests/integration/embedded-life',
    'tests/integration/passing-files-s3',
    'tests/integration/released-database',
    'tests/integration/reset-password',
    'tests/integration/several-servers',
    'tests/integration/tls',
  ],
  [
    'interchange/csv/csv',
    'interchange/paper/write',
    'tests/integration/body-costs',
    'tests/integration/embedded-cluster-paths',
    'tests/integration/processes',
    'tests/integration/server-role',
    'tests/integration/start-up',
  ],
  [
    'interchange/gift/read',
    'interchange/qti1/package',
    'tests/integration/act-limits',
    'tests/integration/backup',
    'tests/integration/embedded-account',
    'tests/integration/sign-in-limits',
  ],
  [
    'interchange/html/html',
    'interchange/xlsx/xlsx',
    'server/demo/plan',
    'tests/integration/backup-s3',
    'tests/integration/board-stream',
    'tests/integration/database',
    'tests/integration/demo-projects',
    'tests/integration/statistics-scores',
  ],
].map((names) => names.map((name) => `${name}.test.ts`));

/**
 * Long files about stored answers, sign-ins and devices, and long screens, each in every third run. The lesson, the
 * journeys without a network, their start and deadline, sign-ins, safety and the three engines always run.
 */
export const OFTEN_TURNS: Turns = [
  [
    'e2e/offline-portal.spec.ts',
    'e2e/offline-sign-in.spec.ts',
    'e2e/painted.spec.ts',
    'src/features/settings/SettingsPage.test.tsx',
    'tests/integration/kill-server.test.ts',
  ],
  [
    'e2e/cleared-storage.spec.ts',
    'e2e/drafts-sign-out.spec.ts',
    'e2e/offline-broken.spec.ts',
    'e2e/shared-tablet.spec.ts',
    'src/outbox/slow-lines.test.ts',
    'tests/integration/offline-restore.test.ts',
  ],
  [
    'e2e/offline-devices.spec.ts',
    'e2e/offline-reading.spec.ts',
    'e2e/offline-update.spec.ts',
    'src/features/generation/GenerateScreen.test.tsx',
    'tests/integration/server-faults.test.ts',
  ],
];

/** The files that wait for another run. */
export const filesOfOtherRuns = (turns: Turns, turn = turnOfRun): string[] =>
  turn === null ? [] : turns.filter((_, index) => index !== turn % turns.length).flat();
