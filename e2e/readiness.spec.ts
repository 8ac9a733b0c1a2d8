import { ROLE } from '#contract/auth.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { OfflineStart } from './pages/offline-start.ts';
import { signInToOverview, TITLE } from './start.ts';
import { signIn } from './visitor.ts';

test('a student’s device is ready the evening before, and the teacher sees who is and why another is not', async ({
  device,
  school,
  page,
}, testInfo) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const boris = await school.person({ userName: 'Борис Орлов' });
  const testId = await school.test(teacher, {
    students: [anna, boris],
    name: TITLE,
    offlineStart: true,
  });
  const phone = await device('phone');
  const student = await phone.open();
  const overview = await signInToOverview(student, anna);
  await overview.untilReady();
  await expect(new OfflineStart(student).ready).toBeVisible();
  await student.getByText('Что проверено').click();
  await expect(student.getByText('Тест загружен и откроется по коду')).toBeVisible();
  await audit(student, testInfo, 'device-ready');

  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/manage/${testId}/live`);
  const summary = page.getByRole('region', { name: 'Готовность устройств' });
  await expect(summary).toContainText('Готовы: 1 из 2.');
  await audit(page, testInfo, 'readiness-summary');
  await summary.getByRole('link', { name: 'Кто не готов и почему' }).click();
  const rows = page.getByRole('table', { name: 'Готовность устройств' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Борис Орлов');
  await expect(rows.nth(1)).toContainText('страница теста ещё не открыта');
  await expect(rows.nth(2)).toContainText('Анна Кузнецова');
  await expect(rows.nth(2)).toContainText('готово');
  await audit(page, testInfo, 'readiness-list');
});
