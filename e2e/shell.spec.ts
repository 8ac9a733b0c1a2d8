import type { Page } from '@playwright/test';
import { v7 } from 'uuid';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { makeGroup } from '#tests/school.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { audit } from './audit.ts';
import { SignIn } from './pages/sign-in.ts';
import { expect, PASSWORD, test, type Person, type TestSchool } from './test-school.ts';
import { everyRoute, pathWith, settled, watch } from './route-walk.ts';
import { pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });

type Role = 'visitor' | 'student' | 'teacher' | 'admin';

/** Screens that need no session. */
const OPEN = ['/education-materials', '/events', '/labs', '/verify', '/help', '/help/$topic'];
/** Screens for visitors alone. */
const PUBLIC_ONLY = ['/login', '/registration'];
/** Links to another screen, for every role. */
const LEADS_ON: Readonly<Record<string, string>> = {
  '/tests/manage': '/tests/my/created',
  '/tests/manage/$testId': '/tests/manage/$testId/edit/custom',
  '/tests/manage/$testId/edit': '/tests/manage/$testId/edit/custom',
  '/tests/$testId': '/tests/$testId/overview',
};
const isTeachers = (route: string) =>
  /^\/(?:tests\/manage|bank|groups)(?:\/|$)|^\/tests\/my\/created$/.test(route);
const isAdmins = (route: string) => /^\/admin(?:\/|$)/.test(route);

/** The role that reloads a screen and goes back from it: one is enough. */
const roleOfScreen = (route: string): Role =>
  isAdmins(route) ? 'admin' : isTeachers(route) ? 'teacher' : 'student';

/** Where a role is redirected from a route (specification, section 2, and its guards). */
function landing(role: Role, route: string, params: Readonly<Record<string, string>>): string {
  const path = pathWith(route, params);
  if (OPEN.includes(route)) return path;
  if (role === 'visitor') {
    if (PUBLIC_ONLY.includes(route)) return path;
    return `/login?redirect_path=${encodeURIComponent(path)}`;
  }
  if (PUBLIC_ONLY.includes(route)) return '/';
  if (isAdmins(route) && role !== 'admin') return '/';
  if (isTeachers(route) && role === 'student') return '/tests';
  return pathWith(LEADS_ON[route] ?? route, params);
}

/** A school in which every URL has content: a finished attempt, a class, a project. */
async function openSchool(school: TestSchool) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const admin = await school.person({ role: ROLE.admin, userName: 'И. С. Мороз' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student], openToAll: true });
  const builder = { pool: school.pool, deps: { newId: () => v7() }, clock: { now: new Date() } };
  const groupId = await makeGroup(builder, teacher, [student]);
  const projectId = v7();
  await execute(
    school.pool,
    `insert into projects (id, owner_id, name, short_description, description, landing_url,
                           created_at, updated_at)
     values ($1, $2, 'Умная теплица', 'Датчики следят за рассадой', 'Полив по расписанию',
             'https://project.example/', now(), now())`,
    [projectId, student.userId],
  );
  return { teacher, admin, student, testId, groupId, projectId };
}

/** Passes the test as the student, without a screen. Returns the attempt's id. */
async function takeTest(
  page: Page,
  school: TestSchool,
  student: Person,
  testId: string,
): Promise<string> {
  const { token } = await signIn(page, school, student);
  const headers = { authorization: `Bearer ${token}` };
  const call = (path: string) =>
    fetch(`${school.network.url}/api/TestPassing/${path}`, { method: 'POST', headers });
  expect((await call(`${testId}/start`)).status).toBe(200);
  const attemptId = (await school.attempt(student))?.id ?? '';
  expect((await call(`${attemptId}/finish`)).status).toBe(200);
  return attemptId;
}

/** How far the page scrolls sideways while its letters are twice as large, in px. */
const sidewaysWithLargeLetters = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { style } = document.documentElement;
    style.fontSize = '200%';
    const { scrollWidth, clientWidth } = document.documentElement;
    style.fontSize = '';
    return scrollWidth - clientWidth;
  });

const pathnameOf = (path: string) => path.split('?')[0];

/** Navigates within the open app, and waits for the screen if it differs from the present one. */
async function step(page: Page, lands: string, make: () => Promise<unknown>): Promise<void> {
  const isOther = pathnameOf(pathOf(page)) !== pathnameOf(lands);
  await page.evaluate(() => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset['left'] = '';
  });
  await make();
  if (isOther) await expect(page.locator('h1[data-left]')).toHaveCount(0);
}

const follow = (page: Page, path: string, lands: string) =>
  step(page, lands, () => page.evaluate((to) => window.history.pushState(null, '', to), path));

