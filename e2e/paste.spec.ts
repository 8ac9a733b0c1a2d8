import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { openNewTest } from './start.ts';
import { expect, test } from './test-school.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block', permissions: ['clipboard-read', 'clipboard-write'] });

/** Copies a page as a reader does: selects all of it and presses Ctrl+C. */
async function copyPage(editor: Page, html: string): Promise<void> {
  const page = await editor.context().newPage();
  await page.setContent(html);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('ControlOrMeta+C');
  await page.close();
  await editor.bringToFront();
}

/** Writes both flavours of a text to the clipboard, as an office program does. */
const writeClipboard = (page: Page, html: string, text: string): Promise<void> =>
  page.evaluate(
    async ([asHtml, asText]) => {
      const blob = (type: string, content: string) => new Blob([content], { type });
      await navigator.clipboard.write([
        new ClipboardItem({
          'text/html': blob('text/html', asHtml),
          'text/plain': blob('text/plain', asText),
        }),
      ]);
    },
    [html, text] as const,
  );

test('powers and indices copied from a page are pasted into the text, the explanation and an option', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const editor = await openNewTest(page, school, teacher);
  await editor.add('Один ответ', 'Найдите: ');
  await copyPage(page, '<p>5·10<sup>2</sup> кг H<sub>2</sub>SO<sub>4</sub>, x<sup>−3</sup></p>');
  for (const label of ['Текст вопроса', 'Пояснение после ответа', 'Вариант 1']) {
    await editor.field(label).focus();
    await page.keyboard.press('ControlOrMeta+V');
    await expect(editor.field(label)).toHaveValue(/5·10² кг H₂SO₄, x⁻³/);
  }
  await expect(editor.field('Текст вопроса')).toHaveValue(/^Найдите: 5/);
  await expect(editor.seen.first()).toContainText('5·10² кг H₂SO₄');
});

test('a list of powers pasted from the clipboard fills one option each', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const editor = await openNewTest(page, school, teacher);
  await editor.add('Несколько ответов', 'Какие числа больше ста?');
  const powers = ['2', '3', 'n'];
  await writeClipboard(
    page,
    `<ul>${powers.map((power) => `<li>10<sup>${power}</sup></li>`).join('')}</ul>`,
    powers.map((power) => `10${power}`).join('\n'),
  );
  await editor.field('Вариант 1').focus();
  await page.keyboard.press('ControlOrMeta+V');
  for (const [index, shown] of ['10²', '10³', '10ⁿ'].entries())
    await expect(editor.field(`Вариант ${index + 1}`)).toHaveValue(shown);
  await expect(editor.onServer).toBeVisible();
  await page.reload();
  await expect(editor.field('Вариант 2')).toHaveValue('10³');
});
