import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { Q } from '#tests/school.ts';
import { countingAnswers } from './journal.ts';
import { focusOrder, pressRussian, tabTo } from './keys.ts';
import { Overview } from './pages/overview.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { expect, PASSWORD, test, type TestSchool, type SchoolTest } from './test-school.ts';
import { signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });

async function studentWithTest(school: TestSchool, plan: Partial<SchoolTest> = {}) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  return { anna, testId: await school.test(teacher, { students: [anna], ...plan }) };
}

async function openTaking(page: Page, school: TestSchool, plan: Partial<SchoolTest> = {}) {
  const { anna, testId } = await studentWithTest(school, plan);
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.press('Enter');
  await new Taking(page).timer.waitFor();
  return { anna, testId };
}

const question = (page: Page, number: number) =>
  page.getByRole('heading', { level: 1, name: `Вопрос ${number}`, exact: true });

test('a whole test is passed by keyboard: sign-in, start, four kinds, mark, navigation, finish', async ({
  page,
  school,
}) => {
  const { anna } = await studentWithTest(school);
  const { keyboard } = page;
  await page.goto(`${school.network.url}/login?redirect_path=%2Ftests%2Fmy`);
  const form = new SignIn(page);
  await tabTo(page, form.email, 3);
  await keyboard.type(anna.email);
  await keyboard.press('Tab');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await tabTo(page, new Shell(page).testLink('Законы Ньютона'));
  await keyboard.press('Enter');
  await tabTo(page, new Overview(page).start);
  await keyboard.press('Enter');

  const taking = new Taking(page);
  await expect(question(page, 1)).toBeFocused();
  await tabTo(page, taking.textAnswer, 8);
  await keyboard.type('4,9');
  await keyboard.press('Enter');

  await expect(question(page, 2)).toBeFocused();
  await keyboard.press('1');
  await expect(taking.option('Паскаль')).toBeChecked();
  await keyboard.press('2');
  await expect(taking.option('Ньютон')).toBeChecked();
  await expect(taking.option('Паскаль')).not.toBeChecked();
  await keyboard.press('Enter');

  await expect(question(page, 3)).toBeFocused();
  for (const digit of ['1', '2', '3', '2']) await keyboard.press(digit);
  await expect(taking.option('Сила')).toBeChecked();
  await expect(taking.option('Масса')).not.toBeChecked();
  await expect(taking.option('Скорость')).toBeChecked();
  await pressRussian(page, 'м');
  const mark = page.getByRole('button', { name: 'Отмечен', exact: true });
  await expect(mark).toHaveAttribute('aria-pressed', 'true');
  await keyboard.press('Enter');

  await expect(question(page, 4)).toBeFocused();
  await matchByKeys(page);

  const all = page.getByRole('complementary', { name: 'Все вопросы' });
  await tabTo(page, all.getByRole('button', { name: 'Вопрос 3, есть ответ, отмечен' }), 40);
  await keyboard.press('Enter');
  await expect(question(page, 3)).toBeFocused();

  const openFinish = all.getByRole('button', { name: 'Завершить тест…' });
  await tabTo(page, openFinish, 40);
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Завершить тест?' });
  await expect(dialog.getByRole('button', { name: 'Вернуться к вопросам' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(openFinish).toBeFocused();
  await keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('button', { name: 'Завершить тест' }), 12);
  await keyboard.press('Enter');
  await expect(new Verdict(page).mayClose).toBeFocused();

  const attempt = await school.attempt(anna);
  expect(attempt?.ended).toBe('finished');
  const counted = await countingAnswers(school.pool, attempt?.id ?? '');
  expect(counted[Q.matching]).toMatchObject({ pairs: [{ leftId: '1', rightId: 'b' }] });
  expect(attempt?.points).toBe(2 + 1 + 2 + 1);
});

/** Leaves one right pair; every key of the matching question was pressed by then. */
async function matchByKeys(page: Page): Promise<void> {
  const { keyboard } = page;
  const taking = new Taking(page);
  const force = taking.leftItem('Сила');
  const bank = page.getByRole('listbox');
  const chosen = bank.getByRole('option', { selected: true });
  await tabTo(page, force, 8);
  await keyboard.press('Enter');
  await expect(force).toHaveAttribute('aria-expanded', 'true');
  await expect(bank).toBeFocused();

  const newton = bank.getByRole('option').filter({ hasText: 'Н' }).last();
  const place = await newton.evaluate((option) => option.id);
  const places = await bank
    .getByRole('option')
    .evaluateAll((options) => options.map(({ id }) => id));
  // Each attempt has its own order: the letter of another item removes the pair of the force.
  const other = ['а', 'б'][places.indexOf(place) === 0 ? 1 : 0] ?? '';
  for (let step = 0; step < 4; step += 1) {
    if ((await bank.getAttribute('aria-activedescendant')) === place) break;
    await keyboard.press('ArrowDown');
  }
  await keyboard.press('Enter');
  await expect(force).toContainText('Н');

  const power = taking.leftItem('Мощность');
  await expect(power, 'the next free item waits for its pair').toHaveAttribute(
    'aria-expanded',
    'true',
  );
  await pressRussian(page, other);
  await expect(power).not.toContainText('Пары нет');
  await expect(taking.leftItem('Давление')).toHaveAttribute('aria-expanded', 'true');
  await keyboard.press('Escape');
  await expect(taking.leftItem('Давление')).toBeFocused();
  await expect(chosen).toHaveCount(0);

  await keyboard.press('Shift+Tab');
  await expect(power).toBeFocused();
  await keyboard.press('Delete');
  await expect(power).toContainText('Пары нет');
}

test('every screen has a title in the tab', async ({ page, school }) => {
  const { anna, testId } = await studentWithTest(school);
  const open = (path: string) => page.goto(`${school.network.url}${path}`);
  await open('/login');
  await expect(page).toHaveTitle('Вход · Учебная платформа');
  await open('/no/such/page');
  await expect(page).toHaveTitle('Страница не найдена · Учебная платформа');
  await signIn(page, school, anna);
  await open('/');
  await expect(page).toHaveTitle('Учебная платформа');
  await open('/tests/my');
  await expect(page).toHaveTitle('Мои тесты · Учебная платформа');
  await open(`/tests/${testId}/overview`);
  await new Overview(page).start.click();
  await expect(page).toHaveTitle('Законы Ньютона: вопрос 1 · Учебная платформа');
});

test('the focus goes through the taking page in reading order', async ({ page, school }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openTaking(page, school);
  await new Taking(page).goTo(3);
  await expect(question(page, 3)).toBeFocused();
  expect(await focusOrder(page, 8)).toEqual([
    'Отметить',
    'Сила1',
    'Масса2',
    'Скорость3',
    'Путь4',
    'Назад',
    'Вопрос 3 из 6. Все вопросы',
    'Далее',
  ]);
});

test('a dialog traps the focus and returns it to the element that opened it', async ({
  page,
  school,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openTaking(page, school);
  const place = page.getByRole('button', { name: 'Вопрос 1 из 6. Все вопросы' });
  await tabTo(page, place, 12);
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Все вопросы' });
  await expect(sheet).toBeVisible();
  for (let step = 0; step < 14; step += 1) {
    await page.keyboard.press(step % 5 === 4 ? 'Shift+Tab' : 'Tab');
    expect(
      await sheet.evaluate((dialog) => dialog.contains(document.activeElement)),
      `step ${step}`,
    ).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(place).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sheet).toBeVisible();
  await page.goBack();
  await expect(sheet).toBeHidden();
  await expect(place).toBeFocused();
  await expect(question(page, 1)).toBeVisible();
});

test('the time is a timer that does not chatter; ten minutes before the end are announced once', async ({
  page,
  school,
}) => {
  await openTaking(page, school, { passSeconds: 10 * 60 + 8 });
  const { timer } = new Taking(page);
  await expect(timer).not.toHaveAttribute('aria-live');
  const around = timer.locator('xpath=ancestor::*[@aria-live or @role="status"]');
  await expect(around).toHaveCount(0);
  const notices = page.getByRole('status').filter({ hasText: 'Остал' });
  await expect(notices).toHaveCount(0);
  await expect(notices).toHaveText('Осталось 10 минут');
  await expect(timer).toContainText('9:5');
  await expect(notices).toHaveText('Осталось 10 минут');
});
