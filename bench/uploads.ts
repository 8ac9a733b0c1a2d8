import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import type { Question } from '#contract/questions.ts';
import { launchOptions } from '#scripts/lib/browser.mjs';
import { clear, openFolder } from '#tests/folders.ts';
import { makeTest } from '#tests/school.ts';
import { makeTeacher } from './statistics.ts';
import { limitLine, requireFreshBuild, startTest, type Student } from './student-page.ts';

/** Files over slow lines: the production build in Chromium, its line slowed down by the browser. */

const KB = 1_000;
const LATENCY_MS = 100;
const LINES = [
  { kbit: 50, bytes: 150 * KB },
  { kbit: 100, bytes: 300 * KB },
  { kbit: 250, bytes: 800 * KB },
  { kbit: 1_000, bytes: 2_500 * KB },
] as const;

export interface UploadFigures {
  readonly kbit: number;
  readonly bytes: number;
  /** From the choice of the file to «Сохранено на сервере»; milliseconds. */
  readonly ms: number;
  /** The time for the bytes of the file alone. */
  readonly idealMs: number;
  readonly ratio: number;
  readonly chunks: number;
}

async function goTo(page: Page, number: number): Promise<void> {
  await page.getByRole('button', { name: /Все вопросы$|^\d+ из \d+$/ }).tap();
  await page.getByRole('button', { name: new RegExp(`^Вопрос ${number},`) }).tap();
  await page.getByRole('heading', { level: 1, name: `Вопрос ${number}`, exact: true }).waitFor();
}

/** Counts the chunks that the page sends. Chunks from the worker would not be slowed down. */
function countChunks(page: Page) {
  let chunks = 0;
  let byWorker = 0;
  page.context().on('request', (request) => {
    if (request.method() === 'GET' || !/\/TestPassing\/[^/]+\/files\//.test(request.url())) return;
    if (request.serviceWorker()) byWorker += 1;
    else chunks += 1;
  });
  return () => {
    if (byWorker > 0) throw new Error('the worker sends the file, on a line of its own');
    const sent = chunks;
    chunks = 0;
    return sent;
  };
}

/** A student hands in one file after another, each on another line, by a page that knows none of them yet. */
export async function benchUploads(
  base: string,
  pool: Pool,
  student: Student,
): Promise<UploadFigures[]> {
  requireFreshBuild();
  const builder = { pool, clock: { now: new Date() }, deps: { newId: () => v7() } };
  const questions = LINES.map((_, index): Question => ({
    questionId: v7(),
    kind: 'file',
    text: `Приложите решение ${index + 1}`,
    points: 1,
    maxBytes: 5_000 * KB,
    accept: ['.pdf'],
  }));
  const plan = { questions, openToAll: true, passMinutes: 180 };
  const testId = await makeTest(builder, await makeTeacher(pool), plan);
  const folder = await openFolder();
  const browser = await chromium.launch(launchOptions('full'));
  try {
    const page = await startTest(browser, base, testId, student);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const takeChunks = countChunks(page);
    const figures: UploadFigures[] = [];
    for (const [index, { kbit, bytes }] of LINES.entries()) {
      await page.reload();
      await page.getByRole('timer').waitFor();
      await goTo(page, index + 1);
      await limitLine(devtools, { kbit, latencyMs: LATENCY_MS });
      const path = join(folder, `решение ${kbit}.pdf`);
      const head = Buffer.from('%PDF-1.7\n');
      writeFileSync(path, Buffer.concat([head, randomBytes(bytes - head.length)]));
      const from = performance.now();
      await page.locator('input[type=file]:not([capture])').setInputFiles(path);
      const stored = page.getByRole('main').getByText(/Сохранено на сервере/);
      await stored.waitFor({ timeout: 180_000 });
      const ms = Math.round(performance.now() - from);
      await limitLine(devtools, null);
      const idealMs = Math.round((bytes * 8) / kbit);
      if (ms < idealMs) throw new Error('the line was not slowed down');
      const ratio = Number((ms / idealMs).toFixed(2));
      figures.push({ kbit, bytes, ms, idealMs, ratio, chunks: takeChunks() });
    }
    return figures;
  } finally {
    await browser.close();
    await clear(folder);
  }
}

const seconds = (ms: number) =>
  (ms / 1_000).toLocaleString('ru', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export const uploadLine = ({ kbit, bytes, ms, idealMs, ratio, chunks }: UploadFigures): string =>
  `Файл ${(bytes / KB).toLocaleString('ru')} КБ при ${kbit.toLocaleString('ru')} кбит/с: ${seconds(ms)} с, самой линии нужно ${seconds(idealMs)} с, отношение ${ratio.toLocaleString('ru')}, частей ${chunks}.`;