test('visitor, student, teacher and admin: every route by URL, by reload and by «назад», with a clean console', async ({
  browser,
  page: first,
  school,
}) => {
  const content = await openSchool(school);
  const { testId, groupId, projectId } = content;
  const attemptId = await takeTest(first, school, content.student, testId);
  const code = groupId.slice(-8).toUpperCase();
  const params = { testId, groupId, projectId, attemptId, code, topic: 'student' };
  const routes = everyRoute();
  expect(routes.length).toBeGreaterThan(40);

  const walk = async (role: Role) => {
    const context = await browser.newContext({
      baseURL: school.network.url,
      serviceWorkers: 'block',
      reducedMotion: 'reduce',
      locale: 'ru-RU',
    });
    const page = await context.newPage();
    if (role !== 'visitor') await signIn(page, school, content[role]);
    const { complaints, pending } = watch(page);
    await page.goto('/help');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    // The focus code is loaded with the first press.
    await page.keyboard.press('Shift');
    await page.locator('[data-page-title]').waitFor({ state: 'attached' });
    let before = '/help';
    for (const route of routes) {
      const path = pathWith(route, params);
      const lands = landing(role, route, params);
      await follow(page, path, lands);
      await expect.poll(() => pathOf(page), `${role}: ${path}`).toBe(lands);
      await settled(page, pending);
      // A page with a single field has the focus there, every other page at its heading.
      if (pathnameOf(before) !== pathnameOf(lands))
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.tagName), `${role}: ${path}`)
          .toMatch(/^(H1|INPUT)$/);
      if (role !== roleOfScreen(route) || lands !== path) {
        before = lands;
        continue;
      }
      await page.reload({ waitUntil: 'commit' });
      await settled(page, pending);
      await page.keyboard.press('Shift');
      await page.locator('[data-page-title]').waitFor({ state: 'attached' });
      expect(pathOf(page), `${role}, reload`).toBe(lands);
      expect.soft(await sidewaysWithLargeLetters(page), `${path}, letters twice as large`).toBe(0);
      await step(page, before, () => page.goBack({ waitUntil: 'commit' }));
      await expect.poll(() => pathOf(page), `${role}: back from ${path}`).toBe(before);
    }
    expect(complaints, role).toEqual([]);
    await context.close();
  };
  await Promise.all([walk('visitor'), walk('student')]);
  await Promise.all([walk('teacher'), walk('admin')]);

  await first.evaluate(() => localStorage.clear());
  await first.goto(`${school.network.url}/admin/audit`);
  await new SignIn(first).signIn({ email: content.admin.email, password: PASSWORD });
  await expect.poll(() => pathOf(first)).toBe('/admin/audit');
});

const UNKNOWN = [
  '/no/such/page',
  '/tests/%E0%A4%A',
  '/projects/my/x',
  '/admin/x',
  '/tests/manage/x/y',
];

for (const [width, height] of firstUnlessWhole([
  [360, 740],
  [1280, 800],
] as const)) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024 });

    test('menus, placeholders, «Страница не найдена!» and errors, with a session and without, light and dark', async ({
      page,
      school,
    }, info) => {
      const base = school.network.url;
      const open = async (path: string, heading: string | RegExp) => {
        await page.goto(`${base}${path}`);
        await page.getByRole('heading', { name: heading }).filter({ visible: true }).waitFor();
      };
      const menu = page.getByRole('button', { name: /^Меню/ });
      const panel = () =>
        width < 1024
          ? page.getByRole('dialog')
          : page.getByRole('group', { name: 'Учётная запись' });

      for (const [path, title] of [
        ['/education-materials', 'Учебные материалы'],
        ['/events', 'События'],
        ['/labs', 'Лаборатории'],
      ] as const) {
        await open(path, title);
        await expect(page.getByRole('heading', { name: 'In development' })).toBeVisible();
        await expect(page.getByText('Страница в разработке')).toBeVisible();
        await expect(page.getByRole('link', { name: 'Войти' })).toBeVisible();
      }
      await audit(page, info, 'placeholder-visitor');
      await menu.click();
      await expect(panel().getByRole('link', { name: 'Справка' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Выйти' })).toBeHidden();
      await audit(page, info, 'menu-visitor');

      const userName = 'Преображенская Елизавета';
      await signIn(page, school, await school.person({ role: ROLE.admin, userName }));
      await open('/admin/tests', 'Тесты');
      for (const narrower of width < 1024 ? [] : [1024, width]) {
        await page.setViewportSize({ width: narrower, height });
        const sections = await page.getByRole('navigation', { name: 'Разделы' }).boundingBox();
        const account = await menu.boundingBox();
        const end = (sections?.x ?? 0) + (sections?.width ?? 0);
        expect(account?.x ?? 0, `school in the header at ${narrower} px`).toBeGreaterThan(end);
      }
      for (const [path, title] of [
        ['/admin/news', 'Новости'],
        ['/admin/education-materials', 'Учебные материалы'],
      ] as const) {
        await open(path, title);
        await expect(page.getByRole('heading', { name: 'In development' })).toBeVisible();
      }
      await audit(page, info, 'placeholder-admin');
      await menu.click();
      await panel().getByRole('radio', { name: 'Тёмное' }).check();
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
      await expect(page.locator('meta[name="theme-color"]').first()).toHaveAttribute(
        'content',
        '#0e1017',
      );
      await menu.click();
      await panel().getByRole('radio', { name: 'Как в системе' }).check();
      await audit(page, info, 'menu-admin');
      await panel().getByRole('link', { name: 'Справка' }).click();
      await expect.poll(() => pathOf(page)).toBe('/help');
      await expect(panel()).toBeHidden();

      for (const path of UNKNOWN) {
        await page.goto(`${base}${path}`);
        await expect(page.getByRole('heading', { name: 'Страница не найдена!' })).toBeVisible();
      }
      await audit(page, info, 'not-found');
      await page.evaluate(() => localStorage.clear());
      for (const path of UNKNOWN) {
        await page.goto(`${base}${path}`);
        await expect(page.getByRole('heading', { name: 'Страница не найдена!' })).toBeVisible();
      }
    });
  });
}

