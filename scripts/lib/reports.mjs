import { readFileSync } from 'node:fs';

/** @typedef {{passed: number, failed: number}} Count */

/**
 * @typedef {{
 *   numPassedTests: number,
 *   numTotalTests: number,
 *   testResults: {status: string, assertionResults: {status: string}[]}[],
 * }} VitestReport
 * @typedef {{
 *   stats: {expected: number, unexpected: number, flaky: number, skipped: number},
 *   errors: unknown[],
 * }} PlaywrightReport
 */

/**
 * Whatever did not pass has failed, a skipped test too; so has a file that could not be collected.
 * @param {VitestReport} report
 * @returns {Count}
 */
export const countVitest = ({ numPassedTests, numTotalTests, testResults }) => ({
  passed: numPassedTests,
  failed:
    numTotalTests -
    numPassedTests +
    testResults.filter(
      ({ status, assertionResults }) =>
        status !== 'passed' && assertionResults.every((test) => test.status === 'passed'),
    ).length,
});

/**
 * @param {PlaywrightReport} report
 * @returns {Count}
 */
export const countPlaywright = ({ stats, errors }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky + stats.skipped + errors.length,
});

/**
 * Counts a finished program by the report it left.
 * @param {string} path of the JSON report
 * @param {number} code the program's exit code
 * @param {(report: any) => Count} count
 * @returns {Count} one failure when there is no report, nothing in it, or a bad exit unexplained by it
 */
export const countReport = (path, code, count) => {
  /** @type {Count} */ let found;
  try {
    found = count(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return { passed: 0, failed: 1 };
  }
  const sound = Number.isInteger(found.passed) && Number.isInteger(found.failed);
  if (!sound || found.passed + found.failed === 0) return { passed: 0, failed: 1 };
  return code !== 0 && found.failed === 0 ? { ...found, failed: 1 } : found;
};
