import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { audit } from './audit.ts';
import { SignIn } from './pages/sign-in.ts';
import { expect, PASSWORD, test } from './test-school.ts';
import { openSignIn, pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.describe.configure({ mode: 'parallel' });

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

const dialog = (page: Page) => page.getByRole('dialog');
const button = (scope: Page | Locator, name: string | RegExp) =>
  scope.getByRole('button', { name }).filter({ visible: true });

const actOn = async (page: Page, name: string, action: string): Promise<void> => {
  await button(page, `Действия: ${name}`).click();
  await page.getByRole('menuitem', { name: action }).click();
};

/** The downloaded file after a click, as text. */
async function downloaded(page: Page, click: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return readFile(await file.path(), 'utf8');
}

/** Audits the screen at a phone's size. */
async function auditPhone(page: Page, name: string): Promise<void> {
  await page.setViewportSize(PHONE);
  await audit(page, test.info(), name);
  await page.setViewportSize(DESKTOP);
}

/** Unlike a dialog, a page reloads at a phone's size. */
async function auditBoth(page: Page, name: string): Promise<void> {
  await audit(page, test.info(), name);
  await auditPhone(page, name);
}

test.use({ viewport: DESKTOP });

test('an administrator finds people by the URL, changes a role, blocks at once, makes an account and resets a password', async ({
  page,
  school,
  browser,
}) => {
  const admin = await school.person({ role: ROLE.admin, userName: 'Главный Админ' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const boris = await school.person({ userName: 'Борис Осипов' });
  const student = await browser.newPage({ baseURL: school.network.url });
  await signIn(student, school, boris);
  await student.goto(`${school.network.url}/tests/my`);
  await expect(student.getByRole('heading', { level: 1 })).toBeVisible();

  await signIn(page, school, admin);
  await page.goto(`${school.network.url}/admin`);
  const row = (name: string) => page.getByRole('row', { name });
  await expect(row('Студент').first()).toBeVisible();
  await expect(row(boris.userName)).toContainText('Студент');
  await expect(row(`${admin.userName} (это вы)`)).toContainText('Администратор');
  await auditBoth(page, 'users');

  // A forbidden action stays and explains why.
  await button(page, `Действия: ${admin.userName}`).click();
  await expect(page.getByRole('menuitem', { name: 'Сбросить пароль' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expect(page.getByRole('menuitem', { name: 'Сбросить пароль' })).toContainText('«Профиль»');
  await page.keyboard.press('Escape');

  await page.getByRole('searchbox').fill('кузнец');
  await expect(row(boris.userName)).toHaveCount(0);
  await expect.poll(() => decodeURI(pathOf(page))).toBe('/admin?searchQuery=кузнец');
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue('кузнец');
  await expect(row(anna.userName)).toBeVisible();
  await page.goto(`${school.network.url}/admin/users?role=${ROLE.admin}`);
  await expect(row(admin.userName)).toBeVisible();
  await expect(row(anna.userName)).toHaveCount(0);
  await page.goto(`${school.network.url}/admin/users`);

  await actOn(page, boris.userName, 'Изменить роль');
  await expect(dialog(page)).toContainText('со следующего запроса');
  await dialog(page)
    .getByRole('radio', { name: /Преподаватель/ })
    .check();
  await auditPhone(page, 'role');
  await button(dialog(page), 'Изменить роль').click();
  await expect(row(boris.userName)).toContainText('Преподаватель');
  const classes = student.getByRole('link', { name: 'Классы' }).filter({ visible: true });
  await expect(classes).toHaveCount(0);
  await student.reload();
  await expect(classes).toBeVisible();

  await actOn(page, boris.userName, 'Заблокировать');
  await expect(dialog(page)).toContainText('останутся на устройствах');
  await button(dialog(page), 'Заблокировать').click();
  await expect(row(boris.userName)).toContainText('Заблокирована');
  await student.getByRole('link', { name: 'База тестов' }).filter({ visible: true }).click();
  await expect.poll(() => new URL(student.url()).pathname).toBe('/login');
  const blocked = student.getByText('Учётная запись заблокирована');
  await expect(blocked).toHaveCount(1);
  await new SignIn(student).signIn({ email: boris.email, password: PASSWORD });
  await expect(blocked).toHaveCount(2);
  await actOn(page, boris.userName, 'Разблокировать');
  await expect(row(boris.userName)).toContainText('Действует');

  await button(page, 'Новый пользователь').click();
  await button(dialog(page), 'Создать').click();
  await expect(dialog(page)).toContainText('Пожалуйста, введите почту');
  await dialog(page).getByLabel('Имя (логин)').fill('Вера Новикова');
  await dialog(page).getByLabel('Почта').fill(anna.email);
  await button(dialog(page), 'Создать').click();
  await expect(dialog(page)).toContainText(/почта/);
  await expect(dialog(page).getByLabel('Почта')).toBeFocused();
  await dialog(page).getByLabel('Почта').fill('vera@school.test');
  await auditPhone(page, 'new-user');
  await button(dialog(page), 'Создать').click();
  await expect(dialog(page)).toContainText('Пароль виден только сейчас');
  await auditPhone(page, 'made-password');
  const secret = dialog(page).getByRole('definition').last();
  const made = await secret.innerText();
  await button(dialog(page), 'Готово').click();
  await student.goto(`${school.network.url}/login`);
  await new SignIn(student).signIn({ email: 'vera@school.test', password: made });
  await expect.poll(() => new URL(student.url()).pathname).toBe('/');

  await actOn(page, 'Вера Новикова', 'Сбросить пароль');
  await button(dialog(page), 'Сбросить').click();
  await expect(dialog(page)).toContainText('Пароль виден только сейчас');
  expect(await secret.innerText()).not.toBe(made);
  await button(dialog(page), 'Готово').click();

  await actOn(page, 'Вера Новикова', 'Стереть учётную запись');
  await dialog(page).getByLabel('Чтобы подтвердить').fill('Вера');
  await button(dialog(page), 'Стереть навсегда').click();
  await expect(dialog(page)).toContainText('Имя не совпадает');
  await dialog(page).getByLabel('Чтобы подтвердить').fill('вера новикова');
  await auditPhone(page, 'erase');
  await button(dialog(page), 'Стереть навсегда').click();
  await expect(row('Вера Новикова')).toHaveCount(0);
  await student.close();
});

test('what a teacher left waits in the archive, and passes to a successor', async ({
  page,
  school,
}) => {
  const admin = await school.person({ role: ROLE.admin, userName: 'Главный Админ' });
  const teacher = await school.person({ role: ROLE.teacher, userName: 'Ольга Зимина' });
  await school.person({ role: ROLE.teacher, userName: 'Ирина Белова' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  await school.test(teacher, { students: [anna] });
  await signIn(page, school, admin);
  await page.goto(`${school.network.url}/admin/users`);

  await actOn(page, 'Ольга Зимина', 'Стереть учётную запись');
  await expect(dialog(page)).toContainText('Здесь: 1 тест');
  await auditPhone(page, 'erase-teacher');
  await dialog(page).getByText('Убрать в архив').click();
  await dialog(page).getByLabel('Чтобы подтвердить').fill('Ольга Зимина');
  await button(dialog(page), 'Стереть навсегда').click();
  await expect(page.getByText('Учётная запись и её данные стёрты')).toBeVisible();

  await page.goto(`${school.network.url}/admin/users?state=erased`);
  await actOn(page, 'Удалённый пользователь', 'Передать тесты и классы');
  await auditPhone(page, 'pass-teaching');
  await button(dialog(page), 'Передать').click();
  await expect(dialog(page)).toContainText('Выберите, кому передать');
  await dialog(page).getByLabel('Кому').selectOption('Ирина Белова');
  await button(dialog(page), 'Передать').click();
  await expect(page.getByText(/^Передано: 1 тест.*Теперь владеет Ирина Белова$/)).toBeVisible();
  await expect(page.getByText('Никого не нашлось')).toBeVisible();
});

test('people are imported from a CSV with passwords, the log shows it, and the admin edits the own profile', async ({
  page,
  school,
}) => {
  const admin = await school.person({ role: ROLE.admin, userName: 'Главный Админ' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  await signIn(page, school, admin);
  await page.goto(`${school.network.url}/admin/users`);
  await button(page, 'Импорт из таблицы').click();
  await auditPhone(page, 'import');
  const give = (text: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'люди.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

  await give('Кто;Куда писать\nЛев Сомов;lev@school.test\n');
  await expect(page.getByText('Не найдены столбцы «Имя» и «Почта»')).toBeVisible();
  await auditBoth(page, 'import-columns');
  await page.getByLabel('Имя', { exact: true }).selectOption('0');
  await page.getByLabel('Почта', { exact: true }).selectOption('1');
  await page.getByRole('checkbox').check();
  await button(page, 'Проверить строки').click();
  await expect(page.getByText('1 можно создать')).toBeVisible();
  await button(page, 'Другой файл').click();

  const people = Array.from({ length: 27 }, (_, n) => `Новый Человек ${n};new${n}@school.test;;`);
  const rows = [
    'ФИО;E-mail;Роль;Пароль',
    ...people,
    `Анна;${anna.email};;`,
    '=Иван;плохая;;',
    'Пётр;new1@school.test;;',
  ];
  await give(rows.join('\r\n'));
  await expect(page.getByText('27 можно создать, 1 уже есть, 2 с ошибками')).toBeVisible();
  await page.getByLabel('Только с ошибками').check();
  await expect(page.getByText('Такая почта уже есть в строке 3')).toBeVisible();
  await auditBoth(page, 'import-errors');
  await button(page, 'Создать 27 учётных записей').click();
  // Passwords are hashed slowly on purpose, and more slowly on a busy machine.
  const end = page.getByText('27 создано, 1 уже было, 2 с ошибками');
  await expect(end).toBeVisible();
  await auditPhone(page, 'import-done');
  await button(page, 'К списку пользователей').last().click();
  await expect(dialog(page)).toContainText('Уйти без файла с паролями?');
  await button(dialog(page), 'Остаться').click();
  const made = await downloaded(page, () => button(page, 'Скачать созданных').click());
  expect(made.trim().split('\r\n')).toHaveLength(28);
  expect(made).toMatch(
    /^\ufeffИмя;Почта;Роль;Класс;Пароль\r\nНовый Человек 0;new0@school\.test;Студент;;\S+\r\n/,
  );
  const failed = await downloaded(page, () => button(page, 'Скачать строки').click());
  expect(failed).toContain("'=Иван;плохая");
  await button(page, 'К списку пользователей').last().click();
  await expect(button(page, 'Новый пользователь')).toBeVisible();

  await page.goto(`${school.network.url}/admin/audit`);
  const log = page.getByRole('row', { name: /Импорт учётных записей/ });
  await expect(log.first()).toContainText(admin.userName);
  await auditBoth(page, 'audit');
  const person = page.getByRole('combobox', { name: 'Человек' });
  await person.fill(admin.userName);
  await page.getByRole('option', { name: admin.userName }).click();
  await page.getByLabel('С', { exact: true }).fill('2020-01-01T00:00');
  await page.getByLabel('По', { exact: true }).fill('2099-01-01T00:00');
  await expect(page).toHaveURL(/personId=.*from=2020-01-01T00%3A00.*to=2099/);
  await page.reload();
  await expect(person).toHaveValue(admin.userName);
  await expect(page.getByLabel('По', { exact: true })).toHaveValue('2099-01-01T00:00');
  await expect(log.first()).toContainText(admin.userName);
  await auditBoth(page, 'audit-filtered');
  const acts = await downloaded(page, () => button(page, 'Скачать CSV').click());
  expect(acts).toMatch(/^\ufeffКогда;В последний раз;Раз;Действие;/);
  expect(acts).toContain('Импорт учётных записей');
  await page.goto(`${school.network.url}/admin/audit?act=userErased`);
  await expect(page.getByText('Ничего не нашлось')).toBeVisible();

  await openSignIn(school, admin);
  await openSignIn(school, admin);
  await page.goto(`${school.network.url}/profile`);
  await page.getByLabel('Имя (логин)').fill('Админ Новый');
  await button(page, 'Сохранить имя').click();
  await expect(page.getByText('Имя изменено')).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Админ Новый');
  await page.reload();
  await expect(page.getByRole('banner')).toContainText('Админ Новый');
  const signIns = page.getByRole('region', { name: 'Входы на устройствах' }).getByRole('listitem');
  await expect(signIns).toHaveCount(3);
  await auditBoth(page, 'profile');
  await button(signIns.nth(1), /^Завершить вход/).click();
  await expect(signIns).toHaveCount(2);
  await button(page, 'Завершить все остальные входы').click();
  await button(dialog(page), 'Завершить').click();
  await expect(signIns).toHaveCount(1);
  await expect(signIns).toContainText('Это устройство');
  const own = await downloaded(page, () => button(page, 'Скачать мои данные').click());
  expect(own.slice(0, 2)).toBe('PK');
  await page.getByLabel('Нынешний пароль').fill('Wrong2026');
  await page.getByLabel('Новый пароль', { exact: true }).fill('klass');
  await page.getByLabel('Новый пароль ещё раз').fill('klass');
  await button(page, 'Изменить пароль').click();
  await expect(page.getByText('Пароль должен быть не менее 6 символов')).toBeVisible();
  await page.getByLabel('Новый пароль', { exact: true }).fill('Parol-2027-dlinny');
  await page.getByLabel('Новый пароль ещё раз').fill('Parol-2027-dlinny');
  await button(page, 'Изменить пароль').click();
  await expect(page.getByText('Нынешний пароль не подошёл')).toBeVisible();
  await page.getByLabel('Нынешний пароль').fill(PASSWORD);
  await button(page, 'Изменить пароль').click();
  await expect(page.getByText('Пароль изменён')).toBeVisible();
  await button(page, 'Стереть учётную запись').click();
  await expect(dialog(page)).toContainText('Вернуть стёртое нельзя');
  await auditPhone(page, 'erase-own');
});
