import { mutantParts } from './scripts/lib/mutant-parts.mjs';

const name = process.env['MUTANTS_PART'] ?? '';
const part = mutantParts.get(name);

/** Started by `npm run mutants`, which names the part. */
export default {
  mutate: part?.mutate ?? [],
  ignorePatterns: ['/data', '/.data', '/.cache', '/dist', '/reports', '/docs/pictures'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutants.config.ts', related: true },
  coverageAnalysis: 'perTest',
  // Vitest strips types and never reads them.
  disableTypeChecks: false,
  plugins: ['@stryker-mutator/vitest-runner'],
  // A label's letters are no behaviour; a discriminant that is replaced does not compile.
  mutator: { excludedMutations: ['StringLiteral'] },
  concurrency: Number(process.env['MUTANTS_AT_ONCE'] ?? 1),
  reporters: ['progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: `reports/mutants/${name}.json` },
  htmlReporter: { fileName: `reports/mutants/${name}.html` },
  incrementalFile: `reports/mutants/${name}-incremental.json`,
  tempDirName: 'reports/mutants/sandbox',
  // The script counts: changes that do not compile leave the score.
  thresholds: { high: 95, low: 92, break: null },
  allowConsoleColors: process.stdout.isTTY,
};
