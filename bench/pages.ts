import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { launchOptions } from '#scripts/lib/browser.mjs';
import { inProject } from '#scripts/lib/project.mjs';
import { clear, openFolder } from '#tests/folders.ts';
import { startLiveServer } from '#tests/programs/live-server.ts';
import { alignColumns, median } from './report.ts';
import { limitLine, PHONE, signIn, type Line } from './student-page.ts';

const ROUNDS = 9;
const STUDENT = { email: 'student@demo.ru', password: 'Demo2026' };
const TEST = /Самостоятельная работа|Тренировка|Домашняя работа/;

/** As Lighthouse's mobile preset. */
const SLOW_4G: Line = { kbit: 1_638, latencyMs: 150 };
const WORST: Line = { kbit: 400, latencyMs: 300 };
const SLOWER = 4;

/** What a page recorded from its navigation on; milliseconds, except for the bytes. */
interface PageRecord {
  readonly readable: number;
  readonly blocking: number;
  readonly longest: number;
  readonly scriptBytes: number;
}

/** Runs in the page before its own scripts. `selector` with a text that matches `text` is what has to be readable. */
function observe({ selector, text }: { selector: string; text: string }) {
  const found = { readable: 0, tasks: [] as number[] };
  Object.assign(globalThis, { benchPage: found });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) found.tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  const pattern = new RegExp(text);
  const look = () => {
    const isThere = [...document.querySelectorAll<HTMLElement>(selector)].some(
      (element) => pattern.test(element.textContent) && element.checkVisibility(),
    );
    // The next task comes after the paint of this frame.
    if (isThere) setTimeout(() => (found.readable = performance.now()));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function slowDown(page: Page, line: Line): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await devtools.send('Network.enable');
  await limitLine(devtools, line);
}

/** What the page recorded until five seconds after it was readable. */
async function settle(page: Page): Promise<PageRecord> {
  return page.evaluate(async () => {
    const { benchPage: found } = globalThis as unknown as {
      benchPage: { readable: number; tasks: number[] };
    };
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    while (found.readable === 0) await pause(200);
    await pause(5_000);
    const scripts = performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith('.js'));
    return {
      readable: found.readable,
      blocking: found.tasks.reduce((sum, task) => sum + Math.max(0, task - 50), 0),
      longest: Math.max(0, ...found.tasks),
      scriptBytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    };
  });
}

interface Opened {
  readonly path: string;
  readonly line: Line;
  readonly selector: string;
  readonly text: string;
}

/** Opens a path in a new tab as a slow phone on a slow line. The caller closes the tab. */
async function open(context: BrowserContext, { path, line, ...awaited }: Opened): Promise<Page> {
  const page = await context.newPage();
  await slowDown(page, line);
  // The function that the transpiler wraps around named functions.
  await page.addInitScript('globalThis.__name = (named) => named');
  await page.addInitScript(observe, awaited);
  await page.goto(path, { waitUntil: 'commit' });
  return page;
}

const MAX_TAP_MS = 30_000;

/** From the navigation until a tap, made as soon as an option shows, is answered and stored. */
async function tapFirst(page: Page, round: number): Promise<number> {
  const option = page
    .getByRole('main')
    .locator('label')
    .nth(round % 2);
  await option.waitFor();
  const before = await page.getByRole('main').innerText();
  await option.tap();
  return page.evaluate(
    ({ old, limitMs }) =>
      new Promise<number>((resolve, reject) => {
        const started = performance.now();
        const look = () => {
          const shown = document.querySelector('main')?.innerText ?? '';
          if (shown !== old && /Сохранено на/.test(shown))
            setTimeout(() => resolve(performance.now()));
          else if (performance.now() - started > limitMs) reject(new Error(`not stored: ${shown}`));
          else requestAnimationFrame(look);
        };
        look();
      }),
    { old: before, limitMs: MAX_TAP_MS },
  );
}

/** A build with its demo school, a browser, and a phone in the middle of a test. */
interface Measured {
  readonly name: string;
  readonly base: string;
  readonly browser: Browser;
  readonly phone: BrowserContext;
  readonly testPath: string;
  end(): Promise<void>;
}

