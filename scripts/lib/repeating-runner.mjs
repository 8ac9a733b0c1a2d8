import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TestRunner } from 'vitest';
import { readTrials } from './mutant-trials.mjs';

/** @typedef {{ activeMutant?: string, currentTestId?: string, mutantCoverage?: {static: object, perTest: Record<string, object>} }} Namespace */

/** How much longer than unchanged a changed run may take before it counts as hanging. */
const PATIENCE = 4;
const MIN_MS = 4_000;

/** A test may set up other clocks. */
const { setTimeout, clearTimeout } = globalThis;

/** Stryker’s name for what its instrumented code reads. */
const world = /** @type {{ __stryker__?: Namespace }} */ (/** @type {unknown} */ (globalThis));
const stryker = (world.__stryker__ ??= {});

const path = process.env['MUTANT_TRIALS'] ?? '';
/** Noticed or refused: no test tries them any more. @type {Set<string>} */
const noticed = new Set();
/** @type {Set<string>} */
const tried = new Set();
for (const trial of readTrials(path)) {
  if ('refused' in trial) for (const mutant of trial.refused) noticed.add(mutant);
  if (!('mutant' in trial)) continue;
  if (trial.noticed) noticed.add(trial.mutant);
  tried.add(`${trial.mutant} ${trial.test}`);
}

/** @param {import('./mutant-trials.mjs').Line} line */
const record = (line) => {
  appendFileSync(path, `${JSON.stringify(line)}\n`);
  if ('mutant' in line && line.noticed) noticed.add(line.mutant);
};

const guard = new Worker(join(import.meta.dirname, 'trial-guard.mjs'), { workerData: { path } });
guard.unref();
/** @param {{ mutant: string, test: string, limit: number } | null} trial null: it is over */
const watchTrial = (trial) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin to name
  guard.postMessage(trial);
};

/** Vitest forbids `process.exit` in its workers. */
const endDamaged = () => process.kill(process.pid, 'SIGKILL');

/** @param {import('vitest').RunnerTestCase} test */
const nameOf = (test) => `${test.file.name} > ${test.fullTestName ?? test.name}`;

/** @param {import('vitest').RunnerTestCase} test @param {'beforeEach' | 'afterEach'} name in the order of calls */
const hooksOf = (test, name) => {
  /** @type {import('vitest').RunnerTestSuite[]} */
  const suites = [];
  for (let suite = test.suite; suite; suite = suite.suite) suites.push(suite);
  suites.push(test.file);
  const hooks = suites.map((suite) => TestRunner.getSuiteHooks(suite)[name]);
  return name === 'beforeEach'
    ? hooks.toReversed().flat()
    : hooks.flatMap((own) => own.toReversed());
};

/** What a run leaves behind for the next one, the page of a screen's test with it. @param {import('vitest').RunnerTestCase} test */
const cleanUp = async (test) => {
  // Vitest's own names, which its types leave out.
  const hooks =
    /** @type {{ onFinished?: ((context: object) => unknown)[], onFailed?: unknown }} */ (test);
  const finished = hooks.onFinished ?? [];
  delete hooks.onFinished;
  delete hooks.onFailed;
  const suite = test.suite ?? test.file;
  const ends = [
    ...hooksOf(test, 'afterEach').map((hook) => () => hook(test.context, suite)),
    ...finished.toReversed().map((hook) => () => hook(test.context)),
  ];
  // The run has passed or failed already: a failed set-up cannot be torn down.
  for (const end of ends) await (async () => end())().catch(() => undefined);
  globalThis.document?.body.replaceChildren();
};

/** @param {import('vitest').RunnerTestCase} test */
const setUp = async (test) => {
  for (const hook of hooksOf(test, 'beforeEach')) await hook(test.context, test.suite ?? test.file);
};

/** @param {import('vitest').RunnerTestCase} test @param {() => unknown} body */
const runAlone = async (test, body) => {
  try {
    await setUp(test);
    await body();
  } finally {
    await cleanUp(test);
  }
};

/**
 * Runs each test once without changes, which shows the changes that it covers, and then once more for each of them: the
 * modules and servers of a file are loaded once for all of its changes. A process that a change has damaged ends at
 * once, and must be started again; one that has finished writes «done».
 */
// oxlint-disable-next-line import/no-default-export -- Vitest asks for it
export default class RepeatingRunner extends TestRunner {
  /** @type {string[] | null} */
  #atImport = null;

  /** @param {import('vitest').RunnerTestCase} test @override */
  onBeforeTryTask(test) {
    super.onBeforeTryTask(test);
    this.#atImport ??= Object.keys(stryker.mutantCoverage?.static ?? {});
    stryker.currentTestId = nameOf(test);
  }

  /** @param {import('vitest').RunnerTestCase} test */
  async runTask(test) {
    const body = TestRunner.getTestFn(test);
    const run = () => runAlone(test, body);
    const name = nameOf(test);
    const before = performance.now();
    await body();
    await cleanUp(test);
    delete stryker.currentTestId;
    const limit = Math.max(MIN_MS, PATIENCE * (performance.now() - before));
    const covered = Object.keys(stryker.mutantCoverage?.perTest[name] ?? {});
    const open = covered.filter((id) => !noticed.has(id) && !tried.has(`${id} ${name}`));
    if (open.length > 0) await this.#tryAll(run, name, open, limit);
    // Vitest itself calls the hooks that follow the test.
    await setUp(test);
  }

  /**
   * @param {() => Promise<void>} run
   * @param {string} name
   * @param {string[]} open changes to try
   * @param {number} limit in ms
   */
  async #tryAll(run, name, open, limit) {
    if (!(await this.#passes(run, limit))) {
      record({ unrepeatable: name });
      return;
    }
    for (const mutant of open) {
      watchTrial({ mutant, test: name, limit });
      stryker.activeMutant = mutant;
      const end = await this.#outcome(run, limit);
      delete stryker.activeMutant;
      watchTrial(null);
      record({ mutant, test: name, noticed: end === 'passed' ? null : end });
      if (end === 'timeout') endDamaged();
      if (end === 'failed' && !(await this.#passes(run, limit))) endDamaged();
    }
  }

  /** @override */
  onAfterRunFiles() {
    super.onAfterRunFiles();
    record({ done: true, atImport: this.#atImport ?? [] });
  }

  /** @param {() => unknown} run @param {number} limit */
  async #passes(run, limit) {
    return (await this.#outcome(run, limit)) === 'passed';
  }

  /** @param {() => unknown} run @param {number} limit in ms @returns {Promise<'passed' | 'failed' | 'timeout'>} */
  async #outcome(run, limit) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(() => resolve('timeout'), limit);
    });
    const done = (async () => run())().then(
      () => 'passed',
      () => 'failed',
    );
    const end = /** @type {'passed' | 'failed' | 'timeout'} */ (await Promise.race([done, late]));
    clearTimeout(timer);
    return end;
  }
}
