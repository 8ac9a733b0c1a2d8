import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{passed: number, failed: number}} Count */

/**
 * @typedef {{
 *   numPassedTests: number,
 *   numTotalTests: number,
 *   testResults: {
 *     name?: string,
 *     status: string,
 *     assertionResults: {status: string, fullName?: string, failureMessages?: string[]}[],
 *   }[],
 * }} VitestReport
 * @typedef {{
 *   stats: {expected: number, unexpected: number, flaky: number, skipped: number},
 *   errors: unknown[],
 * }} PlaywrightReport
 * @typedef {{
 *   file?: string,
 *   title?: string,
 *   specs?: {ok: boolean, title: string, file: string, tests?: PlaywrightTest[]}[],
 *   suites?: PlaywrightSuite[],
 * }} PlaywrightSuite
 */

/**
 * @typedef {{
 *   status: string,
 *   results?: {error?: {message?: string, location?: {line: number}}}[],
 * }} PlaywrightTest
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

/**
 * What did not pass, a line each with the first line of its error; a file that could not be collected, too.
 * @param {Pick<VitestReport, 'testResults'>} report
 * @returns {string[]}
 */
export const failuresOfVitest = ({ testResults }) =>
  testResults.flatMap(({ name = '', status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status !== 'passed');
    if (failed.length === 0) return status === 'passed' ? [] : [name];
    return failed.map(({ fullName = '', failureMessages = [] }) =>
      [name, fullName, failureMessages[0]?.split('\n')[0]].filter(Boolean).join(' › '),
    );
  });

/** How many characters of a browser test's error are shown. */
const ERROR_CHARACTERS = 600;

/**
 * The error of a browser test in one line: Playwright says below the first line what was expected where.
 * @param {readonly PlaywrightTest[]} tests
 * @returns {string[]}
 */
const errorOfTests = (tests) =>
  tests
    .flatMap(({ results = [] }) => results)
    .flatMap(({ error }) => (error ? [error] : []))
    .slice(0, 1)
    .map(({ message = '', location }) => {
      const line = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim();
      return [location && `line ${location.line}`, line.slice(0, ERROR_CHARACTERS)]
        .filter(Boolean)
        .join(': ');
    });

/** @param {PlaywrightSuite} suite @param {readonly string[]} within @returns {string[]} */
const failuresOfSuite = ({ specs = [], suites = [], title = '' }, within) => {
  const names = title === '' ? within : [...within, title];
  return [
    ...specs
      .filter(({ ok, tests = [] }) => !ok || tests.some(({ status }) => status !== 'expected'))
      .map(({ title: name, tests = [] }) => [...names, name, ...errorOfTests(tests)].join(' › ')),
    ...suites.flatMap((suite) => failuresOfSuite(suite, names)),
  ];
};

/**
 * @param {{suites: PlaywrightSuite[], errors?: {message?: string}[]}} report
 * @returns {string[]} the tests that did not pass with their errors, skipped ones too, and what failed outside of any, a line each
 */
export const failuresOfPlaywright = ({ suites, errors = [] }) => [
  ...suites.flatMap((suite) => failuresOfSuite(suite, [])),
  ...errors.map(({ message = '' }) => message.split('\n')[0] ?? ''),
];

/**
 * @param {string} path of the JSON report
 * @param {(report: any) => string[]} failures
 * @returns {string[]} nothing when the report cannot be read
 */
export const failuresIn = (path, failures) => {
  try {
    return failures(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return [];
  }
};
