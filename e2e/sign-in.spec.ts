import type { Page } from '@playwright/test';
import { expect, PASSWORD, test, type Person } from './test-school.ts';
import { pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });

const NEEDED_EMAIL = 'Пожалуйста, введите почту';
const WRONG_EMAIL = 'Неверный формат электронной почты';
const NEEDED_PASSWORD = 'Пожалуйста, введите пароль';

const email = (page: Page) => page.getByLabel('Почта');
const password = (page: Page) => page.getByRole('textbox', { name: 'Пароль' });
const submit = (page: Page) => page.getByRole('button', { name: 'Войти' });

async function enter(page: Page, person: Person, secret = PASSWORD): Promise<void> {
  await email(page).fill(person.email);
  await password(page).fill(secret);
  await submit(page).click();
}

test('sign-in requires e-mail and password by name, and focuses the first wrong field', async ({
  page,
  school,
}) => {
  await page.goto(`${school.network.url}/login`);
  await submit(page).click();
  await expect(page.getByText(NEEDED_EMAIL, { exact: true })).toBeVisible();
  await expect(page.getByText(NEEDED_PASSWORD, { exact: true })).toBeVisible();
  await expect(email(page)).toBeFocused();
  await expect(email(page)).toHaveAttribute('aria-invalid', 'true');

  await email(page).fill('анна');
  await expect(page.getByText(WRONG_EMAIL, { exact: true })).toBeVisible();
  await email(page).fill('anna@school.test');
  await expect(page.getByText(WRONG_EMAIL)).toBeHidden();
  await submit(page).click();
  await expect(password(page)).toBeFocused();
  await password(page).fill('x');
  await expect(page.getByText(NEEDED_PASSWORD)).toBeHidden();
});

