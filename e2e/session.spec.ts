import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { expect, PASSWORD, test, type TestSchool } from './test-school.ts';
import { Overview } from './pages/overview.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { everythingStored, placesWith } from './stored.ts';
import { openSignIn, remember, signIn } from './visitor.ts';

const TITLE = 'Законы Ньютона';

const stored = (page: Page, key: string) =>
  page.evaluate((name) => localStorage.getItem(name), key);

async function studentWithTest(school: TestSchool) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  return { anna, testId: await school.test(teacher, { students: [anna] }) };
}

test('the token is raw in local storage and is sent with every call but the sign-in', async ({
  page,
  school,
}) => {
  const { anna } = await studentWithTest(school);
  const bearers = new Map<string, string | undefined>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) bearers.set(pathname, request.headers()['authorization']);
  });
  await page.goto(`${school.network.url}/login?redirect_path=%2Ftests%2Fmy`);
  await new SignIn(page).signIn({ email: anna.email, password: PASSWORD });
  await expect(new Shell(page).testLink(TITLE)).toBeVisible();

  const token = await stored(page, 'token');
  expect(token).toMatch(/^[\w-]{40,}$/);
  expect(bearers.get('/api/auth/login')).toBeUndefined();
  expect(bearers.get('/api/Test/my')).toBe(`Bearer ${token}`);
  expect(JSON.parse((await stored(page, 'session')) ?? '')).toMatchObject({
    user: { userId: anna.userId, userName: anna.userName, role: ROLE.student, isAdmin: false },
  });
});

test('currentAttemptId names the attempt that was opened last, until it is finished', async ({
  page,
  school,
}) => {
  const { anna, testId } = await studentWithTest(school);
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  await expect(new Taking(page).timer).toBeVisible();
  expect(await stored(page, 'currentAttemptId')).toBe((await school.attempt(anna))?.id);

  await new Taking(page).finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  await expect.poll(() => stored(page, 'currentAttemptId')).toBeNull();
});

test('an expired sign-in warns, signs out and opens the sign-in with redirect_path', async ({
  page,
  school,
}) => {
  const { anna } = await studentWithTest(school);
  const warned = page.waitForEvent('console', (message) => message.type() === 'warning');
  await remember(page, school, await openSignIn(school, anna, 8));
  await page.goto(`${school.network.url}/tests/my`);
  await expect(page).toHaveURL(`${school.network.url}/login?redirect_path=%2Ftests%2Fmy`);
  expect((await warned).text()).toBe('Сессия окончена!');
  expect(await stored(page, 'token')).toBeNull();
  await expect(page.getByText('Срок входа истёк. Войдите снова')).toBeVisible();

  await new SignIn(page).signIn({ email: anna.email, password: PASSWORD });
  await expect(page).toHaveURL(`${school.network.url}/tests/my`);
});

test('a sign-in that expired while the app was closed ends at the opening', async ({
  page,
  school,
}) => {
  const anna = await school.person();
  const warned = page.waitForEvent('console', (message) => message.type() === 'warning');
  await remember(page, school, await openSignIn(school, anna, -60));
  await page.goto(`${school.network.url}/tests/my`);
  await expect(page).toHaveURL(`${school.network.url}/login?redirect_path=%2Ftests%2Fmy`);
  expect((await warned).text()).toBe('Сессия окончена!');
  expect(await stored(page, 'session')).toBeNull();
});

test('a 401 clears the session and opens the sign-in with redirect_path', async ({
  page,
  school,
}) => {
  const { anna } = await studentWithTest(school);
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/my`);
  await new Shell(page).testLink(TITLE).waitFor();
  await execute(school.pool, 'delete from sessions', []);
  await page.reload();
  await expect(page).toHaveURL(`${school.network.url}/login?redirect_path=%2Ftests%2Fmy`);
  expect(await stored(page, 'token')).toBeNull();
  expect(await stored(page, 'session')).toBeNull();
});

test('a sign-out removes the token and all stored data of the person, here and on the server', async ({
  page,
  school,
}) => {
  const { anna } = await studentWithTest(school);
  const { token } = await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/my`);
  const shell = new Shell(page);
  await shell.testLink(TITLE).click();
  await new Overview(page).start.waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await expect
    .poll(async () => placesWith(await everythingStored(page), TITLE))
    .toContainEqual(expect.stringContaining('cache content'));

  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(page).toHaveURL(`${school.network.url}/login`);
  await expect
    .poll(async () => {
      const everything = await everythingStored(page);
      return [TITLE, anna.userName, anna.email, token].flatMap((word) =>
        placesWith(everything, word),
      );
    })
    .toEqual([]);
  await expect
    .poll(async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${school.network.url}/api/user/me`, { headers })).status;
    })
    .toBe(401);

  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText(TITLE)).toBeHidden();
});

test('a sign-out in one tab signs out the other', async ({ page, context, school }) => {
  const { anna } = await studentWithTest(school);
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/my`);
  const other = await context.newPage();
  await other.goto(`${school.network.url}/tests`);
  await expect(other.getByRole('heading', { name: 'База тестов' })).toBeVisible();
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(other).toHaveURL(/\/login/);
});

test('broken records of a sign-in are logged and ignored, and the app opens', async ({
  page,
  school,
}) => {
  const { anna } = await studentWithTest(school);
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));

  const { token } = await signIn(page, school, anna);
  await page.evaluate(() => localStorage.setItem('session', '{"expiresAt":'));
  await page.goto(`${school.network.url}/tests/my`);
  await expect(new Shell(page).testLink(TITLE), 'the token still tells who it is').toBeVisible();
  expect(problems.join('\n')).toContain('Запись о входе не разобрать');
  expect(await stored(page, 'token')).toBe(token);

  await page.evaluate(() => localStorage.setItem('token', 'нет такого ключа'));
  await page.evaluate(() => localStorage.setItem('session', '[]'));
  await page.goto(`${school.network.url}/tests/my`);
  await expect(page).toHaveURL(/\/login/);
  await expect(new SignIn(page).submit).toBeVisible();
});
