import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { withMoment } from './pages/moment.ts';
import { audit } from './audit.ts';
import { openCrowdedSchool } from './crowded-school.ts';
import { assignAll, openFilledBase } from './filled-base.ts';
import { tabTo } from './keys.ts';
import { Lists } from './pages/lists.ts';
import { Overview } from './pages/overview.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { expect, PASSWORD, test, type TestSchool } from './test-school.ts';
import { pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.use({ viewport: { width: 1280, height: 800 } });

/** The URL shown, readable: «/tests?subject=physics». */
const address = (page: Page) => expect.poll(() => decodeURIComponent(pathOf(page)));

async function openBase(page: Page, school: TestSchool, count: number, path = '/tests') {
  const people = await openFilledBase(school, count);
  await signIn(page, school, people.anna);
  await page.goto(`${school.network.url}${path}`);
  return { ...people, lists: new Lists(page) };
}

test('/tests stores search, subject, difficulty, status, order and page in the URL; reload and «назад» restore them', async ({
  page,
  school,
}) => {
  const { lists } = await openBase(page, school, 130);
  await expect(lists.sidebar.getByRole('link', { name: 'База тестов' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(page.getByRole('heading', { name: 'База тестов' })).toBeVisible();
  await expect(page.getByText('130 тестов', { exact: true })).toBeVisible();
  await lists.next.click();
  await expect(lists.pager.getByText('21–40 из 130')).toBeVisible();
  await address(page).toBe('/tests?page=2');
  await expect(lists.found).toHaveText('Найдено 130 тестов, показаны 21–40 из 130');

  await lists.choose('Предмет', 'Физика');
  await address(page).toBe('/tests?subject=physics');
  await expect(page.getByText('44 теста', { exact: true })).toBeVisible();
  await lists.choose('Порядок', 'По названию');
  await expect(lists.rows.first()).toContainText('Законы Ньютона 1');
  await expect(lists.rows.nth(9)).toContainText('Законы Ньютона 10');
  await lists.choose('Сложность', 'Сложная');
  await lists.choose('Статус', 'Доступен');
  // Fields stay in one row with any choice.
  const fields = ['Предмет', 'Сложность', 'Статус', 'Порядок'].map((name) => lists.field(name));
  const boxes = await Promise.all(fields.map((field) => field.first().boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  const filters = 'subject=physics&difficulty=hard&status=available&sortOrder=name';
  await address(page).toBe(`/tests?${filters}`);
  await expect(lists.rows.first()).toContainText('Физика · Сложная');
  await expect(lists.found).toHaveText('Найдено 14 тестов');

  await lists.search.pressSequentially('лаптева 12', { delay: 20 });
  await address(page).toBe(`/tests?searchQuery=лаптева+12&${filters}`);
  await expect(lists.rows).toHaveCount(1);
  await page.reload();
  await expect(lists.search).toHaveValue('лаптева 12');
  await expect(lists.field('Статус').first()).toHaveValue('Доступен');
  await expect.poll(() => lists.titles()).toEqual(['Законы Ньютона 12']);

  // Typed letters add no history entries: one step back undoes the status.
  await page.goBack();
  await address(page).toBe('/tests?subject=physics&difficulty=hard&sortOrder=name');
  await expect(lists.search).toHaveValue('');
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await address(page).toBe('/tests?page=2');
  await expect(lists.pager.getByText('21–40 из 130')).toBeVisible();
  await expect(lists.field('Предмет').first()).toHaveValue('Все предметы');
});

test('invalid values in the URL of /tests are ignored; a page beyond the last leads to it', async ({
  page,
  school,
}) => {
  const { lists } = await openBase(
    page,
    school,
    23,
    '/tests?subject=magic&difficulty=7&status=draft&sortOrder=rating&page=-1',
  );
  await expect(lists.rows).toHaveCount(20);
  await expect(page.getByText('23 теста', { exact: true })).toBeVisible();
  await page.goto(`${school.network.url}/tests?page=9`);
  await address(page).toBe('/tests?page=2');
  await expect(lists.pager.getByText('21–23 из 23')).toBeVisible();
  await expect(lists.rows).toHaveCount(3);
});

test('the base works by keyboard: search, a filter, paging with stable focus, announced count', async ({
  page,
  school,
}) => {
  const { lists } = await openBase(page, school, 65);
  const { keyboard } = page;
  await expect(lists.rows).toHaveCount(20);
  await tabTo(page, lists.next, 60);
  await keyboard.press('Enter');
  await expect(lists.pager.getByText('21–40 из 65')).toBeVisible();
  await expect(lists.next).toBeFocused();
  await keyboard.press('Space');
  await keyboard.press('Enter');
  await expect(lists.pager.getByText('61–65 из 65')).toBeVisible();
  await expect(lists.next).toBeFocused();
  await expect(lists.next).toHaveAttribute('aria-disabled', 'true');
  await expect(lists.found).toHaveText('Найдено 65 тестов, показаны 61–65 из 65');

  await lists.search.focus();
  await keyboard.type('РЕФОРМЫ');
  await keyboard.press('Enter');
  await expect(lists.found).toHaveText('Найден 21 тест, показаны 1–20 из 21');
  await expect(lists.search).toBeFocused();
  await tabTo(page, lists.field('Сложность').first());
  await keyboard.press('Enter');
  // The list marks its own choice a moment after it opened: the arrow continues from there.
  const easy = page.getByRole('option', { name: 'Легкая' });
  await expect(async () => {
    await keyboard.press('ArrowDown');
    await expect(easy).toHaveAttribute('data-combobox-selected', 'true', { timeout: 300 });
  }).toPass();
  await keyboard.press('Enter');
  await expect(lists.found).toHaveText('Найдено 7 тестов');
  await expect(lists.field('Сложность').first()).toBeFocused();
  await keyboard.press('Tab');
  await lists.search.fill('такого нет');
  await expect(page.getByRole('heading', { name: 'Ничего не найдено' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Сбросить фильтры' }));
  await keyboard.press('Enter');
  await expect(lists.search).toBeFocused();
  await expect(lists.search).toHaveValue('');
  await address(page).toBe('/tests');
  await expect(lists.found).toHaveText('Найдено 65 тестов, показаны 1–20 из 65');
});

test('a list of choices is at most 190 px high', async ({ page, school }) => {
  const { lists } = await openBase(page, school, 1);
  await lists.field('Предмет').first().click();
  await expect(page.getByRole('option')).toHaveCount(19);
  const list = page.getByRole('listbox').filter({ has: page.getByRole('option') });
  await expect.poll(async () => (await list.boundingBox())?.height).toBeLessThanOrEqual(200);
  await page.getByRole('option', { name: 'Химия' }).click();
  await expect(page.getByRole('heading', { name: 'Ничего не найдено' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('the filters of the base are in a dialog that shows how many tests are found', async ({
    page,
    school,
  }) => {
    const { lists } = await openBase(page, school, 65);
    await lists.filters.click();
    await lists.sheet.getByLabel('Предмет').selectOption('Математика');
    await lists.sheet.getByLabel('Сложность').selectOption('Легкая');
    await lists.sheet.getByRole('button', { name: 'Показать 8 тестов' }).click();
    await expect(lists.sheet).toBeHidden();
    await expect(lists.filters).toBeFocused();
    await expect(lists.filters).toHaveAccessibleName('Фильтры и порядок, выбрано 2');
    await expect(lists.rows).toHaveCount(8);
    await address(page).toBe('/tests?subject=math&difficulty=easy');
    await new Shell(page).testLink('Квадратичная функция 4').click();
    await page.getByRole('link', { name: 'К базе тестов' }).click();
    await address(page).toBe('/tests?subject=math&difficulty=easy');
    await expect(lists.rows).toHaveCount(8);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await address(page).toBe('/tests');
    await expect(lists.pager.getByText('1–20 из 65')).toBeVisible();

    await lists.filters.click();
    await page.keyboard.press('Escape');
    await expect(lists.sheet).toBeHidden();
    await expect(lists.filters).toBeFocused();
    await address(page).toBe('/tests');
  });

  test('the bottom bar has school for «Классы» of a teacher, and «Мои тесты» is on', async ({
    page,
    school,
  }) => {
    const { teacher } = await openFilledBase(school, 1);
    await signIn(page, school, teacher);
    await page.goto(`${school.network.url}/tests/my`);
    const { bottomBar } = new Lists(page);
    await expect(bottomBar.getByRole('link')).toHaveText([
      'База',
      'Мои тесты',
      'Классы',
      'Проекты',
    ]);
    await expect(bottomBar.locator('[aria-current]')).toHaveText('Мои тесты');
  });
});

for (const [width, isVertical, hasSidebar] of [
  [360, true, false],
  [540, true, false],
  [541, false, false],
  [640, false, false],
  [1280, false, true],
] as const) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, hasTouch: width < 1024 });

    test(`the tabs of «Мои тесты» stand ${isVertical ? 'one under the other' : 'side by side'}, the sidebar ${hasSidebar ? 'is there' : 'is not'}`, async ({
      page,
      school,
    }) => {
      const { teacher } = await openFilledBase(school, 1);
      await signIn(page, school, teacher);
      await page.goto(`${school.network.url}/tests/my`);
      const { tabs, sidebar } = new Lists(page);
      const links = tabs.getByRole('link');
      await expect(links).toHaveText(['Назначенные мне', 'Пройденные', 'Созданные мной']);
      await expect(tabs.locator('[aria-current]')).toHaveText('Назначенные мне');
      const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()));
      expect(new Set(boxes.map((box) => Math.round(box?.y ?? 0))).size).toBe(isVertical ? 3 : 1);
      for (const box of boxes) expect(box?.height).toBeGreaterThanOrEqual(44);
      await expect(sidebar).toBeVisible({ visible: hasSidebar });
      if (hasSidebar) {
        const box = await page.getByRole('complementary').boundingBox();
        expect(Math.round(box?.y ?? 0), 'offset of the sidebar').toBe(75);
      }
      await links.nth(1).click();
      await expect(page).toHaveURL(/\/tests\/my\/passed$/);
      await expect(links.nth(1)).toHaveAttribute('aria-current', 'page');
      await expect(links.nth(0)).not.toHaveAttribute('aria-current');
    });
  });
}

test('«Мои тесты» is on in the sidebar on /tests/my, /tests/my/passed and /tests/manage; a student has no third tab', async ({
  page,
  school,
}) => {
  const { teacher, anna } = await openFilledBase(school, 0);
  const testId = await school.test(teacher, { students: [anna] });
  await signIn(page, school, teacher);
  const { sidebar, tabs } = new Lists(page);
  const on = sidebar.locator('[aria-current]');
  for (const path of ['/tests/my', '/tests/my/passed', `/tests/manage/${testId}/preview`]) {
    await page.goto(`${school.network.url}${path}`);
    await expect(on).toHaveText('Мои тесты');
  }
  await page.goto(`${school.network.url}/tests`);
  await expect(on).toHaveText('База тестов');
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/my`);
  await expect(tabs.getByRole('link')).toHaveText(['Назначенные мне', 'Пройденные']);
  await expect(sidebar.getByRole('link')).toHaveText(['База тестов', 'Мои тесты']);
});

test('without a session each page of the tests leads to /login?redirect_path={current path} with its query, and back after the sign-in', async ({
  page,
  school,
}) => {
  const { teacher, anna } = await openFilledBase(school, 25);
  const testId = await school.test(teacher, { students: [anna] });
  const form = new SignIn(page);
  const lists = new Lists(page);
  for (const path of [
    '/tests/my',
    '/tests/my/passed?sortOrder=name',
    `/tests/${testId}`,
    `/tests/${testId}/overview?from=letter`,
    `/tests/${testId}/results`,
  ]) {
    await page.goto(`${school.network.url}${path}`);
    await expect(form.submit).toBeVisible();
    await address(page).toBe(`/login?redirect_path=${path}`);
  }
  const deep = '/tests?searchQuery=законы&subject=physics&sortOrder=name';
  await page.goto(`${school.network.url}${deep}`);
  await expect(form.submit).toBeVisible();
  expect(new URL(page.url()).searchParams.get('redirect_path')).toBe(
    new URL(deep, school.network.url).pathname + new URL(deep, school.network.url).search,
  );
  await form.signIn({ email: anna.email, password: PASSWORD });
  await address(page).toBe(deep);
  await expect(lists.search).toHaveValue('законы');
  await expect(lists.field('Предмет').first()).toHaveValue('Физика');
  await expect(lists.rows).toHaveCount(9);
});

test('overview and taking page lead to /tests when no test is loaded for the id: unknown, foreign, malformed, draft', async ({
  page,
  school,
}) => {
  const { teacher, anna } = await openFilledBase(school, 1);
  const other = await school.person({ userName: 'Другой Ученик' });
  const foreign = await school.test(teacher, { students: [other] });
  const draft = await school.test(teacher, { students: [anna], lifecycle: 'draft' });
  await signIn(page, school, anna);
  const ids = [
    '01890000-0000-7000-8000-000000000000',
    foreign,
    draft,
    'ключ',
    'x'.repeat(80),
    '%00',
  ];
  for (const id of ids) {
    for (const path of [`/tests/${id}/overview`, `/tests/${id}`]) {
      await page.goto(`${school.network.url}${path}`);
      await expect(page, path).toHaveURL(`${school.network.url}/tests`);
      await expect(page.getByRole('heading', { name: 'База тестов' })).toBeVisible();
    }
  }
});

test('a running attempt comes first in every list with «Продолжить», and the row leads back into it', async ({
  page,
  school,
}) => {
  const { anna, lists } = await openBase(page, school, 45, '/tests?sortOrder=name');
  const title = 'Законы Ньютона 15';
  await lists.search.fill(title);
  await new Shell(page).testLink(title).click();
  await new Overview(page).start.click();
  await new Taking(page).timer.waitFor();
  await page.goto(`${school.network.url}/tests?sortOrder=name`);
  await expect(lists.rows.first()).toContainText(title);
  await expect(lists.row(title)).toContainText(/Идёт, \d+\sмин/);
  await lists.choose('Статус', 'Идёт');
  await expect(lists.rows).toHaveCount(1);
  const goOn = lists.row(title).getByRole('link', { name: 'Продолжить' });
  await page.setViewportSize({ width: 1280, height: 800 });
  const lines = await goOn.getByText('Продолжить').evaluate((label) => {
    const range = document.createRange();
    range.selectNodeContents(label);
    return range.getClientRects().length;
  });
  expect(lines, 'lines of the label').toBe(1);
  await goOn.click();
  await expect(new Taking(page).timer).toBeVisible();
  expect((await school.attempt(anna))?.ended).toBeNull();
});

test('/tests/my/passed shows points, status and date of ended attempts, and leads to the results', async ({
  page,
  school,
}) => {
  const { anna, tests } = await openCrowdedSchool(school);
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/my/passed`);
  const lists = new Lists(page);
  await expect(page.getByText('3 теста', { exact: true })).toBeVisible();
  const passed = lists.row('Равноускоренное движение');
  await expect(passed).toContainText('Пройден');
  await expect(passed).toContainText('8 из 8');
  await expect(passed).toContainText(withMoment('закончен '));
  await expect(lists.row('Законы Ньютона')).toContainText('На проверке');
  await expect(lists.row('Законы Ньютона')).toContainText('2 попытки');
  await expect(lists.row('Повторение: 8 класс')).toContainText('Закрыт');
  await lists.choose('Статус', 'Пройден');
  await expect(lists.rows).toHaveCount(1);
  await new Shell(page).testLink('Равноускоренное движение').click();
  await address(page).toBe(`/tests/${tests.passed}/results`);
  await expect(page.getByText('8 из 8')).toBeVisible();
  await page.goBack();
  await address(page).toBe('/tests/my/passed?status=passed');
  await page.goto(`${school.network.url}/tests/${tests.passed}/overview`);
  await page.getByRole('link', { name: 'Результаты попыток' }).click();
  await address(page).toBe(`/tests/${tests.passed}/results`);
});

test('/tests/my is searched, filtered, ordered and paged like the base, with its state in the URL', async ({
  page,
  school,
}) => {
  const { anna } = await openFilledBase(school, 65);
  await assignAll(school, anna.userId);
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/my`);
  const lists = new Lists(page);
  await expect(lists.found).toHaveText('Найдено 65 тестов, показаны 1–20 из 65');
  await lists.next.click();
  await expect(lists.pager.getByText('21–40 из 65')).toBeVisible();
  await address(page).toBe('/tests/my?page=2');
  await lists.choose('Предмет', 'Математика');
  await lists.choose('Порядок', 'По названию');
  await address(page).toBe('/tests/my?subject=math&sortOrder=name');
  await expect(lists.rows.first()).toContainText('Квадратичная функция 1');
  await expect(lists.found).toHaveText('Найдено 22 теста, показаны 1–20 из 22');
  await lists.search.fill('лаптева функция 12');
  await expect(lists.rows).toHaveCount(1);
  await page.reload();
  await expect(lists.search).toHaveValue('лаптева функция 12');
  await expect.poll(() => lists.titles()).toEqual(['Квадратичная функция 12']);
  await new Shell(page).testLink('Квадратичная функция 12').click();
  await page.getByRole('link', { name: 'К моим тестам' }).click();
  await address(page).toBe('/tests/my?searchQuery=лаптева+функция+12&subject=math&sortOrder=name');
  await lists.search.fill('такого нет');
  await expect(page.getByRole('heading', { name: 'Ничего не найдено' })).toBeVisible();
  await page.getByRole('button', { name: 'Сбросить фильтры' }).click();
  await expect(lists.search).toBeFocused();
  await address(page).toBe('/tests/my?sortOrder=name');
  await expect(lists.rows).toHaveCount(20);
});

test('tests out of time are listed separately among the passed ones', async ({ page, school }) => {
  const { anna } = await openCrowdedSchool(school);
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/my/passed`);
  const lists = new Lists(page);
  await expect(page.getByRole('heading', { name: 'Не завершены' })).toBeVisible();
  await expect(lists.rows).toHaveCount(3);
  await expect(lists.rows.last()).toContainText('Повторение: 8 класс');
  const apart = page.getByRole('main').getByRole('list').last().getByRole('listitem');
  await expect(apart).toHaveCount(1);
  await lists.choose('Статус', 'Пройден');
  await expect(lists.rows).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Не завершены' })).toBeHidden();
});

test.describe('with the worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('without a network every search, filter and page of the assigned tests works', async ({
    page,
    school,
  }) => {
    const { anna } = await openFilledBase(school, 65);
    await assignAll(school, anna.userId);
    await signIn(page, school, anna);
    await page.goto(`${school.network.url}/tests/my`);
    const lists = new Lists(page);
    await expect(lists.rows).toHaveCount(20);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    // The worker shows the last list until the app has fetched, and so cached, the present one.
    await expect(page.locator('#painted')).toHaveCount(0);
    await expect(lists.rows).toHaveCount(20);
    school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
    await page.reload();
    await expect(page.getByText(/Обновлено в/)).toBeVisible();
    await lists.choose('Предмет', 'История');
    await lists.next.click();
    await expect(lists.rows).toHaveCount(1);
    await lists.search.fill('реформы 21');
    await expect.poll(() => lists.titles()).toEqual(['Великие реформы 21']);
  });

  test('without a network the base shows the cached pages with their age, and says when a page is not cached', async ({
    page,
    school,
  }) => {
    const { lists } = await openBase(page, school, 45);
    await expect(lists.rows).toHaveCount(20);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    // The worker shows the last list until the app has fetched, and so cached, the present one.
    await expect(page.locator('#painted')).toHaveCount(0);
    await expect(lists.rows).toHaveCount(20);
    school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
    await page.reload();
    await expect(page.getByText(/Обновлено в/)).toBeVisible();
    await expect(lists.rows).toHaveCount(20);
    await lists.choose('Предмет', 'Математика');
    await expect(page.getByText(/^Этот список ещё не открывали на этом устройстве/)).toBeVisible();
    await expect(lists.field('Предмет').first()).toHaveValue('Математика');
    school.network.rule = () => 'deliver';
    await page.getByRole('button', { name: 'Повторить' }).click();
    await expect(lists.rows).toHaveCount(15);
  });
});

