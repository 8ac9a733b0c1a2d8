import type { Locator, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { audit } from './audit.ts';
import { SignIn } from './pages/sign-in.ts';
import { expect, PASSWORD, test, type Person, type TestSchool } from './test-school.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.describe.configure({ mode: 'parallel' });

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };
test.use({ viewport: DESKTOP });

const dialog = (page: Page) => page.getByRole('dialog');
const button = (scope: Page | Locator, name: string | RegExp) =>
  scope.getByRole('button', { name }).filter({ visible: true });
const section = (page: Page) => page.getByRole('region', { name: 'Вход в два шага' });

async function auditPhone(page: Page, name: string): Promise<void> {
  await page.setViewportSize(PHONE);
  await audit(page, test.info(), name);
  await page.setViewportSize(DESKTOP);
}

/** A virtual authenticator with a user who always consents. */
async function giveAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function enter(page: Page, school: TestSchool, person: Person): Promise<void> {
  await page.goto(`${school.network.url}/login`);
  await new SignIn(page).signIn({ email: person.email, password: PASSWORD });
}

const pathOf = (page: Page) => new URL(page.url()).pathname;

async function signOut(page: Page): Promise<void> {
  await button(page.getByRole('complementary'), 'Выйти').click();
  await expect.poll(() => pathOf(page)).toBe('/login');
}

/** As if the person had signed in long ago. */
const age = (school: TestSchool, { userId }: Person) =>
  execute(
    school.pool,
    `update sessions set confirmed_at = now() - interval '6 minutes' where user_id = $1`,
    [userId],
  );

/** The app's code of the next half minute: the present one may be used already. */
const nextCode = (secret: string) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + 30_000 });

