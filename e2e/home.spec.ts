import { ROLE } from '#contract/auth.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { audit } from './audit.ts';
import { openCrowdedSchool } from './crowded-school.ts';
import { Overview } from './pages/overview.ts';
import { Lists } from './pages/lists.ts';
import { Shell } from './pages/shell.ts';
import { Taking } from './pages/taking.ts';
import { expect, test } from './test-school.ts';
import { pathOf, signIn } from './visitor.ts';

const TITLE = 'Учебная платформа';

for (const [width, height] of firstUnlessWhole([
  [820, 1180],
  [360, 740],
  [1280, 800],
] as const)) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024, serviceWorkers: 'block' });

    test('the home page shows only its title; what is next is on the pages of tests', async ({
      page,
      school,
    }, info) => {
      const { anna, teacher, tests } = await openCrowdedSchool(school);
      for (const person of [anna, teacher]) {
        await signIn(page, school, person);
        await page.goto(`${school.network.url}/`, { waitUntil: 'networkidle' });
        await expect(page.getByRole('heading')).toHaveText([TITLE]);
        await expect(page.getByRole('main')).toHaveText(width < 1024 ? '' : TITLE, {
          useInnerText: true,
        });
        await audit(page, info, `home-${person === anna ? 'student' : 'teacher'}`);
      }
      await page.goto(`${school.network.url}/tests/my/created`);
      await page.getByRole('link', { name: /ответ.* провер/ }).click();
      await expect.poll(() => pathOf(page)).toContain(`/manage/${tests.pendingReview}/grading`);

      await signIn(page, school, anna);
      await page.goto(`${school.network.url}/tests/my`);
      const lists = new Lists(page);
      await expect(lists.rows.first()).toContainText('Силы в природе');
      await expect(lists.rows.first().getByRole('link', { name: 'Продолжить' })).toBeVisible();
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
    const { resume } = new Shell(page);
    await expect(resume).toBeVisible();
    school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
    await page.reload();
    await resume.getByRole('link', { name: 'Продолжить' }).click();
    await expect(new Taking(page).timer).toBeVisible();
  });
});

test('answers to grade that the page of the list does not show are linked under it', async ({
  page,
  school,
}) => {
  const { teacher, tests } = await openCrowdedSchool(school);
  for (let number = 1; number <= 20; number += 1)
    await school.test(teacher, { students: [], name: `Задачи ${number}`, lifecycle: 'draft' });
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/my/created`);
  const more = page.getByRole('region', { name: 'Проверить на других страницах' });
  await expect(more.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Страница 2' }).click();
  await expect(page.getByRole('link', { name: 'Законы Ньютона', exact: true })).toBeVisible();
  await expect(more).toBeHidden();
  await page.goBack();
  await more.getByRole('link', { name: 'Законы Ньютона' }).click();
  await expect.poll(() => pathOf(page)).toContain(`/manage/${tests.pendingReview}/grading`);
});