test('until the script has come, the page says that it loads, and after a while what to do', async ({
  page,
  school,
}) => {
  await page.route('**/assets/*.js', (route) => route.abort());
  const long = page.getByText('Загрузка идёт долго. Проверьте сеть');
  await page.goto(`${school.network.url}/registration`);
  await expect(page.getByText('Загружаем…')).toBeVisible();
  await expect(long).toBeVisible();
  // The sign-in can be filled in meanwhile.
  await page.goto(`${school.network.url}/login`);
  await expect(page.getByText('Загружаем…')).toBeHidden();
  await expect(long).toBeVisible();
  await expect(new SignIn(page).submit).toBeVisible();
  await page.unroute('**/assets/*.js');
  await page.reload();
  await expect(page.getByText('Загружаем…')).toHaveCount(0);
  await expect(new SignIn(page).submit).toBeVisible();
});

test('in the dark, the page that waits for its script is dark, and its words can be read', async ({
  page,
  school,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto(`${school.network.url}/registration`);
  const colours = await page.locator('.before-app').evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    return [color, backgroundColor];
  });
  const [words = 0, ground = 0] = colours.map((colour) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  const contrast = (words + 0.05) / (ground + 0.05);
  expect(colours[1]).toBe('rgb(14, 16, 23)');
  expect(contrast).toBeGreaterThan(7);
});

for (const width of firstUnlessWhole([1280, 360, 820])) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, hasTouch: width < 1024 });

    test('the shell stays while the code of a page loads, with a spinner in the middle', async ({
      page,
      school,
    }) => {
      await signIn(page, school, await school.person());
      const waiting: (() => void)[] = [];
      await page.route(/\/assets\/_signed\.projects\.index-[^/]+\.js$/, (route) => {
        waiting.push(() => void route.continue());
      });
      const spinner = page.getByRole('status').filter({ hasText: 'Загружаем' });
      const shows = async () => {
        await expect(spinner).toBeVisible();
        await expect(page.getByRole('banner')).toBeVisible();
        const menu = width < 1024 ? 'Главные страницы' : 'Страницы раздела';
        await expect(
          page.getByRole('navigation', { name: menu }).getByRole('link', { name: /проекты/i }),
        ).not.toHaveCount(0);
        const box = await spinner.locator('> :first-child').boundingBox();
        const middle = [
          (box?.x ?? 0) + (box?.width ?? 0) / 2,
          (box?.y ?? 0) + (box?.height ?? 0) / 2,
        ];
        expect(middle.map(Math.round)).toEqual([width / 2, 400]);
      };
      const arrives = async () => {
        for (const release of waiting.splice(0)) release();
        await expect(page.getByRole('heading', { level: 1, name: 'Все проекты' })).toBeVisible();
        await expect(spinner).toBeHidden();
      };
      await page.goto(`${school.network.url}/tests/my`);
      await page
        .getByRole('link', { name: 'Проекты', exact: true })
        .filter({ visible: true })
        .click();
      await shows();
      await arrives();
      await page.reload({ waitUntil: 'commit' });
      await shows();
      await arrives();
    });
  });
}
