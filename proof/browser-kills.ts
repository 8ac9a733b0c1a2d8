import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '#scripts/lib/run.mjs';
import type { ProofPart, ReportedViolation } from './report.ts';

/** Kills of one device before everything that it showed as saved is checked on the server. */
const KILLS_EACH = 10;

/** Counts of one device of `kill-browser.spec.ts`, attached to its test report as an annotation. */
export interface BrowserCounts {
  readonly kills: number;
  readonly writes: number;
  readonly shownOnDevice: number;
  readonly shownOnServer: number;
  readonly arrived: number;
}

interface JsonTest {
  readonly annotations: readonly { readonly type: string; readonly description?: string }[];
  readonly status: string;
  readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[];
}
interface JsonSuite {
  readonly suites?: readonly JsonSuite[];
  readonly specs?: readonly { readonly tests: readonly JsonTest[] }[];
}
interface JsonReport extends JsonSuite {
  readonly errors: readonly { readonly message?: string }[];
}

const testsOf = (suite: JsonSuite): JsonTest[] => [
  ...(suite.specs ?? []).flatMap(({ tests }) => tests),
  ...(suite.suites ?? []).flatMap(testsOf),
];

const annotationOf = (test: JsonTest, type: string): string | undefined =>
  test.annotations.find((one) => one.type === type)?.description;

interface BrowserKills {
  readonly seed: number;
  readonly count: number;
  /** No browser is started after this time; milliseconds since 1970. */
  readonly until: number;
  readonly say: (line: string) => void;
}

/** Runs the kills in Playwright and reads its report. */
async function runKills({ seed, count, until }: BrowserKills, each: number): Promise<JsonReport> {
  const folder = mkdtempSync(join(tmpdir(), 'exam-room-proof-'));
  const path = join(folder, 'browsers.json');
  const { output } = await runTool(
    '@playwright/test/cli.js',
    [
      'test',
      '--config=proof/playwright.config.ts',
      `--repeat-each=${Math.ceil(count / each)}`,
      '--reporter=line,json',
    ],
    {
      progress: 'убиваем браузеры',
      env: {
        PLAYWRIGHT_JSON_OUTPUT_NAME: path,
        PROOF_SEED: String(seed),
        PROOF_KILLS: String(count),
        PROOF_KILLS_EACH: String(each),
        PROOF_UNTIL: String(until),
      },
    },
  );
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as JsonReport;
  } catch {
    // The output contains the reason.
    return { errors: [{ message: output.slice(-4_000) }] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Kills real browsers on the production build while their student answers. */
export async function runBrowserKills(options: BrowserKills): Promise<ProofPart> {
  const { seed, count, say } = options;
  const startedAt = Date.now();
  const each = Math.min(KILLS_EACH, count);
  const counts = {
    'answers written': 0,
    'shown as saved on the device': 0,
    'shown as saved on the server': 0,
    'operations arrived': 0,
  };
  const violations: ReportedViolation[] = [];
  let done = 0;
  const report = count > 0 ? await runKills(options, each) : { errors: [] };
  for (const { message = '' } of report.errors)
    violations.push({ what: message, repeat: 'npm run proof -- --seeds 0 --server-kills 0' });
  for (const test of testsOf(report)) {
    const toll = JSON.parse(annotationOf(test, 'toll') ?? '{}') as Partial<BrowserCounts>;
    done += toll.kills ?? 0;
    counts['answers written'] += toll.writes ?? 0;
    counts['shown as saved on the device'] += toll.shownOnDevice ?? 0;
    counts['shown as saved on the server'] += toll.shownOnServer ?? 0;
    counts['operations arrived'] += toll.arrived ?? 0;
    if (test.status === 'expected') continue;
    const what = test.results
      .flatMap(({ errors }) => errors.map(({ message = '' }) => message))
      .join('\n');
    const own = annotationOf(test, 'seed') ?? String(seed);
    const repeat = `npm run proof -- --seeds 0 --server-kills 0 --browser-kills ${each} --seed ${own}`;
    violations.push({ what, repeat });
    say(`Нарушение после убийства браузера, зерно ${own}: ${what}`);
  }
  return {
    requested: count,
    done,
    seconds: (Date.now() - startedAt) / 1000,
    counts,
    violations,
  };
}
