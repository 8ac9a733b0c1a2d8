import type { Locator, Page } from '@playwright/test';
import { addTime } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { liveCall } from '#tests/live-call.ts';
import { tabTo } from './keys.ts';
import { Editor } from './pages/editor.ts';
import { Overview } from './pages/overview.ts';
import { Shell } from './pages/shell.ts';
import { Taking } from './pages/taking.ts';
import { expect, test, type Person, type SchoolTest, type TestSchool } from './test-school.ts';
import { openSignIn, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });

async function studentWithTest(school: TestSchool, plan: Partial<SchoolTest> = {}) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  return { teacher, anna, testId: await school.test(teacher, { students: [anna], ...plan }) };
}

async function openTaking(page: Page, school: TestSchool, plan: Partial<SchoolTest> = {}) {
  const people = await studentWithTest(school, plan);
  await signIn(page, school, people.anna);
  await page.goto(`${school.network.url}/tests/${people.testId}/overview`);
  // Not by Enter: the guard takes an Enter on the next page within half a second for a second press.
  await new Overview(page).start.click();
  await new Taking(page).timer.waitFor();
  return people;
}

const urgent = (page: Page) => page.getByRole('main').getByRole('alert');
const isNowhere = (page: Page) => page.evaluate(() => document.activeElement === document.body);

/** Opens «Мои тесты», and loads the focus code by a press. */
async function openLists(page: Page, school: TestSchool, person: Person): Promise<void> {
  await signIn(page, school, person);
  await page.goto(`${school.network.url}/tests/my`);
  await page.getByRole('heading', { level: 1 }).filter({ visible: true }).waitFor();
  await page.keyboard.press('Shift');
  await page.locator('[data-page-title]').waitFor({ state: 'attached' });
}

test('after each navigation the heading has the focus, and the title names the test', async ({
  page,
  school,
}) => {
  const { anna } = await studentWithTest(school);
  await openLists(page, school, anna);
  const heading = page.getByRole('heading', { level: 1 }).filter({ visible: true });
  await tabTo(page, new Shell(page).testLink('Законы Ньютона'));
  await page.keyboard.press('Enter');
  await expect(heading).toHaveText('О тесте');
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle('О тесте: Законы Ньютона · Учебная платформа');
  await expect(page.locator('[data-page-title]')).toHaveText('О тесте: Законы Ньютона');
  await page.goBack();
  await expect(heading).toHaveText('Мои тесты');
  await expect(heading).toBeFocused();
  await page.goForward();
  await expect(heading).toHaveText('О тесте');
  await expect(heading).toBeFocused();
});

/** Delays the code for presses and focus; returns a function that lets it load. */
async function holdWatching(page: Page): Promise<() => void> {
  let release = () => {};
  const isHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/presses-and-focus/, async (route) => {
    await isHeld;
    await route.continue();
  });
  return release;
}

test('a link that is the first press of all has the heading focused, however late the focus is watched', async ({
  page,
  school,
}) => {
  const { anna } = await studentWithTest(school);
  await signIn(page, school, anna);
  const heading = page.getByRole('heading', { level: 1 }).filter({ visible: true });
  for (const press of ['link', 'section'] as const) {
    const release = await holdWatching(page);
    await page.goto(`${school.network.url}/tests/my`);
    await expect(heading).toHaveText('Мои тесты');
    const link =
      press === 'link'
        ? new Shell(page).testLink('Законы Ньютона')
        : page.getByRole('navigation', { name: 'Разделы' }).getByRole('link', { name: 'Проекты' });
    await link.click();
    await expect(heading).not.toHaveText('Мои тесты');
    release();
    await expect(heading).toBeFocused();
    await page.unroute(/presses-and-focus/);
  }
});

