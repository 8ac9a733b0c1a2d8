import { ROLE } from '#contract/auth.ts';
import { audit } from './audit.ts';
import { openCrowdedSchool } from './crowded-school.ts';
import { Overview } from './pages/overview.ts';
import { Lists } from './pages/lists.ts';
import { Taking } from './pages/taking.ts';
import { expect, test } from './test-school.ts';
import { pathOf, signIn } from './visitor.ts';

for (const [width, height] of [
  [360, 740],
  [820, 1180],
  [1280, 800],
] as const) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024, serviceWorkers: 'block' });

    test('the home page shows a student what to pass next, and a teacher what to grade', async ({
      page,
      school,
    }, info) => {
      const { anna, teacher, tests } = await openCrowdedSchool(school);
      await signIn(page, school, anna);
      await page.goto(`${school.network.url}/`);
      await expect(page.getByRole('heading', { name: 'Учебная платформа' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Пройти' })).toBeVisible();
      const lists = new Lists(page);
      await expect(lists.rows).toHaveCount(2);
      await expect(lists.rows.first()).toContainText('Силы в природе');
      await expect(lists.rows.first().getByRole('link', { name: 'Продолжить' })).toBeVisible();
      await expect(lists.rows.last()).toContainText('Механика');
      await audit(page, info, 'home-student');

      await signIn(page, school, teacher);
      await page.goto(`${school.network.url}/`);
      await expect(page.getByRole('heading', { name: 'Проверить' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Пройти' })).toBeHidden();
      await audit(page, info, 'home-teacher');
      await page.getByRole('link', { name: /ответ.* провер/ }).click();
      await expect.poll(() => pathOf(page)).toContain(`/manage/${tests.pendingReview}/grading`);
    });
  });
}

test.describe('with the worker', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('without a network the home page leads back into the test that runs on this device', async ({
    page,
    school,
  }) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person();
    const testId = await school.test(teacher, { students: [anna], name: 'Законы Ньютона' });
    await signIn(page, school, anna);
    await page.goto(`${school.network.url}/tests/${testId}/overview`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await new Overview(page).start.click();
    await new Taking(page).timer.waitFor();
    await page.goto(`${school.network.url}/`);
    await expect(new Lists(page).rows).toHaveCount(1);
    school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
    await page.reload();
    await expect(new Lists(page).rows).toHaveCount(1, { timeout: 30_000 });
    await expect(page.getByText(/Обновлено в/)).toBeVisible();
    await new Lists(page).row('Законы Ньютона').getByRole('link', { name: 'Продолжить' }).click();
    await expect(new Taking(page).timer).toBeVisible();
  });
});
