import type { Browser, Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { smallTest } from '#tests/school.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { signIn } from './visitor.ts';

/** A page of a person's own device. */
async function openAs(browser: Browser, school: TestSchool, person: Person): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, school, person);
  return page;
}

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Тест' }).getByRole('link');

test('a teacher shares a test, a class and the bank with a colleague, who gets just that', async ({
  page,
  browser,
  school,
}) => {
  const laptewa = await school.person({ role: ROLE.teacher, userName: 'Ольга Лаптева' });
  const orlow = await school.person({ role: ROLE.teacher, userName: 'Пётр Орлов' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const testId = await school.test(laptewa, { students: [anna], name: 'Законы Ньютона' });
  const { url } = school.network;
  const colleague = await openAs(browser, school, orlow);
  await colleague.goto(`${url}/tests/manage/${testId}/grading`);
  await expect(colleague.getByRole('heading', { name: 'Такого теста у вас нет' })).toBeVisible();

  await signIn(page, school, laptewa);
  await page.goto(`${url}/tests/my/created`);
  await page.getByRole('button', { name: 'Действия с тестом «Законы Ньютона»' }).click();
  await page.getByRole('menuitem', { name: 'Доступ коллег…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Доступ коллег: Законы Ньютона' });
  await dialog.getByRole('combobox', { name: 'Коллега' }).selectOption('Пётр Орлов');
  await dialog.getByRole('button', { name: 'Добавить' }).click();
  await dialog
    .getByRole('combobox', { name: 'Что может Пётр Орлов' })
    .selectOption('ещё и проверяет ответы');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Закрыть без сохранения?' })).toBeVisible();
  await page.getByRole('button', { name: 'Вернуться к форме' }).click();
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await expect(dialog).toBeHidden();

  await colleague.goto(`${url}/tests/my/created`);
  await expect(colleague.getByText('Ольга Лаптева: вы проверяете')).toBeVisible();
  await colleague.getByRole('link', { name: 'Законы Ньютона' }).click();
  await expect(colleague).toHaveURL(/\/grading/);
  await expect(tabs(colleague)).toHaveText(['Ход теста', 'Проверка', 'Статистика']);
  await colleague.goto(`${url}/tests/manage/${testId}/edit/custom`);
  await expect(colleague.getByRole('heading', { name: 'Этот раздел вам не открыт' })).toBeVisible();

  await page.goto(`${url}/groups`);
  await page.getByRole('button', { name: 'Создать класс' }).click();
  await page.getByLabel('Название класса').fill('9А');
  await page.getByRole('dialog').getByRole('button', { name: 'Создать класс' }).click();
  await page.getByRole('button', { name: 'Действия с классом' }).click();
  await page.getByRole('menuitem', { name: 'Доступ коллег…' }).click();
  await page.getByRole('combobox', { name: 'Коллега' }).selectOption('Пётр Орлов');
  await page.getByRole('dialog').getByRole('button', { name: 'Сохранить' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await colleague.goto(`${url}/groups`);
  await expect(colleague.getByRole('main').getByText('Ольга Лаптева')).toBeVisible();
  await colleague.getByRole('link', { name: '9А' }).click();
  await colleague.getByRole('button', { name: 'Действия с классом' }).click();
  await expect(colleague.getByRole('menuitem')).toHaveText(['Переименовать…']);

  // The server itself adds the test's own questions to the bank, once a minute.
  const question = { ...smallTest[0], questionId: crypto.randomUUID() };
  await execute(
    school.pool,
    `insert into bank_entries (owner_id, entry_id, question, kind, words, updated_at)
     values ($1, $2, $3, 'variant', 'вопрос', now())`,
    [laptewa.userId, question.questionId, JSON.stringify(question)],
  );
  await page.goto(`${url}/bank`);
  await page.getByRole('button', { name: 'Доступ коллег…' }).click();
  await page.getByRole('combobox', { name: 'Коллега' }).selectOption('Пётр Орлов');
  await page.getByRole('dialog').getByRole('button', { name: 'Сохранить' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await colleague.goto(`${url}/bank?bankOf=${laptewa.userId}`);
  const menus = colleague.getByRole('button', { name: /^Действия с вопросом/ });
  await menus.first().click();
  await expect(colleague.getByRole('menuitem')).toHaveText(['Добавить в тест…']);
});
