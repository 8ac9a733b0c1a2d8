import { chromium, type Page } from '@playwright/test';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import { launchOptions } from '#scripts/lib/browser.mjs';
import { keyedQuestions } from '#tests/marked-attempts.ts';
import { makeTest } from '#tests/school.ts';
import { median } from './report.ts';
import { makeTeacher } from './statistics.ts';
import { requireFreshBuild, startTest, type Student } from './student-page.ts';

/** A long test on a phone that is as slow as a school's oldest ones. */
const QUESTIONS = 200;
const SLOWER = 6;
const ANSWERED = 48;

export interface TakingFigures {
  /** From the touch to the paint that shows the option chosen; milliseconds. */
  readonly medianMs: number;
  readonly slowestMs: number;
  /** The longest task of the page's thread after the start, with opening «Все вопросы» in it; milliseconds. */
  readonly longestTaskMs: number;
}

/** Runs in the page. */
function observe() {
  const found = { tasks: [] as number[], taps: [] as number[] };
  Object.assign(globalThis, { benchFound: found });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) found.tasks.push(duration);
  }).observe({ type: 'longtask' });
  document.addEventListener(
    'pointerdown',
    ({ timeStamp, target }) => {
      const input = (target as Element).closest('label')?.querySelector('input');
      if (!input || input.checked) return;
      const look = () => {
        // The next task comes after the paint of this frame.
        if (input.checked) setTimeout(() => found.taps.push(performance.now() - timeStamp));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    { capture: true },
  );
}

async function answerQuestions(page: Page): Promise<void> {
  for (let number = 1; number <= ANSWERED; number += 1) {
    const heading = page.getByRole('heading', { level: 1, name: `Вопрос ${number}`, exact: true });
    await heading.waitFor();
    const option = page.locator('label').filter({ hasText: 'Вариант c' });
    if ((number - 1) % 4 < 2) {
      await option.tap();
      await page
        .getByRole('main')
        .getByText(/^Сохранено/)
        .first()
        .waitFor();
    }
    if (number < ANSWERED) await page.getByRole('button', { name: 'Далее' }).tap();
  }
}

/** A student of a long test, in a browser with a slowed processor. */
export async function benchTaking(
  base: string,
  pool: Pool,
  student: Student,
): Promise<TakingFigures> {
  requireFreshBuild();
  const builder = { pool, clock: { now: new Date() }, deps: { newId: () => v7() } };
  const questions = keyedQuestions(QUESTIONS);
  const plan = { questions, openToAll: true, passMinutes: 180 };
  const testId = await makeTest(builder, await makeTeacher(pool), plan);
  const browser = await chromium.launch(launchOptions('full'));
  try {
    const page = await startTest(browser, base, testId, student);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    // The function that the transpiler wraps around named functions.
    await page.evaluate('globalThis.__name = (named) => named');
    await page.evaluate(observe);
    await answerQuestions(page);
    await page.getByRole('button', { name: /Все вопросы$|^\d+ из \d+$/ }).tap();
    await page.getByRole('button', { name: `Вопрос ${QUESTIONS},` }).waitFor();
    // Long tasks are reported after they have ended and the page is idle.
    await page.evaluate('new Promise((idle) => requestIdleCallback(() => setTimeout(idle, 500)))');
    const { tasks, taps } = await page.evaluate(
      () =>
        (globalThis as unknown as { benchFound: { tasks: number[]; taps: number[] } }).benchFound,
    );
    if (taps.length < ANSWERED / 2) throw new Error(`only ${taps.length} taps were seen`);
    return {
      medianMs: Math.round(median(taps)),
      slowestMs: Math.round(Math.max(...taps)),
      longestTaskMs: Math.round(Math.max(0, ...tasks)),
    };
  } finally {
    await browser.close();
  }
}