for (const [width, height] of firstUnlessWhole([
  [360, 740],
  [1280, 800],
] as const)) {
  test.describe(`at ${width} px, light and dark,`, () => {
    test.use({
      viewport: { width, height },
      hasTouch: width < 1024,
    });

    test('the lists, their filters and their empty states are accessible and fit', async ({
      page,
      school,
    }, info) => {
      const { teacher } = await openFilledBase(school, 130);
      const boris = await school.person({ userName: 'Борис Орлов' });
      const { anna } = await openCrowdedSchool(school);
      await execute(school.pool, 'update tests set open_to_all = true where owner_id <> $1', [
        teacher.userId,
      ]);
      await signIn(page, school, anna);
      const lists = new Lists(page);
      const open = async (path: string) => page.goto(`${school.network.url}${path}`);
      await open('/tests');
      await expect(lists.rows).toHaveCount(20);
      await audit(page, info, 'base');
      await lists.pager.scrollIntoViewIfNeeded();
      await audit(page, info, 'base-end');
      if (width < 640) {
        await lists.filters.click();
        await lists.sheet.getByLabel('Предмет').selectOption('Физика');
        await expect(lists.sheet.getByRole('button', { name: /^Показать \d+/ })).toBeVisible();
        await audit(page, info, 'base-filters');
        await page.keyboard.press('Escape');
      } else {
        await lists.choose('Порядок', 'По сроку');
        await lists.field('Предмет').first().click();
        await expect(page.getByRole('option')).toHaveCount(19);
        await audit(page, info, 'base-choices');
        await page.keyboard.press('Escape');
      }
      await open('/tests?searchQuery=нет');
      await page.getByRole('heading', { name: 'Ничего не найдено' }).waitFor();
      await audit(page, info, 'base-nothing');
      await open('/tests/my/passed');
      await expect(lists.rows).toHaveCount(3);
      await audit(page, info, 'passed');
      await open('/tests/my');
      await expect(lists.rows).toHaveCount(7);
      await audit(page, info, 'my');

      await execute(school.pool, 'update tests set open_to_all = false', []);
      await signIn(page, school, boris);
      await open('/tests');
      await page.getByRole('heading', { name: 'В базе пока нет тестов' }).waitFor();
      await audit(page, info, 'base-empty');
      await open('/tests/my');
      await page.getByRole('heading', { name: 'Пока нет назначенных тестов' }).waitFor();
      await audit(page, info, 'my-empty');
      await open('/tests/my/passed');
      await page.getByRole('heading', { name: 'Пока нет пройденных тестов' }).waitFor();
      await audit(page, info, 'passed-empty');
    });
  });
}

test('subjects and difficulties have the labels of the specification, anything else «Неизвестная»', async ({
  page,
  school,
}) => {
  const { anna, teacher } = await openFilledBase(school, 3);
  await execute(
    school.pool,
    `update tests set theme = 'магия', difficulty = '' where theme = 'history'`,
    [],
  );
  expect(teacher.role).toBe(ROLE.teacher);
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests`);
  const lists = new Lists(page);
  await expect(lists.row('Законы Ньютона 1')).toContainText('Физика · Легкая');
  await expect(lists.row('Великие реформы 1')).toContainText('Неизвестная · Неизвестная');
  await lists.field('Предмет').first().click();
  await expect(page.getByRole('option')).toHaveText([
    'Все предметы',
    'Английский язык',
    'Астрономия',
    'Биология',
    'География',
    'Изобразительное искусство',
    'Информатика',
    'История',
    'Литература',
    'Математика',
    'Музыка',
    'Обществознание',
    'Программирование',
    'Русский язык',
    'Физика',
    'Физическая культура',
    'Философия',
    'Химия',
    'Экология',
  ]);
});
