import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { execute, one } from '#server/db/query.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { audit } from './audit.ts';
import { pressRussian, tabTo } from './keys.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { expect, PASSWORD, test, type Person, type TestSchool } from './test-school.ts';
import { pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.describe.configure({ mode: 'parallel' });

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).filter({ visible: true });
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name }).filter({ visible: true }).first();

interface Class {
  teacher: Person;
  groupId: string;
  code: string;
}

/** A class with a code, created by SQL, with students who joined by it. */
async function openClass(
  school: TestSchool,
  students: readonly Person[] = [],
  name = '9А',
): Promise<Class> {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const code = 'HK4M7TX2';
  const group = await one<{ id: string }>(
    school.pool,
    `insert into groups (id, name, owner_id, join_code, created_at)
     values (gen_random_uuid(), $1, $2, $3, now()) returning id`,
    [name, teacher.userId, code],
  );
  if (!group) throw new Error('no class');
  await execute(
    school.pool,
    `insert into group_members (group_id, user_id, via) select $1, unnest($2::uuid[]), 'code'`,
    [group.id, students.map(({ userId }) => userId)],
  );
  return { teacher, groupId: group.id, code };
}

const memberNames = (page: Page) =>
  page.getByRole('region', { name: 'Ученики' }).getByRole('listitem');

const actOn = async (page: Page, label: string, action: string): Promise<void> => {
  await button(page, label).click();
  await page.getByRole('menuitem', { name: action }).click();
};

/** Opens a new page where nobody is signed in. */
const stranger = async (page: Page): Promise<Page> => {
  const context = await page.context().browser()?.newContext({ locale: 'ru-RU' });
  if (!context) throw new Error('no browser');
  return context.newPage();
};

/** Stubs the print dialog, which a test cannot close. */
const printAtOnce = (page: Page) =>
  page.addInitScript(() => {
    window.print = () => void window.dispatchEvent(new Event('afterprint'));
  });

