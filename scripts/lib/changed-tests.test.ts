import { expect, test } from 'vitest';
import { findSpecs, findTests } from './changed-tests.mjs';

test('a changed file brings the tests that import it, by either kind of path', () => {
  const tests = findTests(['domain/scoring.ts']);
  expect(tests).toContain('domain/scoring.test.ts');
  expect(tests).not.toContain('domain/csv.test.ts');
  expect(findTests(['src/storage/connection.ts'])).toContain('src/storage/connection.test.ts');
  expect(findTests(['tests/server.ts'])).toContain('tests/integration/board.test.ts');
});

test('selects the tests of the folder if none imports the file', () => {
  expect(findTests(['src/ui/use-turn-focus.ts'])).toContain('src/ui/keep-focus.test.tsx');
});

test('a server folder selects its integration tests', () => {
  expect(findTests(['server/grading/queue.ts'])).toContain('tests/integration/rescue.test.ts');
  expect(findTests(['server/statistics/analysis.ts'])).toContain(
    'tests/integration/statistics.test.ts',
  );
});

test('a changed test selects itself, a document none', () => {
  const changed = ['domain/csv.test.ts', 'docs/SCALING.md'];
  expect(findTests(changed)).toEqual(['domain/csv.test.ts']);
});

test('the table of the architecture names the browser tests', () => {
  expect(findSpecs(['src/ui/keep-focus.ts'])).toContain('e2e/focus.spec.ts');
  expect(findSpecs(['src/storage/connection.ts'])).toContain('e2e/engines.spec.ts');
  expect(findSpecs(['e2e/home.spec.ts', 'domain/csv.ts'])).toContain('e2e/home.spec.ts');
  expect(findSpecs(['server/main.ts'])).toEqual([]);
});