/** Starts the build in the folder of a project and takes its phone to the first question. */
async function prepare(project: string): Promise<Measured> {
  const dataDir = await openFolder();
  const program = join(project, 'dist', 'server', 'main.js');
  const server = await startLiveServer({ dataDir, program, env: { DEMO: '1', HOST: '127.0.0.1' } });
  // A secure context, which the worker needs.
  const base = server.url.replace('127.0.0.1', 'localhost');
  const browser = await chromium.launch(launchOptions('full'));
  const phone = await browser.newContext({ ...PHONE, baseURL: base });
  const page = await phone.newPage();
  await page.goto('/tests?status=available');
  await signIn(page, STUDENT);
  await page.getByRole('main').getByRole('link', { name: TEST }).first().click();
  await page.getByRole('button', { name: 'Начать тест' }).click();
  await page.getByRole('timer').waitFor();
  const choices = page.getByRole('main').getByRole('radio');
  while ((await choices.count()) === 0) await page.getByRole('button', { name: 'Далее' }).click();
  const { pathname, search } = new URL(page.url());
  const testPath = `${pathname}${search}`;
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  // The worker has stored the app, and a tab that it controls has used it.
  await page.reload();
  await page.getByRole('timer').waitFor();
  await page.close();
  return {
    name: project === inProject() ? 'здесь' : project,
    base,
    browser,
    phone,
    testPath,
    async end() {
      await browser.close();
      await server.end('SIGTERM');
      await clear(dataDir);
    },
  };
}

const HEADING = { selector: 'h1', text: '.' };
const QUESTION = { selector: 'h1', text: '^Вопрос \\d' };
const SIGN_IN = { selector: 'button[type=submit]', text: 'Войти' };

/** The figures of one round, by their names in the table. */
async function measure(build: Measured, round: number): Promise<Map<string, number>> {
  const { browser, phone, base, testPath } = build;
  const figures = new Map<string, number>();
  for (const [name, line] of [
    ['вход, первый раз', SLOW_4G],
    ['вход, первый раз, 400 кбит/с', WORST],
  ] as const) {
    const context = await browser.newContext({ ...PHONE, baseURL: base });
    const page = await open(context, { path: '/login', line, ...SIGN_IN });
    const { readable, blocking } = await settle(page);
    figures.set(`${name}: готов, мс`, readable);
    if (line === SLOW_4G) figures.set(`${name}: блокировка, мс`, blocking);
    await context.close();
  }
  const list = await open(phone, { path: '/tests', line: SLOW_4G, ...HEADING });
  const listed = await settle(list);
  figures.set('список из хранилища: виден, мс', listed.readable);
  figures.set('список из хранилища: блокировка, мс', listed.blocking);
  await list.close();
  const test = await open(phone, { path: testPath, line: SLOW_4G, ...QUESTION });
  const tapped = await tapFirst(test, round);
  const attempt = await settle(test);
  figures.set('тест из хранилища: вопрос виден, мс', attempt.readable);
  figures.set('тест из хранилища: первое касание сохранено, мс', tapped);
  figures.set('тест из хранилища: блокировка, мс', attempt.blocking);
  figures.set('тест из хранилища: самая долгая задача, мс', attempt.longest);
  figures.set('тест из хранилища: скрипты без сжатия, КБ', attempt.scriptBytes / 1024);
  await test.close();
  return figures;
}

export interface PageFigures {
  readonly builds: readonly string[];
  /** One median for each build. */
  readonly rows: readonly { name: string; medians: readonly number[] }[];
}

/**
 * Measures how soon a slow phone shows the sign-in, the list and a question, for this build and those of other
 * checkouts in turn. Returns medians by figure and build.
 * @param projects folders of checkouts that are built; each serves a demo school of its own
 */
export async function benchPages(
  projects: readonly string[],
  say: (line: string) => void,
): Promise<PageFigures> {
  const builds: Measured[] = [];
  try {
    for (const project of [inProject(), ...projects]) builds.push(await prepare(project));
    const found = builds.map(() => new Map<string, number[]>());
    for (let round = 0; round < ROUNDS; round += 1) {
      say(`Круг ${round + 1} из ${ROUNDS}.`);
      for (const [index, build] of builds.entries())
        for (const [name, figure] of await measure(build, round)) {
          const figures = found[index]?.get(name) ?? [];
          found[index]?.set(name, [...figures, figure]);
        }
    }
    const names = [...(found[0]?.keys() ?? [])];
    const rows = names.map((name) => ({
      name,
      medians: found.map((figures) => Math.round(median(figures.get(name) ?? []))),
    }));
    say(
      alignColumns([
        [`медианы из ${ROUNDS}`, ...builds.map(({ name }) => name)],
        ...rows.map(({ name, medians }) => [name, ...medians.map(String)]),
      ]),
    );
    return { builds: builds.map(({ name }) => name), rows };
  } finally {
    for (const build of builds) await build.end();
  }
}
