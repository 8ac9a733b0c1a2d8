import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { attemptOf } from './journal.ts';
import { Verdict } from './pages/verdict.ts';
import { assignOnlyTest, openNewTest, signInAndStart } from './start.ts';

test.use({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });

const PICTURE = new URL('../server/demo/pictures/physics-incline.png', import.meta.url);
const MAX_BACK_OFF_MS = 45_000;

/** Draws from one corner to the other, in shares of the picture. */
async function draw(page: Page, board: Locator, from: [number, number], to: [number, number]) {
  await board.scrollIntoViewIfNeeded();
  const box = (await board.boundingBox())!;
  const at = ([x, y]: [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]));
  await page.mouse.move(...at(to));
  await page.mouse.up();
}

test('areas of a picture are drawn, or placed by keyboard; one is tapped on a phone without a network, survives a reload, counts and is shown to both', async ({
  page,
  school,
  device,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person({ userName: 'Анна Кузнецова' });
  const editor = await openNewTest(page, school, teacher);
  await editor.add('Один ответ', 'Покажите, где сила трения. ');
  const button = (name: string) => editor.form.getByRole('button', { name, exact: true });
  await expect(button('Отвечать на картинке')).toBeHidden();
  const buffer = await readFile(PICTURE);
  await editor.picture({ name: 'плоскость.png', mimeType: 'image/png', buffer }, 'Плоскость');
  await button('Отвечать на картинке').click();
  const part = editor.form.getByRole('region', { name: 'Области на картинке' });
  const board = part.locator('img').locator('..');
  await draw(page, board, [0.55, 0.5], [0.9, 0.9]);
  await expect(editor.field('Вариант 1')).toHaveValue('А');
  await draw(page, board, [0.05, 0.05], [0.3, 0.35]);
  await expect(editor.field('Вариант 2')).toHaveValue('Б');
  await button('Добавить область').press('Enter');
  await expect(editor.field('Вариант 3')).toHaveValue('В');
  const third = part.getByRole('button', { name: /^Область «В»/ });
  await third.focus();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(part.getByLabel('Слева')).toHaveValue('45');
  await expect(part.getByLabel('Высота')).toHaveValue('19');
  await part.getByLabel('Форма').selectOption({ label: 'Овал' });
  await part.getByLabel('Сверху').fill('10');
  await button('Удалить вариант 4').click();
  await editor.right(1);
  await audit(page, info, 'areas-editor');
  await page.setViewportSize({ width: 360, height: 740 });
  await audit(page, info, 'areas-editor-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  // As read: the second one drawn stands first on the picture.
  await expect(editor.seen.getByRole('radio')).toHaveCount(3);
  await expect(editor.seen.getByRole('radio').first()).toHaveAccessibleName(/^Б/);
  await editor.seen.locator('[data-area="А"]').click();
  await expect(editor.seen.getByRole('radio', { name: 'А' })).toBeChecked();
  await expect(editor.onServer).toBeVisible();
  await editor.publish.click();
  await expect(page.getByText('Опубликован', { exact: true })).toBeVisible();

  const id = await assignOnlyTest(school, student);
  const phone = await device('phone');
  const taken = await phone.open();
  const taking = await signInAndStart(taken, student, 'Новый тест');
  await expect(taken.locator('[data-area="Б"]')).toBeVisible();
  await phone.goOffline();
  await taken.locator('[data-area="Б"]').tap();
  await expect(taking.option('Б')).toBeChecked();
  await taken.locator('[data-area="А"]').tap();
  await expect(taking.option('А')).toBeChecked();
  await expect(taking.onDevice).toBeVisible();
  await audit(taken, info, 'areas-phone');
  await taken.reload();
  await expect(taking.option('А')).toBeChecked();
  await expect(taken.locator('[data-area="А"]')).toHaveAttribute('data-chosen');
  for (const width of [360, 820, 1280]) {
    await taken.setViewportSize({ width, height: 800 });
    const overflow = await taken.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `at ${width}`).toBeLessThanOrEqual(0);
  }
  await phone.goOnline();
  await expect(taking.onServer).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  await taking.finish();
  await expect(new Verdict(taken).mayClose).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  const attempt = await attemptOf(school.pool, student);
  expect(attempt).toMatchObject({ ended: 'finished', points: 1 });

  await page.goto(`${school.network.url}/tests/manage/${id}/grading?show=all`);
  const answer = page.getByRole('article', { name: 'Анна Кузнецова' });
  await expect(answer.locator('[data-area="А"]')).toHaveAttribute('data-tone', 'ok');
  await audit(page, info, 'areas-grading');
  await taken.goto(`/tests/${id}/results/${attempt.id}/preview`);
  await expect(taken.locator('[data-area="А"]')).toHaveAttribute('data-chosen');
  await audit(taken, info, 'areas-result');
});