test('a passkey is created, signs in after the password, and confirms the erasure of an account', async ({
  page,
  school,
}) => {
  const admin = await school.person({ role: ROLE.admin, userName: 'Главный Админ' });
  const boris = await school.person({ userName: 'Борис Осипов' });
  await giveAuthenticator(page);
  await enter(page, school, admin);
  await expect.poll(() => pathOf(page)).toBe('/');
  await page.goto(`${school.network.url}/profile`);
  await expect(section(page)).toContainText('Сейчас для входа хватает пароля');
  await auditPhone(page, 'factor-none');
  await button(section(page), 'Добавить ключ входа').click();
  await button(dialog(page), 'Создать ключ').click();
  await expect(dialog(page)).toContainText('Назовите ключ');
  await auditPhone(page, 'passkey-form');
  await dialog(page).getByLabel('Название').fill('Рабочий ноутбук');
  await button(dialog(page), 'Создать ключ').click();
  await expect(dialog(page)).toContainText('Коды видны только сейчас');
  await expect(dialog(page).getByRole('listitem')).toHaveCount(10);
  await auditPhone(page, 'recovery-codes');
  await button(dialog(page), 'Коды сохранены').click();
  await expect(section(page)).toContainText('Ключ входа «Рабочий ноутбук»');
  await expect(section(page)).toContainText('Осталось кодов восстановления: 10');

  await signOut(page);
  await new SignIn(page).signIn({ email: admin.email, password: PASSWORD });
  await expect(page.getByText('Пароль подошёл. Остался второй шаг.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await expect(button(page, 'Использовать ключ входа')).toBeFocused();
  await auditPhone(page, 'second-step-passkey');
  await button(page, 'Использовать ключ входа').click();
  await expect.poll(() => pathOf(page)).toBe('/');

  await age(school, admin);
  await page.goto(`${school.network.url}/admin/users`);
  await button(page, `Действия: ${boris.userName}`).click();
  await page.getByRole('menuitem', { name: 'Стереть учётную запись' }).click();
  await dialog(page).getByLabel('Чтобы подтвердить').fill(boris.userName);
  await button(dialog(page), 'Стереть навсегда').click();
  const confirmation = page.getByRole('dialog', { name: 'Подтвердите, что это вы' });
  await expect(confirmation).toBeVisible();
  await auditPhone(page, 'confirmation');
  // Without a proof nothing happens, and the form stays unchanged.
  await button(confirmation, 'Закрыть').click();
  await expect(dialog(page)).toContainText('Ничего не изменено');
  await button(dialog(page), 'Стереть навсегда').click();
  await button(confirmation, 'Использовать ключ входа').click();
  await expect(page.getByRole('row', { name: new RegExp(boris.userName) })).toHaveCount(0);
  await expect(page.getByText('Учётная запись и её данные стёрты')).toBeVisible();
});

test('where the school requires it, a teacher sets an app up before anything else, and signs in with its codes or a recovery code', async ({
  page,
  school,
  browser,
}) => {
  const admin = await school.person({ role: ROLE.admin, userName: 'Главный Админ' });
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  await enter(page, school, admin);
  await expect.poll(() => pathOf(page)).toBe('/');
  await age(school, admin);
  await page.goto(`${school.network.url}/admin/users`);
  await button(page, 'Вход в два шага').click();
  await dialog(page).getByLabel('Обязателен для преподавателей').check();
  await auditPhone(page, 'factor-requirements');
  await button(dialog(page), 'Сохранить').click();
  const confirmation = page.getByRole('dialog', { name: 'Подтвердите, что это вы' });
  await confirmation.getByRole('textbox', { name: 'Ваш пароль' }).fill('Podsnezhnik4');
  await button(confirmation, 'Подтвердить').click();
  await expect(confirmation).toContainText('Нынешний пароль не подошёл');
  await confirmation.getByRole('textbox', { name: 'Ваш пароль' }).fill(PASSWORD);
  await button(confirmation, 'Подтвердить').click();
  await expect(page.getByText('Требования ко входу сохранены')).toBeVisible();

  const desk = await browser.newPage({ baseURL: school.network.url, viewport: DESKTOP });
  await enter(desk, school, teacher);
  await expect.poll(() => pathOf(desk)).toBe('/profile');
  await expect(section(desk)).toContainText('Школа требует вход в два шага');
  await desk.goto(`${school.network.url}/tests/my/created`);
  await expect.poll(() => pathOf(desk)).toBe('/profile');
  await button(section(desk), 'Добавить приложение с кодами').click();
  const secret = (await dialog(desk).locator('code').innerText()).replaceAll(' ', '');
  await expect(dialog(desk).getByRole('img', { name: /QR-код/ })).toBeVisible();
  const code = dialog(desk).getByLabel('Код из приложения');
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code).toHaveAttribute('inputmode', 'numeric');
  await code.fill('12');
  await button(dialog(desk), 'Включить').click();
  await expect(dialog(desk)).toContainText('В коде шесть цифр');
  await expect(code).toBeFocused();
  await auditPhone(desk, 'totp-setup');
  await code.fill(TOTP.generate({ secret: Secret.fromBase32(secret) }));
  await button(dialog(desk), 'Включить').click();
  await expect(dialog(desk)).toContainText('Коды видны только сейчас');
  const recovery = await dialog(desk).getByRole('listitem').first().innerText();
  await button(dialog(desk), 'Коды сохранены').click();
  await expect(section(desk)).toContainText('Вход в два шага включён');
  await audit(desk, test.info(), 'factor-set-up');
  await desk.goto(`${school.network.url}/tests/my/created`);
  await expect(desk.getByRole('heading', { level: 1 })).toBeVisible();
  expect(pathOf(desk)).toBe('/tests/my/created');

  await signOut(desk);
  await new SignIn(desk).signIn({ email: teacher.email, password: PASSWORD });
  const field = desk.getByLabel('Код из приложения');
  await expect(field).toBeFocused();
  await field.fill('000000');
  await field.press('Enter');
  await expect(desk.getByText('Код не подошёл. Дождитесь в приложении следующего')).toBeVisible();
  await expect(field).toBeFocused();
  await auditPhone(desk, 'second-step-code');
  await field.fill(nextCode(secret));
  await field.press('Enter');
  await expect.poll(() => pathOf(desk)).not.toBe('/login');

  await signOut(desk);
  await new SignIn(desk).signIn({ email: teacher.email, password: PASSWORD });
  await button(desk, 'Ввести код восстановления').click();
  await expect(desk.getByLabel('Код восстановления')).toBeFocused();
  await auditPhone(desk, 'second-step-recovery');
  await desk.getByLabel('Код восстановления').fill(recovery.toLowerCase());
  await button(desk, 'Войти').click();
  await expect.poll(() => pathOf(desk)).not.toBe('/login');
  await desk.goto(`${school.network.url}/profile`);
  await expect(section(desk)).toContainText('Осталось кодов восстановления: 9');
});
