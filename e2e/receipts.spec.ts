import { readFile } from 'node:fs/promises';
import { ROLE } from '#contract/auth.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { Verdict } from './pages/verdict.ts';
import { signInAndStart } from './start.ts';

test('a receipt is downloaded after the finish and checked without a network', async ({
  device,
  school,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  await school.test(teacher, { students: [student] });
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
});
