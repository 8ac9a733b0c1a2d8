import { ROLE } from '#contract/auth.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { attemptOf } from './journal.ts';
import { selectWord } from './pages/editor.ts';
import { Verdict } from './pages/verdict.ts';
import { assignOnlyTest, openNewTest, signInAndStart } from './start.ts';

test.use({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });

const TEXT = 'Столица Франции – Париж, Италии – Рим, Испании – Мадрид.';
const MAX_BACK_OFF_MS = 45_000;

test('gaps with one list of words are filled from a bank, by taps on an offline phone and by keys; the words remain after a reload and count', async ({
  page,
  school,
  device,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person({ userName: 'Анна Кузнецова' });
  const editor = await openNewTest(page, school, teacher);
  await editor.add('Пропуски', TEXT);
  const button = (name: string) => editor.form.getByRole('button', { name, exact: true });
  for (const [index, word] of ['Париж', 'Рим', 'Мадрид'].entries()) {
    await selectWord(editor.field('Текст вопроса'), word);
    await button('Добавить пропуск').click();
    const gap = editor.form.getByRole('group', { name: `Пропуск ${index + 1}` });
    await gap.getByRole('combobox').selectOption({ label: 'Выбор из списка' });
    await expect(gap.getByRole('textbox', { name: 'Вариант 1', exact: true })).toHaveValue(word);
  }
  await button('Один список слов на все пропуски').click();
  await expect(editor.form.getByText('Список у пропусков общий')).toBeVisible();

  // The preview is answered by keys alone.
  const seen = (name: string) => editor.seen.getByRole('button', { name });
  await seen('Пропуск 1: пусто').focus();
  await page.keyboard.press('Enter');
  const words = editor.seen.getByRole('listbox', { name: 'Слово для пропуска 1' });
  await expect(words).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(seen('Пропуск 1: Париж')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(seen('Пропуск 2')).toBeFocused();
  await audit(page, info, 'word-bank-editor');
  await expect(editor.onServer).toBeVisible();
  await editor.publish.click();
  await expect(page.getByText('Опубликован', { exact: true })).toBeVisible();

  const id = await assignOnlyTest(school, student);
  const phone = await device('phone');
  const taken = await phone.open();
  const taking = await signInAndStart(taken, student, 'Новый тест');
  const gap = (name: string) => taken.getByRole('button', { name });
  await expect(gap('Пропуск 1: пусто')).toBeVisible();
  await phone.goOffline();
  await gap('Пропуск 1').tap();
  await taken.getByRole('option', { name: 'Париж' }).tap();
  // The next free gap opens at once.
  await expect(taken.getByRole('listbox', { name: 'Слово для пропуска 2' })).toBeVisible();
  await audit(taken, info, 'word-bank-phone');
  await taken.getByRole('option', { name: 'Мадрид' }).tap();
  await taken.getByRole('option', { name: 'Мадрид' }).tap();
  await expect(taken.getByRole('listbox')).toBeHidden();
  await gap('Пропуск 2: Мадрид').tap();
  await taken.getByRole('option', { name: 'Мадрид' }).tap();
  await expect(gap('Пропуск 2: пусто')).toBeVisible();
  await taken.getByRole('option', { name: 'Рим' }).tap();
  await expect(taking.onDevice).toBeVisible();
  await taken.reload();
  for (const [index, word] of ['Париж', 'Рим', 'Мадрид'].entries())
    await expect(gap(`Пропуск ${index + 1}: ${word}`)).toBeVisible();
  for (const width of [360, 820, 1280]) {
    await taken.setViewportSize({ width, height: 800 });
    await gap('Пропуск 1').click();
    await expect(taken.getByRole('listbox', { name: 'Слово для пропуска 1' })).toBeVisible();
    const overflow = await taken.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `at ${width}`).toBeLessThanOrEqual(0);
    await gap('Пропуск 1').click();
  }
  await phone.goOnline();
  await expect(taking.onServer).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  await taking.finish();
  await expect(new Verdict(taken).mayClose).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  const attempt = await attemptOf(school.pool, student);
  expect(attempt).toMatchObject({ ended: 'finished', points: 1 });
  await taken.goto(`/tests/${id}/results/${attempt.id}/preview`);
  await expect(taken.getByRole('listitem').filter({ hasText: 'Мадрид' }).first()).toBeVisible();
});
