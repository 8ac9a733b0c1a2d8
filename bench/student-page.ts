import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
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

/** A phone on which the student has started the test. */
export async function startTest(
  browser: Browser,
  base: string,
  testId: string,
  student: Student,
): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale: 'ru-RU',
    baseURL: base,
  });
  await page.goto(`/tests/${testId}/overview`);
  await page.getByLabel('Почта').fill(student.email);
  await page.getByLabel(/^Пароль/).fill(student.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Начать тест' }).click();
  await page.getByRole('timer').waitFor();
  return page;
}
