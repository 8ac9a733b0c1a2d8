import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { expect, test } from './device.ts';
import { attemptOf } from './journal.ts';
import { Shell } from './pages/shell.ts';
import { Verdict } from './pages/verdict.ts';
import { signInAndStart } from './start.ts';

const hasWaitingVersion = (page: Page) =>
  page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting));

test("a new version never replaces an open test's app; it is applied after the finish, on consent", async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  await school.test(teacher, { students: [student] });
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);

  const worker = await fetch(`${phone.network.url}/sw.js`);
  const newer = {
    contentType: 'text/javascript; charset=utf-8',
    body: `${await worker.text()}\n// the next version\n`,
  };
  phone.network.rule = ({ path }) => (path === '/sw.js' ? newer : 'deliver');
  await page.reload();
  await page.evaluate(() => Object.assign(globalThis, { openedBefore: true }));
  await expect.poll(() => hasWaitingVersion(page)).toBe(true);
  await taking.textAnswer.fill('4,9');
  await expect(taking.onServer).toBeVisible();
  await page.goto('/tests/my');
  const shell = new Shell(page);
  await expect(shell.resume).toBeVisible();
  await expect(shell.updateOffer).toBeHidden();
  await shell.resumeTest();
  await page.evaluate(() => Object.assign(globalThis, { openedBefore: true }));
  await expect(taking.textAnswer).toHaveValue('4,9');
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  expect(await page.evaluate(() => 'openedBefore' in globalThis)).toBe(true);
  expect(await hasWaitingVersion(page)).toBe(true);
  expect(await attemptOf(school.pool, student)).toMatchObject({ ended: 'finished', points: 2 });

  await page.getByRole('button', { name: 'К тестам' }).click();
  await expect(shell.updateOffer).toBeVisible();
  await shell.updateOffer.getByRole('button', { name: 'Обновить' }).click();
  await page.waitForFunction(() => !('openedBefore' in globalThis));
  await expect(shell.testLink('Законы Ньютона')).toBeVisible();
  await expect.poll(() => hasWaitingVersion(page)).toBe(false);
  await expect(shell.updateOffer).toBeHidden();
});
