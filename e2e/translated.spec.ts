import { v7 } from 'uuid';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { makeGroup } from '#tests/school.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { openCrowdedSchool } from './crowded-school.ts';
import { Overview } from './pages/overview.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { everyRoute, pathWith, settled, watch } from './route-walk.ts';
import { expect, test } from './test-school.ts';
import { expectTranslated, looseTexts, translatePages } from './translated-page.ts';
import { pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });

// These redirect to another screen of the walk.
const LEAD_ON = [
  '/tests/manage',
  '/tests/manage/$testId',
  '/tests/manage/$testId/edit',
  '/tests/$testId',
];

for (const [width, height] of firstUnlessWhole([
  [360, 740],
  [1280, 800],
] as const)) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024 });

    test('row 43: during a test on a translated page every text is current', async ({
      page,
      school,
    }) => {
      const { anna, tests } = await openCrowdedSchool(school);
      await signIn(page, school, anna);
      await translatePages(page);
      const { complaints } = watch(page);
      await page.goto(`${school.network.url}/tests/${tests.available}/overview`);
      await new Overview(page).start.click();
      const taking = new Taking(page);
      await taking.timer.waitFor();
      const isAt = async (number: number) => {
        await expect(taking.heading).toHaveText(`Вопрос ${number}`);
        const here = page.getByRole('button', { name: `Вопрос ${number} из 7` });
        if (width < 1024) await expect(here).toContainText(`${number} из 7`);
        await expectTranslated(page, `question ${number}`);
        expect(await looseTexts(page), `question ${number}`).toEqual([]);
      };
      const next = () => page.getByRole('button', { name: 'Далее', exact: true }).click();
      await isAt(1);
      const started = await taking.timer.textContent();
      await taking.choose('12 Н, против оси');
      await taking.onServer.waitFor();
      await taking.choose('6 Н, против оси');
      await taking.onServer.waitFor();
      await expect(taking.timer).not.toHaveText(started ?? '');
      await next();
      await isAt(2);
      await taking.choose('Сила реакции опоры перпендикулярна плоскости');
      await page.getByRole('button', { name: 'Отметить' }).click();
      await page.getByRole('button', { name: 'Отмечен', exact: true }).waitFor();
      await next();
      await isAt(3);
      await taking.match('Сила', 'ньютон');
      await taking.match('Мощность', 'паскаль');
      await next();
      await isAt(4);
      await next();
      await isAt(5);
      school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
      await taking.textAnswer.fill('4,9');
      await taking.onDevice.waitFor();
      await expect(page.getByRole('main').getByText('Отвечайте дальше')).toBeVisible();
      school.network.rule = () => 'deliver';
      await expect(page.getByRole('main').getByText('Отвечайте дальше')).toBeHidden();
      await taking.onServer.waitFor();
      await page.getByRole('button', { name: 'Назад', exact: true }).click();
      await isAt(4);
      await taking.goTo(6);
      await isAt(6);
      await taking.textAnswer.fill('Трубка Ньютона');
      await taking.onServer.waitFor();
      await taking.sync.click();
      await expect(page.getByRole('dialog')).toContainText('на сервере');
      await page.keyboard.press('Escape');
      await taking.finish();
      await new Verdict(page).mayClose.waitFor();
      await page.getByText('Предварительный результат').waitFor();
      await expectTranslated(page, 'verdict');
      const lost = /ERR_|Failed to load resource/;
      expect(complaints.filter((complaint) => !lost.test(complaint))).toEqual([]);
    });
  });
}

test('row 43: every screen of an administrator, opened from the one before it, works translated', async ({
  page,
  school,
}) => {
  const { teacher, anna, tests, reviewed } = await openCrowdedSchool(school);
  const admin = await school.person({ role: ROLE.admin, userName: 'И. С. Мороз' });
  const builder = { pool: school.pool, deps: { newId: () => v7() }, clock: { now: new Date() } };
  const groupId = await makeGroup(builder, teacher, [anna]);
  const projectId = v7();
  await execute(
    school.pool,
    `insert into projects (id, owner_id, name, short_description, description, landing_url,
                           created_at, updated_at)
     values ($1, $2, 'Умная теплица', 'Датчики следят за рассадой', 'Полив по расписанию',
             'https://project.example/', now(), now())`,
    [projectId, admin.userId],
  );
  await signIn(page, school, admin);
  await translatePages(page);
  const { complaints, pending } = watch(page);
  await page.goto(`${school.network.url}/help`);
  const code = groupId.slice(-8).toUpperCase();
  const testId = tests.pendingReview;
  const params = { testId, groupId, projectId, attemptId: reviewed, code, topic: 'student' };
  const loose: Record<string, string[]> = {};
  for (const route of everyRoute()) {
    if (LEAD_ON.includes(route)) continue;
    const path = pathWith(route, params);
    const isOther = pathOf(page) !== path;
    await page.evaluate((to) => {
      for (const heading of document.querySelectorAll('h1')) heading.dataset['left'] = '';
      window.history.pushState(null, '', to);
    }, path);
    if (isOther) await expect(page.locator('h1[data-left]'), path).toHaveCount(0);
    // A list that turns out to be empty removes its search.
    await settled(page, pending);
    await expectTranslated(page, path);
    const texts = await looseTexts(page);
    if (texts.length > 0) loose[path] = texts;
    // Lists and forms change their texts.
    const search = page.getByRole('searchbox').or(page.getByRole('textbox', { name: 'Поиск' }));
    if (await search.first().isVisible()) {
      await search.first().fill('нет такого');
      await settled(page, pending);
      await search.first().fill('');
      await settled(page, pending);
      await expectTranslated(page, `${path}, search`);
    }
  }
  expect(pathOf(page)).not.toBe('/help');
  expect(complaints).toEqual([]);
  expect(loose).toEqual({});
});
