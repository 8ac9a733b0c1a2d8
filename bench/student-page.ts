import { readFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { inProject } from '#scripts/lib/project.mjs';
import { sourceHash } from '#scripts/lib/source-hash.mjs';

export interface Student {
  readonly email: string;
  readonly password: string;
}

/** The server shows the app as it was built last. Throws when that is another one. */
export function requireFreshBuild(): void {
  const stamp = readFileSync(inProject('dist', 'stamp.json'), 'utf8');
  const { hash } = JSON.parse(stamp) as { hash: string };
  if (hash !== sourceHash()) throw new Error('Соберите приложение: npm run build.');
}

/** A small phone. */
export const PHONE = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  locale: 'ru-RU',
} as const;

/** The speed of a line in both directions, and its latency. */
export interface Line {
  readonly kbit: number;
  readonly latencyMs: number;
}

/** Slows down the pages of a session of the developer tools; null: no longer. */
export async function limitLine(devtools: CDPSession, line: Line | null): Promise<void> {
  const bytesPerSecond = line ? (line.kbit * 1_000) / 8 : -1;
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: line?.latencyMs ?? 0,
    uploadThroughput: bytesPerSecond,
    downloadThroughput: bytesPerSecond,
  });
}

/** Signs in on the sign-in screen. */
export async function signIn(page: Page, { email, password }: Student): Promise<void> {
  await page.getByLabel('Почта').fill(email);
  await page.getByLabel(/^Пароль/).fill(password);
  await page.keyboard.press('Enter');
}

/** A phone on which the student has started the test. */
export async function startTest(
  browser: Browser,
  base: string,
  testId: string,
  student: Student,
): Promise<Page> {
  const page = await browser.newPage({ ...PHONE, baseURL: base });
  await page.goto(`/tests/${testId}/overview`);
  await signIn(page, student);
  await page.getByRole('button', { name: 'Начать тест' }).click();
  await page.getByRole('timer').waitFor();
  return page;
}