test('on a phone a question opened by the first press of all has its heading focused, and then its row', async ({
  page,
  school,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { teacher, testId } = await studentWithTest(school);
  await signIn(page, school, teacher);
  const release = await holdWatching(page);
  await page.goto(`${school.network.url}/tests/manage/${testId}/edit/custom`);
  const { rows } = new Editor(page);
  await rows.nth(1).click();
  const heading = page.getByRole('heading', { level: 2, name: 'Вопрос 2' });
  await expect(heading).toBeFocused();
  release();
  await page.getByRole('button', { name: 'К списку' }).press('Enter');
  await expect(rows.nth(1)).toBeFocused();
  await rows.nth(2).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Вопрос 3' })).toBeFocused();
  await page.goBack();
  await expect(rows.nth(2)).toBeFocused();
});

test('a control that goes away by the first press of all passes the focus on, however late', async ({
  page,
  school,
}) => {
  const { teacher, anna, testId } = await openTaking(page, school);
  const attempt = await school.attempt(anna);
  await signIn(page, school, teacher);
  const release = await holdWatching(page);
  await page.goto(`${school.network.url}/tests/manage/${testId}/grading?attemptId=${attempt?.id}`);
  const toQueue = page.getByRole('button', { name: 'К очереди' });
  await toQueue.click();
  await expect(toQueue).toHaveCount(0);
  await expect.poll(() => isNowhere(page)).toBe(true);
  release();
  await expect.poll(() => isNowhere(page)).toBe(false);
});

test('the end of time closes a dialog, is spoken at once, and has the focus', async ({
  page,
  school,
}) => {
  await openTaking(page, school, { passSeconds: 30 });
  const open = page.getByRole('button', { name: 'Завершить тест…' });
  await open.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(urgent(page)).toBeAttached();
  await expect(urgent(page)).toContainText('Время вышло');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(urgent(page)).toBeFocused();
});

test('minutes that the teacher adds are shown and spoken, also after the end', async ({
  page,
  school,
}) => {
  const { teacher, anna } = await openTaking(page, school, { passSeconds: 3_600 });
  const attempt = await school.attempt(anna);
  const { token } = await openSignIn(school, teacher);
  await new Taking(page).option('Паскаль').or(new Taking(page).textAnswer).first().focus();
  const { status } = await liveCall(
    school.network.url,
    addTime,
    { params: { attemptId: attempt?.id ?? '' }, body: { minutes: 5 } },
    { token },
  );
  expect(status).toBe(200);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(urgent(page)).toContainText(/Преподаватель добавил 5 минут, осталось 1:0\d:\d\d/);
});

test('an attempt that goes on elsewhere says so at once, and the note has the focus', async ({
  page,
  school,
  browser,
}) => {
  const { anna, testId } = await openTaking(page, school);
  await new Taking(page).goTo(2);
  await page.getByRole('radio').first().check();
  await expect(new Taking(page).onServer).toBeVisible();
  const context = await browser.newContext({ baseURL: school.network.url, locale: 'ru-RU' });
  const other = await context.newPage();
  await signIn(other, school, anna);
  await other.goto(`/tests/${testId}/overview`);
  await new Overview(other).goOnHere();
  await new Taking(other).timer.waitFor();
  await page.getByRole('radio').nth(1).click();
  await expect(urgent(page)).toContainText('Тест продолжается на другом устройстве');
  await expect(urgent(page)).toBeFocused();
  await context.close();
});

test('a busy button stays focused and ignores presses', async ({ page, school }) => {
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  await openSignIn(school, anna);
  await openSignIn(school, anna);
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/profile`);
  const ends = page.getByRole('button', { name: /^Завершить вход/ });
  await expect(ends).toHaveCount(2);
  const calls: string[] = [];
  let answer = () => {};
  const isHeld = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/**', async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    calls.push(route.request().url());
    await isHeld;
    return route.continue();
  });
  const end = ends.first();
  await end.focus();
  await page.keyboard.press('Enter');
  await expect(end).toHaveAttribute('aria-busy', 'true');
  await expect(end).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(end).toBeFocused();
  expect(calls).toHaveLength(1);
  answer();
  await expect(ends).toHaveCount(1);
  await expect(ends, 'the same button of the next row').toBeFocused();
  await page.keyboard.press('Enter');
  await expect(ends).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Входы на устройствах' })).toBeFocused();
});

/** Presses a control by key and waits until it has gone. */
async function pressAway(page: Page, control: Locator): Promise<void> {
  const handle = await control.elementHandle();
  await control.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => handle?.evaluate((element) => element.isConnected)).toBe(false);
  await expect.poll(() => isNowhere(page)).toBe(false);
}

test('a pressed control that goes away passes the focus on: a choice, a row of the editor', async ({
  page,
  school,
}) => {
  const { teacher, testId } = await openTaking(page, school);
  const taking = new Taking(page);
  await taking.goTo(2);
  await page.getByRole('radio').first().check();
  await pressAway(page, page.getByRole('button', { name: 'Сбросить выбор' }));
  await expect(page.getByRole('radio').first()).toBeFocused();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(
    page.getByRole('complementary').getByRole('button', { name: /^Вопрос 2, без ответа/ }),
  ).toBeVisible();
  await expect(taking.onServer).toBeVisible();

  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/manage/${testId}/edit/custom`);
  const rows = page.getByRole('list', { name: 'Вопросы теста' }).locator('[data-row]');
  await rows.first().waitFor();
  const before = await rows.count();
  await rows.first().focus();
  await page.keyboard.press('Delete');
  await expect(rows).toHaveCount(before - 1);
  await expect.poll(() => isNowhere(page)).toBe(false);
});

