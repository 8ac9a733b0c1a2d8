/**
 * @typedef {{
 *   mutate: string[],
 *   tests: Record<string, string[]>,
 *   tsconfig: string,
 *   isRepeated?: boolean,
 * }} MutantPart
 * mutate: files to change; tests: by the name of vitest's project, the files that have to detect the changes; tsconfig:
 * where the mutated files are checked; isRepeated: the dependencies of its tests load for seconds, so one process tries
 * all changes that a test file covers (`repeat-mutants.mjs`).
 */

/** Doubles and builders of the tests are not part of the product. */
const product = ['!**/*.test.ts', '!**/*.d.ts'];

/**
 * A folder of the server with the integration tests that stand for it.
 * @param {string} folder
 * @param {readonly string[]} names of files of `tests/integration`, as patterns
 * @returns {MutantPart}
 */
const server = (folder, names) => ({
  mutate: [`server/${folder}/**/*.ts`, ...product],
  tests: {
    unit: [`server/${folder}/**/*.test.ts`],
    integration: names.map((name) => `tests/integration/${name}.test.ts`),
  },
  tsconfig: 'tsconfig.server.json',
  isRepeated: true,
});

/**
 * What is measured by mutation testing: a part's own tests have to see its wrong lines, not those
 * of what happens to be built on it.
 * @type {ReadonlyMap<string, MutantPart>}
 */
export const mutantParts = new Map([
  [
    'domain',
    {
      mutate: ['domain/**/*.ts', ...product],
      // The cost of a text is compared in processor time, which the changed code distorts.
      tests: { unit: ['domain/**/!(*.cost).test.ts'] },
      tsconfig: 'tsconfig.json',
    },
  ],
  [
    'outbox',
    {
      mutate: [
        'src/outbox/**/*.ts',
        // Its second layer follows the outbox's rules, and its tests are there.
        'src/storage/{layered,merge}.ts',
        '!src/outbox/{fake-server,fake-transport,test-device,test-rows}.ts',
        ...product,
      ],
      tests: { unit: ['src/outbox/**/*.test.ts'] },
      tsconfig: 'tsconfig.json',
    },
  ],
  [
    'storage',
    {
      mutate: ['src/storage/**/*.ts', '!src/storage/{layered,merge,fake-locks}.ts', ...product],
      tests: { unit: ['src/storage/**/*.test.ts'] },
      tsconfig: 'tsconfig.json',
    },
  ],
  [
    'worker',
    {
      mutate: ['src-sw/**/*.ts', '!src-sw/fake-*.ts', ...product],
      tests: { unit: ['src-sw/**/*.test.ts'] },
      tsconfig: 'src-sw/tsconfig.json',
    },
  ],
  [
    'passing',
    {
      mutate: ['server/passing/**/*.ts', ...product],
      tests: {
        unit: ['server/passing/**/*.test.ts'],
        integration: [
          'tests/integration/{passing-*,grading-*,handed-in-types,templates,trials,variants}.test.ts',
        ],
      },
      tsconfig: 'tsconfig.server.json',
      isRepeated: true,
    },
  ],
  [
    'taking',
    {
      mutate: [
        'src/features/passing/**/*.{ts,tsx}',
        '!src/features/passing/test-taking.tsx',
        // The fields of the questions, as a student meets them.
        'src/questions/{answer-inputs.ts,QuestionAnswer.tsx,*/answer-input.tsx}',
        'src/questions/file/{FileAnswer.tsx,file-picks.ts,read-picked-file.ts,refused-files.ts}',
        '!**/*.test.tsx',
        ...product,
      ],
      tests: {
        unit: [
          'src/features/passing/**/*.test.ts',
          'src/questions/file/{file-picks,read-picked-file,refused-files}.test.ts',
        ],
        dom: [
          'src/features/passing/{[A-S]*,Taking?*,use-*}.test.tsx',
          'src/questions/{answer-inputs,QuestionAnswer,file/FileAnswer}.test.tsx',
          // Its tests run through all the others: what those have noticed is not tried again.
          'src/features/passing/Taking.test.tsx',
        ],
      },
      tsconfig: 'tsconfig.json',
      isRepeated: true,
    },
  ],
  [
    'draft',
    {
      mutate: ['src/drafts/**/*.ts', '!src/drafts/{testing,serve-draft}.ts', ...product],
      tests: {
        unit: ['src/drafts/**/*.test.ts'],
        dom: ['src/drafts/**/*.test.tsx'],
      },
      tsconfig: 'tsconfig.json',
      isRepeated: true,
    },
  ],
  [
    'auth',
    server('auth', [
      'second-factor-rules',
      'sign-in-rules',
      'first-admin',
      'audit-log',
      'profile',
      'rename',
      'second-factor',
      'factor-stop',
      'groups-students',
      'auth',
      'security',
      'sign-in-limits',
    ]),
  ],
  [
    'grading',
    server('grading', [
      'grading-*',
      'rescue',
      'foreign-class',
      'review-teaching',
      'trials',
      'variants',
    ]),
  ],
  ['board', server('board', ['board', 'board-*'])],
  ['attempts', server('attempts', ['passing-extend', 'board-time', 'grading-*', 'audit-acts'])],
  [
    'files',
    server('files', ['pictures', 'passing-files', 'project-files', 'handed-in-types', 's3']),
  ],
]);
