import { ROLE } from '#contract/auth.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { attemptOf } from './journal.ts';
import { selectWord } from './pages/editor.ts';
import { Verdict } from './pages/verdict.ts';
import { assignOnlyTest, openNewTest, signInAndStart } from './start.ts';

test.use({ serviceWorkers: 'block' });
test.use({ viewport: { width: 1280, height: 800 } });

const TEXT = 'Столица Франции – Париж, Италии – Рим, а километров в миле – 1,6.';

test('selected words of a text become gaps; the test is passed, reviewed and graded, and a wrong key of a gap is corrected', async ({
  page,
  school,
  device,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person({ userName: 'Анна Кузнецова' });
  const editor = await openNewTest(page, school, teacher);
  await editor.add('Пропуски', TEXT);
  const text = editor.field('Текст вопроса');
  const addGap = editor.form.getByRole('button', { name: 'Добавить пропуск' });
  const gap = (number: number) => editor.form.getByRole('group', { name: `Пропуск ${number}` });
  await selectWord(text, 'Париж');
  await addGap.click();
  await expect(text).toHaveValue(TEXT.replace('Париж', '[[1]]'));
  await expect(gap(1).getByRole('textbox', { name: 'Ответ 1', exact: true })).toHaveValue('Париж');
  await expect(gap(1).getByRole('textbox', { name: 'Ответ 1', exact: true })).toBeFocused();
  await selectWord(text, 'Рим');
  await addGap.click();
  await gap(2).getByRole('combobox').selectOption({ label: 'Выбор из списка' });
  await expect(gap(2).getByRole('textbox', { name: 'Вариант 1', exact: true })).toHaveValue('Рим');
  await expect(gap(2).getByRole('checkbox', { name: 'Верный: вариант 1' })).toBeChecked();
  await gap(2).getByRole('textbox', { name: 'Вариант 2', exact: true }).fill('Милан');
  await gap(2).getByRole('button', { name: 'Удалить вариант 3' }).click();
  // A mark typed by hand gets its gap, too.
  await text.fill((await text.inputValue()).replace('1,6', '[[3]]'));
  await gap(3).getByRole('combobox').selectOption({ label: 'Число' });
  await gap(3).getByRole('textbox', { name: 'Ответ 1', exact: true }).fill('1,6');
  await gap(3).getByRole('textbox', { name: 'Допуск, ±' }).fill('0,05');
  await expect(editor.seen.getByLabel('Пропуск 3')).toBeVisible();
  await audit(page, info, 'gaps-editor');
  await expect(editor.onServer).toBeVisible();
  await editor.publish.click();
  await expect(page.getByText('Опубликован', { exact: true })).toBeVisible();

  const id = await assignOnlyTest(school, student);
  const phone = await device('phone');
  const taken = await phone.open();
  const taking = await signInAndStart(taken, student, 'Новый тест');
  // The field's note about its limit does not make it wider.
  const gapWidth = () =>
    taken
      .getByLabel('Пропуск 1')
      .evaluate((field) => field.closest('span')?.getBoundingClientRect().width);
  const before = await gapWidth();
  await taken.getByLabel('Пропуск 1').fill('я'.repeat(600));
  await expect(
    taken.getByText(/Вставлено 500 из 600 знаков: остальное не поместилось/).first(),
  ).toBeVisible();
  expect(await gapWidth()).toBe(before);
  await audit(taken, info, 'gaps-limit');
  await taken.getByLabel('Пропуск 1').fill('Лион');
  await taken.getByLabel('Пропуск 2').selectOption({ label: 'Рим' });
  await taken.getByLabel('Пропуск 3').fill('1.61');
  await expect(taking.onServer).toBeVisible();
  await taking.finish();
  await expect(new Verdict(taken).mayClose).toBeVisible();
  const attempt = await attemptOf(school.pool, student);
  expect(attempt.points).toBeCloseTo(0.67);
  await taken.goto(`/tests/${id}/results/${attempt.id}/preview`);
  const shown = taken.getByRole('article', { name: 'Вопрос 1' });
  await expect(shown).toContainText('Столица Франции');
  await expect(shown.getByRole('listitem')).toHaveText([
    /1Лион.*Ваш ответ/,
    /2Рим.*Ваш ответ/,
    /31\.61.*Ваш ответ/,
  ]);
  await audit(taken, info, 'gaps-result');
  await page.goto(`${school.network.url}/tests/manage/${id}/grading?show=all`);
  const answer = page.getByRole('article', { name: 'Анна Кузнецова' });
  await expect(answer.getByRole('listitem').first()).toHaveText(
    /Лион.*неверно.*Париж.*Верный ответ/,
  );
  await expect(answer.getByRole('listitem').nth(2)).toHaveText(/1\.61.*, верно/);
  await audit(page, info, 'gaps-grading');
  await page.getByRole('button', { name: 'Исправить ключ…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox', { name: 'Пропуск 1: принимаемые ответы, каждый с новой строки' })
    .fill('Париж\nЛион');
  await dialog.getByLabel('Что исправлено').fill('Засчитан и Лион');
  await audit(page, info, 'gaps-key');
  await dialog.getByRole('button', { name: 'Посмотреть, что изменится' }).click();
  await expect(dialog.getByText('Изменится 1 из 1 работы.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Исправить ключ', exact: true }).click();
  await expect.poll(async () => (await attemptOf(school.pool, student)).points).toBe(1);
  await dialog.getByRole('button', { name: 'Готово' }).click();
  await page.goto(`${school.network.url}/tests/manage/${id}/statistics`);
  await page.getByRole('button', { name: /^Ответы/ }).click();
  await expect(page.getByText('(1) Лион')).toBeVisible();
  await expect(page.getByText('(2) Милан')).toBeVisible();
  const facilities = page.getByRole('list', { name: 'Решаемость пропусков' });
  await expect(facilities.getByRole('listitem')).toHaveText(
    [1, 2, 3].map((number) => new RegExp(`^Пропуск ${number}100`)),
  );
  await audit(page, info, 'gaps-statistics');
});