for (const [width, height] of firstUnlessWhole([
  [360, 740],
  [1280, 800],
] as const)) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024 });

    test('a teacher creates a class, fills it, shows its code, renames and deletes it: every step is accessible and fits', async ({
      page,
      school,
    }, info) => {
      const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
      const newcomer = await school.person({ userName: 'Ёлкин Лев' });
      await school.person({ userName: 'Яковлева Ксения' });
      await printAtOnce(page);
      await signIn(page, school, teacher);
      await page.goto(`${school.network.url}/groups`);
      await heading(page, 'Пока нет ни одного класса').waitFor();
      await audit(page, info, 'groups-empty');

      await button(page, 'Создать класс').click();
      await dialog(page).getByRole('button', { name: 'Создать класс' }).click();
      await expect(dialog(page).getByText('Введите название класса')).toBeVisible();
      await expect(dialog(page).getByLabel('Название класса')).toBeFocused();
      await audit(page, info, 'group-create');
      await dialog(page).getByLabel('Название класса').fill('9А');
      await dialog(page).getByRole('button', { name: 'Создать класс' }).click();
      await heading(page, '9А').waitFor();
      await heading(page, 'В классе пока никого').waitFor();
      await page.getByRole('img', { name: /QR-код/ }).waitFor();
      await audit(page, info, 'group-empty');

      await button(page, 'Без почты, списком').click();
      const list = dialog(page).getByLabel('Фамилии и имена, по одному в строке');
      await dialog(page).getByRole('button', { name: 'Проверить список' }).click();
      await expect(dialog(page).getByText('Введите хотя бы одно имя')).toBeVisible();
      await list.fill('в'.repeat(300));
      await dialog(page).getByRole('button', { name: 'Проверить список' }).click();
      await expect(dialog(page).getByText('Строка 1: Имя не длиннее 100 символов')).toBeVisible();
      await expect(list).toBeFocused();
      await audit(page, info, 'students-list');
      await list.fill(
        '1. Иванова Мария\n\n\u202eПетров\tПётр\n<b>Иванова</b> Мария\nиванова мария\n',
      );
      await dialog(page).getByRole('button', { name: 'Проверить список' }).click();
      const preview = dialog(page).getByRole('group', { name: 'Будут созданы' });
      await expect(preview.locator('td:first-child, li > div')).toHaveText([
        'Иванова Мария',
        'Петров Пётр',
        '<b>Иванова</b> Мария',
        /^иванова мария.*отдельная учётная запись$/,
      ]);
      await audit(page, info, 'students-preview');
      await dialog(page).getByRole('button', { name: 'Создать 4 учётные записи' }).click();
      await heading(page, '4 карточки для входа').waitFor();
      await expect(page.getByText('Пароли есть только на этой странице')).toBeVisible();
      await audit(page, info, 'students-cards');
      await button(page, 'К списку класса').click();
      await expect(dialog(page)).toContainText('Уйти, не напечатав карточки?');
      await audit(page, info, 'students-leave');
      await dialog(page).getByRole('button', { name: 'Остаться' }).click();
      await button(page, 'Напечатать карточки').click();
      await button(page, 'К списку класса').click();

      await button(page, 'Выбрать из школы').click();
      await dialog(page).getByLabel('Найти по имени').fill('елкин');
      await dialog(page).getByLabel(newcomer.userName).check();
      await dialog(page).getByRole('button', { name: 'Готово' }).click();
      await expect(memberNames(page)).toHaveText([
        /^<b>Иванова<\/b> Мария/,
        /^Ёлкин Лев/,
        /^иванова мария/i,
        /^иванова мария/i,
        /^Петров Пётр/,
      ]);
      await audit(page, info, 'group');
      await actOn(page, 'Действия: Петров Пётр', 'Убрать из класса');
      await audit(page, info, 'member-remove');
      await dialog(page).getByRole('button', { name: 'Убрать', exact: true }).click();
      await expect(memberNames(page)).toHaveCount(4);

      await button(page, 'На весь экран').click();
      await expect(heading(page, 'Вступите в класс 9А')).toBeVisible();
      await dialog(page)
        .getByRole('img', { name: /QR-код/ })
        .waitFor();
      await audit(page, info, 'join-board');
      await page.keyboard.press('Escape');
      const panel = page.getByRole('region', { name: 'Вступление по коду' });
      const shown = panel.getByText(/^[CHKMPTX2-9]{4}-[CHKMPTX2-9]{4}$/);
      const first = (await shown.textContent()) ?? '';
      await button(page, 'Новый код').click();
      await dialog(page).getByRole('button', { name: 'Новый код' }).click();
      await expect(shown).not.toHaveText(first);
      await button(page, 'Выключить').click();
      await dialog(page).getByRole('button', { name: 'Выключить', exact: true }).click();
      await expect(panel).toContainText('Вступление по коду выключено');
      await button(page, 'Включить').click();
      await expect(shown).toBeVisible();

      const testId = await school.test(teacher, { students: [] });
      await execute(
        school.pool,
        `insert into assignments (id, test_id, group_id, created_at)
         select gen_random_uuid(), $1, id, now() from groups`,
        [testId],
      );
      await page.reload();
      await actOn(page, 'Действия с классом', 'Переименовать');
      await dialog(page).getByLabel('Название класса').fill('10А');
      await dialog(page).getByRole('button', { name: 'Сохранить' }).click();
      await heading(page, '10А').waitFor();
      await page.goto(`${school.network.url}/groups`);
      await page.getByRole('link', { name: '10А' }).waitFor();
      await audit(page, info, 'groups');
      await page.getByRole('link', { name: '10А' }).click();
      await actOn(page, 'Действия с классом', 'Удалить класс');
      await expect(dialog(page)).toContainText('Назначения классу пропадут: 1 тест.');
      await expect(dialog(page)).toContainText('результаты останутся');
      await audit(page, info, 'group-delete');
      await dialog(page).getByRole('button', { name: 'Удалить класс' }).click();
      await heading(page, 'Пока нет ни одного класса').waitFor();
      const left = await one<{ n: number }>(
        school.pool,
        `select count(*) as n from users where user_name ilike '%иванова%'`,
      );
      expect(left?.n).toBe(3);
    });

    test('«REGISTRATION=code: the join code of a class»: a visitor opens the link, registers with its code and is a member', async ({
      page,
      school,
    }, info) => {
      const { teacher, groupId, code } = await openClass(school);
      await school.stopServer();
      await school.startServer({ REGISTRATION: 'code' });
      await page.goto(`${school.network.url}/registration`);
      await page.getByLabel('Код класса').waitFor();
      await page.getByLabel('Имя и фамилия').fill('Анна Кузнецова');
      await page.getByLabel('Почта').fill('anna@school.test');
      await page.getByLabel(/^Пароль/).fill(PASSWORD);
      await button(page, 'Зарегистрироваться').click();
      await expect(page.getByText('Введите код класса')).toBeVisible();
      await expect(page.getByLabel('Код класса')).toBeFocused();
      await page.getByLabel('Код класса').fill('ннн2');
      await button(page, 'Зарегистрироваться').click();
      await expect(page.getByText('Класса с таким кодом нет')).toBeVisible();
      await audit(page, info, 'registration-code');

      await page.goto(`${school.network.url}/join/${code}`);
      await expect.poll(() => pathOf(page)).toBe(`/login?redirect_path=%2Fjoin%2F${code}`);
      await page.getByRole('link', { name: 'Зарегистрироваться' }).click();
      await expect(page.getByLabel('Код класса')).toHaveValue(code);
      await page.getByLabel('Имя и фамилия').fill('Анна Кузнецова');
      await page.getByLabel('Почта').fill('anna@school.test');
      await page.getByLabel(/^Пароль/).fill(PASSWORD);
      await button(page, 'Зарегистрироваться').click();
      await heading(page, 'Вы в классе 9А').waitFor();
      await audit(page, info, 'joined');
      const other = await stranger(page);
      await signIn(other, school, teacher);
      await other.goto(`${school.network.url}/groups/${groupId}`);
      await expect(memberNames(other)).toHaveText([/^Анна Кузнецова/]);
      await other.context().close();
    });

    test('a student joins by a class code typed in Russian letters, after seeing the class and its teacher', async ({
      page,
      school,
    }, info) => {
      const { code } = await openClass(school);
      const anna = await school.person();
      await signIn(page, school, anna);
      await page.goto(`${school.network.url}/tests/my`);
      await page.getByRole('link', { name: 'Вступить в класс по коду' }).click();
      await button(page, 'Найти класс').click();
      await expect(page.getByText('Введите код класса')).toBeVisible();
      await page.getByLabel('Код класса').fill('нет такого');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Класса с таким кодом нет')).toBeVisible();
      await audit(page, info, 'join-wrong');
      await page.getByLabel('Код класса').fill('нк4м-7тх2');
      await page.keyboard.press('Enter');
      await heading(page, 'Класс 9А').waitFor();
      expect(pathOf(page)).toBe(`/join/${code}`);
      await expect(page.getByText('О. В. Лаптева')).toBeVisible();
      await audit(page, info, 'join');
      expect(await one(school.pool, 'select 1 from group_members')).toBeNull();
      await button(page, 'Вступить в класс').click();
      await heading(page, 'Вы в классе 9А').waitFor();
      await page.reload();
      await heading(page, 'Вы в классе 9А').waitFor();
      await page.getByRole('link', { name: 'К моим тестам' }).click();
      await heading(page, 'Мои тесты').waitFor();
    });
  });
}

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test('students without e-mail get generated sign-ins and printable cards: eight on a page, and each opens the platform', async ({
    page,
    school,
  }, info) => {
    const { teacher, groupId } = await openClass(school);
    await signIn(page, school, teacher);
    await page.goto(`${school.network.url}/groups/${groupId}`);
    await button(page, 'Без почты, списком').click();
    const names = Array.from({ length: 11 }, (_, n) => `Преображенская Елизавета ${n + 10}`);
    await dialog(page)
      .getByRole('textbox')
      .fill([...names, 'ж'.repeat(100)].join('\n'));
    await dialog(page).getByRole('button', { name: 'Проверить список' }).click();
    // The reply is lost: pressing again creates nobody twice, and says what to do.
    school.network.rule = ({ path }) => (path.endsWith('/pupils') ? 'loseReply' : 'deliver');
    const create = dialog(page).getByRole('button', { name: 'Создать 12 учётных записей' });
    await create.click();
    await expect(dialog(page).getByText('Ответ сервера не дошёл')).toBeVisible();
    school.network.rule = () => 'deliver';
    // Nor does a dialog that was closed meanwhile: it opens with the same list.
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await button(page, 'Без почты, списком').click();
    await create.click();
    await expect(dialog(page).getByText('Эти ученики уже созданы')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(memberNames(page)).toHaveCount(12);

    await button(page, 'Новые карточки').click();
    for (const box of await dialog(page).getByRole('checkbox').all()) await box.check();
    await dialog(page).getByRole('button', { name: 'Готово' }).click();
    await expect(dialog(page)).toContainText('Сбросить пароли 12 ученикам?');
    await dialog(page).getByRole('button', { name: 'Сбросить' }).click();
    await heading(page, '12 карточек для входа').waitFor();

    await page.getByRole('link', { name: 'Мои тесты' }).first().click();
    await expect(dialog(page)).toContainText('Уйти, не напечатав карточки?');
    await dialog(page).getByRole('button', { name: 'Остаться' }).click();
    const card = page.getByRole('listitem').filter({ hasText: '@klass.local' }).first();
    const [userName = '', email = '', word = ''] = await card.locator('span').allTextContents();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(word);

    const student = await stranger(page);
    await student.goto(`${school.network.url}/tests/my`);
    await new SignIn(student).signIn({ email, password: word });
    await heading(student, 'Мои тесты').waitFor();
    await expect(student.getByRole('banner')).toContainText(userName);

    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('#root')).toBeHidden();
    const password = page.getByText(/^[A-Z][a-z]{7}[2-9]{3}$/).filter({ visible: true });
    await expect(password).toHaveCount(12);
    await expect(page.getByRole('img').filter({ visible: true })).toHaveCount(12);
    const pdf = await page.pdf({ path: info.outputPath('cards.pdf'), preferCSSPageSize: true });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'Мои тесты' }).first().click();
    await heading(page, 'Мои тесты').waitFor();
    await student.context().close();
  });

  test('teachers reset passwords of students in their own classes, except added ones; the student’s sign-ins end', async ({
    page,
    school,
  }) => {
    const student = await school.person({ userName: 'Орлов Степан' });
    const picked = await school.person({ userName: 'Чужой Ученик' });
    const { teacher, groupId } = await openClass(school, [student]);
    await execute(
      school.pool,
      `insert into group_members (group_id, user_id, via, added_by) values ($1, $2, 'picked', $3)`,
      [groupId, picked.userId, teacher.userId],
    );
    const device = await stranger(page);
    await signIn(device, school, student);
    await device.goto(`${school.network.url}/tests/my`);
    await heading(device, 'Мои тесты').waitFor();

    await printAtOnce(page);
    await signIn(page, school, teacher);
    await page.goto(`${school.network.url}/groups/${groupId}`);
    await actOn(page, 'Действия: Чужой Ученик', 'Сбросить пароль');
    await expect(dialog(page)).toContainText('Пароль сбросит администратор');
    await dialog(page).getByRole('button', { name: 'Понятно' }).click();
    await actOn(page, 'Действия: Орлов Степан', 'Сбросить пароль');
    await expect(dialog(page)).toContainText('Сбросить пароль: Орлов Степан?');
    await dialog(page).getByRole('button', { name: 'Сбросить' }).click();
    await heading(page, '1 карточка для входа').waitFor();
    const [, , word = ''] = await page
      .getByRole('listitem')
      .filter({ hasText: student.email })
      .locator('span')
      .allTextContents();

    await device.reload();
    await expect(new SignIn(device).submit).toBeVisible();
    await new SignIn(device).signIn({ email: student.email, password: PASSWORD });
    await expect(device.getByText('Почта или пароль не подошли')).toBeVisible();
    await new SignIn(device).signIn({ email: student.email, password: word });
    await heading(device, 'Мои тесты').waitFor();
    await device.context().close();
  });

  test('a class is created, filled and shown with the keyboard alone', async ({ page, school }) => {
    const teacher = await school.person({ role: ROLE.teacher });
    await printAtOnce(page);
    await signIn(page, school, teacher);
    await page.goto(`${school.network.url}/groups`);
    await tabTo(page, button(page, 'Создать класс'));
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByLabel('Название класса')).toBeFocused();
    await page.keyboard.type('7');
    await pressRussian(page, 'в');
    await page.keyboard.press('Enter');
    await heading(page, '7в').waitFor();
    await tabTo(page, button(page, 'Без почты, списком'), 50);
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('textbox')).toBeFocused();
    await page.keyboard.type('Anna');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, dialog(page).getByRole('button', { name: 'Создать 1 учётную запись' }));
    await page.keyboard.press('Enter');
    await expect(heading(page, '1 карточка для входа')).toBeFocused();
    await tabTo(page, button(page, 'Напечатать карточки'));
    await page.keyboard.press('Enter');
    await tabTo(page, button(page, 'К списку класса'));
    await page.keyboard.press('Enter');
    await tabTo(page, button(page, 'Действия: Anna'), 50);
    await page.keyboard.press('Enter');
    const remove = page.getByRole('menuitem', { name: 'Убрать из класса' });
    await expect(async () => {
      await page.keyboard.press('ArrowDown');
      await expect(remove).toBeFocused({ timeout: 300 });
    }).toPass();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('button', { name: 'Оставить' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'В классе пока никого').waitFor();
    await tabTo(page, button(page, 'На весь экран'), 50);
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Вступите в класс 7в')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(button(page, 'На весь экран')).toBeFocused();
  });

  test('«classes and their members, managed by teachers (own) and admins (all)»; students are sent to the tests', async ({
    page,
    school,
  }) => {
    const { groupId } = await openClass(school);
    const admin = await school.person({ role: ROLE.admin, userName: 'Администратор' });
    const colleague = await school.person({ role: ROLE.teacher, userName: 'Т. А. Белова' });
    const anna = await school.person();
    await signIn(page, school, admin);
    await page.goto(`${school.network.url}/groups?searchQuery=лаптева`);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveText([/9А.*О. В. Лаптева/]);
    await page.getByRole('link', { name: '9А' }).click();
    await expect(button(page, 'Без почты, списком')).toBeVisible();
    await page.goBack();
    await page.getByLabel('Поиск по классу или преподавателю').fill('такого нет');
    await heading(page, 'Ничего не найдено').waitFor();

    await signIn(page, school, colleague);
    await page.goto(`${school.network.url}/groups/${groupId}`);
    await heading(page, 'Такого класса нет').waitFor();
    await signIn(page, school, anna);
    for (const path of ['/groups', `/groups/${groupId}`]) {
      await page.goto(`${school.network.url}${path}`);
      await expect.poll(() => pathOf(page)).toBe('/tests');
    }
    await new Shell(page).sync.waitFor();
  });
});
