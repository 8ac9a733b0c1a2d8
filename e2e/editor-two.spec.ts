import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { execute, one } from '#server/db/query.ts';
import { smallTest } from '#tests/school.ts';
import { Editor } from './pages/editor.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.use({ viewport: { width: 1280, height: 800 } });

const [FIRST, SECOND] = smallTest.map(({ text }) => text) as [string, string];
const LAST = smallTest.at(-1)?.text ?? '';

/** Texts of the working copy as the server has it. */
async function onServer(school: TestSchool): Promise<string[]> {
  const row = await one<{ questions: { text: string }[] }>(
    school.pool,
    'select questions from test_drafts',
  );
  return row?.questions.map(({ text }) => text) ?? [];
}

async function openEditor(page: Page, school: TestSchool, teacher: Person, testId: string) {
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/manage/${testId}/edit/custom`);
  const editor = new Editor(page);
  await expect(editor.row(FIRST)).toBeVisible();
  return editor;
}

async function write(editor: Editor, name: string, text: string): Promise<void> {
  await editor.row(name).click();
  await expect(editor.field('Текст вопроса')).toHaveValue(name);
  await editor.field('Текст вопроса').fill(text);
}

/** Whether the device has stored a text, whatever happened to it on the server. */
const isStored = (page: Page, text: string) =>
  page.evaluate(
    (wanted) =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('exam-room-drafts');
        opening.onsuccess = () => {
          const all = opening.result.transaction('drafts').objectStore('drafts').getAll();
          all.onsuccess = () => {
            opening.result.close();
            resolve(JSON.stringify(all.result).includes(wanted));
          };
        };
      }),
    text,
  );

test('two browsers edit one test and lose no edit; a killed tab and an unavailable server lose none either', async ({
  page,
  browser,
  context,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const testId = await school.test(teacher, { students: [], lifecycle: 'draft' });
  const second = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const other = await second.newPage();
  const [mine, theirs] = [
    await openEditor(page, school, teacher, testId),
    await openEditor(other, school, teacher, testId),
  ];

  // Different questions: both edits are there, and each is notified of the other.
  await write(mine, FIRST, 'Первый у меня');
  await expect.poll(() => onServer(school)).toContain('Первый у меня');
  await write(theirs, SECOND, 'Второй у них');
  await expect.poll(() => onServer(school)).toContain('Второй у них');
  expect(await onServer(school)).toContain('Первый у меня');
  await expect(theirs.row('Первый у меня')).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(mine.row('Второй у них')).toBeVisible();
  await expect(page.getByText(/Ваши правки на месте/)).toBeVisible();

  // The same question: both texts stay until somebody decides.
  school.network.rule = ({ method, path }) =>
    method === 'PUT' && path.endsWith('/draft') ? 'loseRequest' : 'deliver';
  await write(theirs, LAST, 'Последний у них');
  await write(mine, LAST, 'Последний у меня');
  await expect.poll(() => isStored(page, 'Последний у меня')).toBe(true);
  await expect.poll(() => isStored(other, 'Последний у них')).toBe(true);
  // Mine must not come first by a repeat of its own.
  await page.route('**/draft', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  school.network.rule = () => 'deliver';
  await other.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(() => onServer(school)).toContain('Последний у них');
  await page.unroute('**/draft');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  const conflict = page.getByRole('region', { name: 'Этот вопрос тем временем изменили' });
  await expect(conflict).toContainText('Последний у меня');
  await expect(conflict).toContainText('Последний у них');
  expect(await onServer(school)).toContain('Последний у них');
  await conflict.getByRole('button', { name: 'Сохранить оба' }).click();
  await expect(conflict).toBeHidden();
  await expect.poll(() => onServer(school)).toContain('Последний у меня');
  expect(await onServer(school)).toContain('Последний у них');

  // A tab is killed before any of the last edits could be sent.
  school.network.rule = ({ method, path }) =>
    method === 'PUT' && path.endsWith('/draft') ? 'loseRequest' : 'deliver';
  await write(mine, 'Первый у меня', 'Набрано перед концом');
  await expect.poll(() => isStored(page, 'Набрано перед концом')).toBe(true);
  const killed = page.waitForEvent('crash');
  const session = await context.newCDPSession(page);
  void session.send('Page.crash').catch(() => undefined);
  await killed;
  expect(await onServer(school)).not.toContain('Набрано перед концом');

  // Reopened while the server does not answer: it is shown, and sent once possible.
  school.network.rule = ({ path }) =>
    path.includes(`/api/Test/${testId}/draft`) ? 'loseRequest' : 'deliver';
  const next = await context.newPage();
  await next.goto(`${school.network.url}/tests/manage/${testId}/edit/custom`);
  const again = new Editor(next);
  await expect(again.row('Набрано перед концом')).toBeVisible();
  await expect(next.getByText('Восстановлены правки, которые не успели уйти')).toBeVisible();
  await write(again, 'Второй у них', 'Набрано без сети');
  await expect.poll(() => isStored(next, 'Набрано без сети')).toBe(true);
  await next.reload();
  await expect(again.row('Набрано без сети')).toBeVisible();
  school.network.rule = () => 'deliver';
  await next.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(again.onServer).toBeVisible();
  await expect
    .poll(() => onServer(school))
    .toEqual(
      expect.arrayContaining([
        'Набрано перед концом',
        'Набрано без сети',
        'Последний у меня',
        'Последний у них',
      ]),
    );

  // The deletion of a test is reported, and the typed text is still on the screen.
  await execute(school.pool, 'update tests set content_id = null');
  await execute(school.pool, 'delete from tests');
  await write(again, 'Набрано без сети', 'Уже некуда');
  await expect(next.getByText(/Этого теста больше нет/)).toBeVisible();
  await expect(again.field('Текст вопроса')).toHaveValue('Уже некуда');
  await second.close();
});