test('the list of keys and its switch are reached by touch on phones and tablets, and give the focus back', async ({
  school,
  browser,
}) => {
  for (const [width, height] of [
    [360, 740],
    [1180, 820],
  ] as const) {
    const context = await browser.newContext({
      baseURL: school.network.url,
      locale: 'ru-RU',
      serviceWorkers: 'block',
      viewport: { width, height },
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    await openTaking(page, school);
    const all = page.getByRole('button', { name: /Все вопросы$/ });
    const keys = page.getByRole('button', { name: 'Клавиши' });
    if (width < 1024) await all.tap();
    await keys.tap();
    const list = page.getByRole('dialog', { name: 'Клавиши теста' });
    await expect(list).toContainText('Отметить вопрос');
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await list.getByRole('checkbox', { name: /^Клавиши из одной буквы/ }).uncheck();
    await list.getByRole('button', { name: 'Понятно' }).tap();
    await expect(list).toHaveCount(0);
    await expect(width < 1024 ? all : keys).toBeFocused();
    await page.getByRole('heading', { level: 1 }).tap();
    await page.keyboard.press('m');
    await expect(page.getByRole('button', { name: 'Отметить', exact: true })).toBeVisible();
    await context.close();
  }
});

test('keys of one letter act within the question alone, can be switched off, and are listed', async ({
  page,
  school,
}) => {
  await openTaking(page, school);
  const taking = new Taking(page);
  await taking.goTo(2);
  const chosen = page.getByRole('radio', { checked: true });
  await taking.sync.focus();
  await page.keyboard.press('1');
  await page.keyboard.press('m');
  await page.getByRole('complementary').getByRole('button').first().focus();
  await page.keyboard.press('2');
  await expect(chosen).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Отмечен', exact: true })).toHaveCount(0);

  // A click on the question's text brings the focus there.
  await page.getByText('Единица силы').click();
  await page.keyboard.press('1');
  await expect(chosen).toHaveCount(1);
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Клавиши теста' });
  await expect(list).toContainText('Отметить вопрос');
  await page.keyboard.press('2');
  await list.getByRole('checkbox', { name: /^Клавиши из одной буквы/ }).uncheck();
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  const first = await chosen.getAttribute('value');
  await page.getByText('Единица силы').click();
  for (const key of ['2', 'm', '?', 'Enter']) await page.keyboard.press(key);
  expect(await chosen.getAttribute('value')).toBe(first);
  await expect(page.getByRole('radio').first()).toBeChecked();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Вопрос 2');

  await page.reload();
  await page.getByText('Единица силы').click();
  await page.keyboard.press('2');
  await expect(page.getByRole('radio').first()).toBeChecked();
  await page.getByRole('button', { name: 'Клавиши' }).click();
  await list.getByRole('checkbox').check();
  await page.keyboard.press('Escape');
  await page.getByText('Единица силы').click();
  await page.keyboard.press('2');
  await expect(page.getByRole('radio').nth(1)).toBeChecked();
});