/** Holds the app's scripts back until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('the app takes the place of the painted sign-in without a jump', async ({ page, school }) => {
  for (const [width, height] of [
    [360, 740],
    [820, 1180],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    const release = await holdScripts(page);
    await page.goto(`${school.network.url}/login`, { waitUntil: 'commit' });
    const places = () =>
      Promise.all(
        [
          page.getByRole('heading', { level: 1 }),
          email(page),
          password(page),
          submit(page),
          page.getByRole('link', { name: 'Зарегистрироваться' }),
        ].map((part) => part.boundingBox()),
      );
    await expect(submit(page)).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const before = await places();
    release();
    await expect(page.locator('#painted')).toHaveCount(0);
    expect(await places(), `at ${width} px`).toEqual(before);
    await page.unroute('**/assets/*.js');
  }
});

test('the sign-in is there before the script: what is typed and sent then signs in', async ({
  page,
  school,
}) => {
  const student = await school.person();
  const release = await holdScripts(page);
  await page.goto(`${school.network.url}/login?redirect_path=/profile`, { waitUntil: 'commit' });
  await expect(page).toHaveTitle('Вход · Учебная платформа');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Вход');
  await expect(page.getByText('Загружаем…')).toBeHidden();
  await page.getByRole('button', { name: 'Показать пароль' }).click();
  await email(page).fill(student.email);
  await password(page).fill(PASSWORD);
  await password(page).press('Enter');
  // Nothing is sent by the page itself: the address would have the password.
  expect(new URL(page.url()).search).toBe('?redirect_path=/profile');
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'Профиль' })).toBeVisible();
  await expect(page.locator('#painted')).toHaveCount(0);

  // Not shown to those who have signed in.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto(`${school.network.url}/login`);
  await expect(page.getByText('Загружаем…')).toBeVisible();
  await expect(page.locator('#painted')).toHaveCount(0);
});

test('a field is checked on leaving it, not while it is first typed', async ({ page, school }) => {
  await page.goto(`${school.network.url}/login`);
  await email(page).pressSequentially('anna@');
  await expect(page.getByText(WRONG_EMAIL)).toBeHidden();
  await email(page).press('Tab');
  await expect(page.getByText(WRONG_EMAIL, { exact: true })).toBeVisible();
});

test('a field left on the page painted before the script is checked by the app', async ({
  page,
  school,
}) => {
  const release = await holdScripts(page);
  await page.goto(`${school.network.url}/login`, { waitUntil: 'commit' });
  await email(page).pressSequentially('anna@');
  await email(page).press('Tab');
  release();
  await expect(page.locator('#painted')).toHaveCount(0);
  await expect(password(page)).toBeFocused();
  await expect(page.getByText(WRONG_EMAIL, { exact: true })).toBeVisible();
});

test('registration shows the specified message at each invalid field', async ({ page, school }) => {
  await page.goto(`${school.network.url}/registration`);
  const register = page.getByRole('button', { name: 'Зарегистрироваться' });
  const name = page.getByLabel('Имя и фамилия');
  await expect(password(page)).toHaveAccessibleDescription(/легко угадать, сайт не примет/);
  await register.click();
  for (const words of ['Пожалуйста, введите логин', NEEDED_EMAIL, NEEDED_PASSWORD]) {
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  }
  await expect(name).toBeFocused();

  await name.fill('Анна');
  await email(page).fill('anna@school');
  await expect(page.getByText(WRONG_EMAIL, { exact: true })).toBeVisible();
  await email(page).fill('anna@school.test');
  await register.click();
  await expect(password(page)).toBeFocused();
  for (const [secret, words] of [
    ['Ab1', 'Пароль должен быть не менее 6 символов'],
    ['abcdef1', 'Пароль должен содержать хотя бы одну заглавную букву'],
    ['АБВГДе1', 'Пароль должен содержать хотя бы одну заглавную букву'],
    ['Abcdefg', 'Пароль должен содержать хотя бы одну цифру'],
  ] as const) {
    await password(page).fill(secret);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  }
  await password(page).fill('Kolokol26');
  await register.click();
  await expect(page).toHaveURL(`${school.network.url}/`);
  await expect(page.getByRole('heading', { name: 'Учебная платформа' })).toBeVisible();
});

test('an e-mail in use is reported at its field', async ({ page, school }) => {
  const anna = await school.person();
  await page.goto(`${school.network.url}/registration`);
  await page.getByLabel('Имя и фамилия').fill('Анна');
  await email(page).fill(anna.email.toUpperCase());
  await password(page).fill('Kolokol26');
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click();
  const words = 'Эта почта уже зарегистрирована. Войдите или укажите другую';
  await expect(page.getByText(words)).toBeVisible();
  await expect(email(page)).toBeFocused();
  await expect(email(page)).toHaveAccessibleDescription(new RegExp(words));
});

test('the password can be shown and hidden again on both screens', async ({ page, school }) => {
  for (const screen of ['/login', '/registration']) {
    await page.goto(`${school.network.url}${screen}`);
    await password(page).fill('Kolokol26');
    await expect(password(page)).toHaveAttribute('type', 'password');
    const toggle = page.getByRole('button', { name: 'Показать пароль' });
    await expect(toggle).toHaveAttribute('aria-pressed', 'false');
    await toggle.click();
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    await expect(password(page)).toHaveAttribute('type', 'text');
    await expect(password(page)).toHaveValue('Kolokol26');
    await toggle.click();
    await expect(password(page)).toHaveAttribute('type', 'password');
  }
});

test('a wrong password is reported without blame, and the form can be sent again', async ({
  page,
  school,
}) => {
  const anna = await school.person();
  await page.goto(`${school.network.url}/login`);
  await enter(page, anna, 'Podsnezhnik4');
  await expect(page.getByRole('alert')).toHaveText('Почта или пароль не подошли');
  await expect(page).toHaveURL(`${school.network.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await enter(page, anna);
  await expect(page).toHaveURL(`${school.network.url}/`);
});

test('sign-in without the server says so and retains the typed text', async ({ page, school }) => {
  const anna = await school.person();
  await page.goto(`${school.network.url}/login`);
  await expect(email(page)).toBeVisible();
  school.network.rule = () => 'loseRequest';
  await enter(page, anna);
  await expect(page.getByRole('alert')).toHaveText(
    'Сервер не отвечает. Проверьте сеть и повторите',
  );
  await expect(email(page)).toHaveValue(anna.email);
  school.network.rule = () => 'deliver';
  await submit(page).click();
  await expect(page).toHaveURL(`${school.network.url}/`);
});

test('a deep link opens after the required sign-in', async ({ page, school }) => {
  const teacher = await school.person({ role: 2, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const testId = await school.test(teacher, { students: [anna] });
  const deep = `/tests/${testId}/overview?from=mail`;
  await page.goto(`${school.network.url}${deep}`);
  await expect(page).toHaveURL(
    `${school.network.url}/login?redirect_path=${encodeURIComponent(deep)}`,
  );
  await page.getByRole('link', { name: 'Зарегистрироваться' }).click();
  await page.getByRole('link', { name: 'Войти' }).click();
  await enter(page, anna);
  await expect(page).toHaveURL(`${school.network.url}${deep}`);
  await expect(page.getByRole('heading', { name: 'Законы Ньютона' })).toBeVisible();
  await page.goBack();
  expect(pathOf(page)).not.toContain('/login');
});

test('after the sign-in a redirect_path that leads elsewhere leads home', async ({
  page,
  school,
}) => {
  const anna = await school.person();
  for (const foreign of [
    'https://evil.example/',
    '//evil.example/tests',
    '/\\evil.example',
    '/..//evil.example',
    'javascript:alert(1)',
    '/login',
  ]) {
    await page.goto(`${school.network.url}/login?redirect_path=${encodeURIComponent(foreign)}`);
    await enter(page, anna);
    await expect(page, foreign).toHaveURL(`${school.network.url}/`);
    await page.evaluate(() => localStorage.clear());
  }
});

test('visitors without a session get the sign-in with redirect_path', async ({ page, school }) => {
  for (const path of ['/', '/tests', '/tests/my', '/tests/1/results', '/tests/1']) {
    await page.goto(`${school.network.url}${path}`);
    await expect(page).toHaveURL(
      `${school.network.url}/login?redirect_path=${encodeURIComponent(path)}`,
    );
  }
});

test('signed-in visitors of the sign-in and registration screens are sent home, which shows only a title', async ({
  page,
  school,
}) => {
  await signIn(page, school, await school.person());
  for (const path of ['/login', '/registration', '/login?redirect_path=%2Ftests%2Fmy']) {
    await page.goto(`${school.network.url}${path}`);
    await expect(page).toHaveURL(`${school.network.url}/`);
  }
  const main = page.getByRole('main');
  await expect(main.getByRole('heading')).toHaveText(['Учебная платформа']);
  await expect(main).toHaveText('Учебная платформа');
});

for (const [who, signedIn] of [
  ['with a session', true],
  ['without a session', false],
] as const) {
  test(`an unknown path ${who} says so, counts three seconds and goes home`, async ({
    page,
    school,
  }) => {
    if (signedIn) await signIn(page, school, await school.person());
    // The page's time stands still: a busy machine would miss a second.
    const now = Date.now();
    await page.clock.install({ time: now });
    await page.clock.pauseAt(now + 1_000);
    await page.goto(`${school.network.url}/no/such/page`);
    await expect(async () => {
      await page.clock.runFor(20);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible({ timeout: 20 });
    }).toPass();
    await expect(page.getByRole('heading', { name: 'Страница не найдена!' })).toBeVisible();
    for (const left of ['3 секунды', '2 секунды', '1 секунду']) {
      await expect(page.getByText(`Откроем главную через ${left}`)).toBeVisible();
      expect(pathOf(page)).toBe('/no/such/page');
      await page.clock.runFor(1_000);
    }
    await expect(page).toHaveURL(
      signedIn ? `${school.network.url}/` : `${school.network.url}/login?redirect_path=%2F`,
    );
  });
}
