import { readFile } from 'node:fs/promises';
import { ROLE } from '#contract/auth.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { SignIn } from './pages/sign-in.ts';
import { Verdict } from './pages/verdict.ts';
import { signInAndStart } from './start.ts';
import { PASSWORD } from './test-school.ts';

test('a receipt is downloaded after the finish, checked without a network, and genuine after a change of the key', async ({
  device,
  school,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student] });
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  await taking.textAnswer.fill('4,9');
  await expect(taking.onServer).toBeVisible();
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();

  await page.getByRole('button', { name: 'Квитанция', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Квитанция' });
  const code = (await dialog.getByText(/^[A-Z\d]{4}-[A-Z\d]{4}$/).textContent()) ?? '';
  await expect(dialog.getByRole('img', { name: /QR-код/ })).toBeVisible();
  await audit(page, info, 'receipt-phone');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Скачать файл' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`квитанция ${code}.txt`);
  const receipt = await readFile(await download.path(), 'utf8');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('receipt-keys') ?? ''))
    .toContain('publicKey');

  await phone.goOffline();
  await page.goto('/verify');
  const status = page.getByRole('main').getByRole('status');
  const pick = (text: string) =>
    page.getByLabel('Файл квитанции').setInputFiles({
      name: 'квитанция.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
  await pick(receipt);
  await expect(status.filter({ hasText: 'Квитанция подлинная' })).toContainText(code);
  await audit(page, info, 'verify-phone');
  await pick(receipt.replace('Ответов: 1', 'Ответов: 2'));
  await expect(status.filter({ hasText: 'изменён хотя бы один знак' })).toBeVisible();

  const admin = await school.person({ role: ROLE.admin });
  const desk = await (await device('desktop')).open();
  await desk.goto('/admin/audit');
  await new SignIn(desk).signIn({ email: admin.email, password: PASSWORD });
  await desk.getByRole('button', { name: 'Ключ квитанций' }).click();
  const former = /Ключ: (\S+)/.exec(receipt)?.[1] ?? '';
  const keys = desk.getByRole('dialog', { name: 'Ключ квитанций' });
  await expect(keys.getByRole('definition').first()).toHaveText(former);
  await keys.getByRole('button', { name: 'Сменить ключ квитанций' }).click();
  await desk.getByRole('button', { name: 'Сменить ключ', exact: true }).click();
  await expect(keys.getByRole('status')).toContainText('Ключ сменён');
  await expect(keys.getByRole('term').filter({ hasText: former })).toBeVisible();
  for (const width of [360, 820, 1280]) {
    await desk.setViewportSize({ width, height: 800 });
    await audit(desk, info, 'receipt-keys');
  }
  await keys.getByRole('button', { name: 'Закрыть' }).click();
  await expect(desk.getByRole('row', { name: 'Сменён ключ квитанций' })).toBeVisible();

  await desk.goto(`/tests/manage/${testId}/statistics`);
  const log = desk.getByRole('note').filter({ hasText: 'Журнал квитанций' });
  await expect(log).toContainText(
    /: 1\sзапись, контрольная сумма [A-Z\d]{4}-[A-Z\d]{4}, целиком [\w-]{43}\./,
  );
  for (const width of [360, 820, 1280]) {
    await desk.setViewportSize({ width, height: 800 });
    await log.scrollIntoViewIfNeeded();
    await audit(desk, info, 'receipt-log');
  }
  await desk.emulateMedia({ media: 'print' });
  await expect(log).toBeVisible();

  await phone.goOnline();
  await page.reload();
  await pick(receipt);
  await expect(status.filter({ hasText: 'Квитанция подлинная' })).toContainText(code);
  await page.getByRole('button', { name: 'Сравнить с попыткой' }).click();
  const compared = 'Сравнение с попыткой: с квитанции ни ответы, ни баллы не менялись.';
  await expect(status.filter({ hasText: compared })).toBeVisible();
  for (const width of [360, 820, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await audit(page, info, 'receipt-compared');
  }
});
