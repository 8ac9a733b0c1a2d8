import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  countPlaywright,
  countReport,
  countVitest,
  failuresIn,
  failuresOfPlaywright,
  failuresOfVitest,
} from './reports.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reports-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const report = (value: unknown) => {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify(value));
  return path;
};
const same = (count: { passed: number; failed: number }) => count;

describe('Vitest report', () => {
  const file = (status: string, ...tests: string[]) => ({
    status,
    assertionResults: tests.map((outcome) => ({ status: outcome })),
  });

  test('a skipped test counts as failed', () => {
    const counted = countVitest({
      numPassedTests: 2,
      numTotalTests: 3,
      testResults: [file('passed', 'passed', 'passed', 'skipped')],
    });
    expect(counted).toEqual({ passed: 2, failed: 1 });
  });

  test('a file that could not be collected counts as one failure', () => {
    const counted = countVitest({
      numPassedTests: 1,
      numTotalTests: 2,
      testResults: [file('passed', 'passed'), file('failed'), file('failed', 'failed')],
    });
    expect(counted).toEqual({ passed: 1, failed: 2 });
  });
});

test('a flaky or skipped browser test counts as failed', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 1 };
  expect(countPlaywright({ stats, errors: ['no browser'] })).toEqual({ passed: 5, failed: 4 });
});

describe('a report', () => {
  test('that is missing counts as a failure', () => {
    expect(countReport(join(folder, 'none.json'), 0, same)).toEqual({ passed: 0, failed: 1 });
  });

  test('with nothing in it counts as a failure', () => {
    const path = report({ passed: 0, failed: 0 });
    expect(countReport(path, 0, same)).toEqual({ passed: 0, failed: 1 });
  });

  test('in another form counts as a failure', () => {
    expect(countReport(report({}), 0, same)).toEqual({ passed: 0, failed: 1 });
  });

  test('of a program that ended badly without a failed test gains one', () => {
    const path = report({ passed: 3, failed: 0 });
    expect(countReport(path, 1, same)).toEqual({ passed: 3, failed: 1 });
  });
});

describe('what did not pass is named', () => {
  test('with the first line of its error, and with files that could not be collected', () => {
    const testResults = [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'one' },
          { status: 'failed', fullName: 'two', failureMessages: ['expected 1\n at here'] },
          { status: 'skipped', fullName: 'three' },
        ],
      },
      { name: 'b.test.ts', status: 'failed', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] },
    ];
    expect(failuresOfVitest({ testResults })).toEqual([
      'a.test.ts › two › expected 1',
      'a.test.ts › three',
      'b.test.ts',
    ]);
  });

  test('and by file, part, title and error those in a browser, a skipped one and an error outside of any, too', () => {
    const error = {
      message:
        'expect(\u001B[31mlocator\u001B[39m).toBeVisible()\n\nstrict mode violation: 2 elements',
      location: { line: 42 },
    };
    const spec = (title: string, status: string, results: object[] = []) => ({
      ok: status !== 'unexpected',
      title,
      file: 'a.spec.ts',
      tests: [{ status, results }],
    });
    const suites = [
      {
        title: 'a.spec.ts',
        specs: [spec('one', 'expected'), spec('two', 'unexpected', [{ error }])],
        suites: [
          { title: 'at 360 px', specs: [spec('three', 'skipped'), spec('four', 'expected')] },
        ],
      },
    ];
    const errors = [{ message: 'no browser\nat launch' }];
    expect(failuresOfPlaywright({ suites, errors })).toEqual([
      'a.spec.ts › two › line 42: expect(locator).toBeVisible() strict mode violation: 2 elements',
      'a.spec.ts › at 360 px › three',
      'no browser',
    ]);
  });

  test('and nothing where there is no report', () => {
    expect(failuresIn(join(folder, 'none.json'), failuresOfVitest)).toEqual([]);
  });
});
