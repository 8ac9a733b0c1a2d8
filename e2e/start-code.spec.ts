import { ROLE } from '#contract/auth.ts';
import { audit } from './audit.ts';
import { beginWithoutProof } from './start.ts';
import { expect, test } from './test-school.ts';
import { signIn } from './visitor.ts';

const TITLE = 'Законы Ньютона';

test('a teacher turns the start without a network on, shows the code, and decides a held begin', async ({
  school,
  page,
}, testInfo) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const testId = await school.test(teacher, { students: [anna], name: TITLE });
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/manage/${testId}/settings`);
  await page.getByRole('checkbox', { name: 'Начало без сети' }).check();
  await expect(page.getByLabel('Ответы засчитываются сами, минут')).toBeVisible();
  await audit(page, testInfo, 'offline-settings');
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click();
  await expect(page.getByText('Сохранено').first()).toBeVisible();

  await page.goto(`${school.network.url}/tests/manage/${testId}/live`);
  const panel = page.getByRole('region', { name: 'Начало без сети' });
  await expect(panel).toContainText('Начали: 0');
  await audit(page, testInfo, 'start-code-hidden');
  await panel.getByRole('button', { name: 'Показать код' }).click();
  const code = panel.getByRole('img', { name: /^Код начала: (?:[A-Z\d] ){11}[A-Z\d]$/ });
  await expect(code).toHaveText(/^(?:[A-Z\d]{4} ){2}[A-Z\d]{4}$/);
  await audit(page, testInfo, 'start-code-shown');
  await panel.getByRole('button', { name: 'На весь экран' }).click();
  await expect(page.getByRole('dialog')).toContainText((await code.textContent()) ?? '-');
  await audit(page, testInfo, 'start-code-board');
  await page.keyboard.press('Escape');

  await beginWithoutProof(school, anna, testId);
  await page.goto(`${school.network.url}/tests/manage/${testId}/grading?view=held`);
  const begins = page.getByRole('region', { name: 'Начала без сети' });
  await expect(begins).toContainText('Устройство не доказало');
  await begins.getByRole('checkbox', { name: /^Анна Кузнецова/ }).check();
  await audit(page, testInfo, 'held-begins');
  await begins.getByRole('button', { name: 'Принять…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Принять', exact: true }).click();
  await expect(begins).toContainText('Начало принято');
});
