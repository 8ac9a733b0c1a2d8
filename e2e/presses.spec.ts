import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { smallTest } from '#tests/school.ts';
import { execute } from '#server/db/query.ts';
import { tabTo } from './keys.ts';
import { Editor } from './pages/editor.ts';
import { Overview } from './pages/overview.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });

/** Two questions, the last one a line of text. */
const QUESTIONS = ['variant', 'open'].flatMap((kind) =>
  smallTest.filter((question) => question.kind === kind).slice(0, 1),
);

async function openTaking(page: Page, school: TestSchool): Promise<Person> {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const testId = await school.test(teacher, { students: [anna], questions: QUESTIONS });
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  await new Taking(page).timer.waitFor();
  return anna;
}

type Point = readonly [x: number, y: number];

/** Two taps with the interval of a finger, however long a busy machine takes between them. */
async function doubleTap(page: Page, [x, y]: Point): Promise<void> {
  const touch = await page.context().newCDPSession(page);
  const startedAt = Date.now() / 1_000;
  for (const timestamp of [startedAt, startedAt + 0.15]) {
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchStart',
      touchPoints: [{ x, y }],
      timestamp,
    });
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchEnd',
      touchPoints: [],
      timestamp: timestamp + 0.05,
    });
  }
  await touch.detach();
}

/** Two presses of Enter with the interval of a hand. */
async function doubleEnter(page: Page): Promise<void> {
  const keys = await page.context().newCDPSession(page);
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
  const startedAt = Date.now() / 1_000;
  for (const timestamp of [startedAt, startedAt + 0.15]) {
    await keys.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      text: '\r',
      ...enter,
      timestamp,
    });
    await keys.send('Input.dispatchKeyEvent', {
      type: 'keyUp',
      ...enter,
      timestamp: timestamp + 0.05,
    });
  }
  await keys.detach();
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Завершить тест?' });
const question = (page: Page, number: number) =>
  page.getByRole('heading', { level: 1, name: `Вопрос ${number}`, exact: true });
const endOf = async (school: TestSchool, anna: Person) => (await school.attempt(anna))?.ended;
const openFinish = (page: Page) => page.getByRole('button', { name: 'Завершить тест…' });

/** Keys that go down again without coming up are repeats, as on a keyboard. */
async function holdEnter(page: Page, repeats: number): Promise<void> {
  for (let press = 0; press <= repeats; press += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
}

/** After another key the next Enter counts as a separate press, however fast the machine is. */
const beginAnew = (page: Page) => page.keyboard.press('Shift');

test('row 44: paging with Enter, two quick Enters, a held one and Ctrl+Enter end at the last question', async ({
  page,
  school,
}) => {
  const anna = await openTaking(page, school);
  const { keyboard } = page;
  const { textAnswer } = new Taking(page);
  const isLast = page.getByRole('status').filter({ hasText: 'Это последний вопрос' });
  await holdEnter(page, 5);
  await expect(question(page, 2)).toBeFocused();
  for (let press = 0; press < 4; press += 1) await keyboard.press('Enter');
  await expect(isLast).toHaveCount(1);
  await expect(dialogOf(page)).toHaveCount(0);

  await textAnswer.focus();
  await keyboard.type('4,9');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await holdEnter(page, 10);
  await keyboard.press('Control+Enter');
  await keyboard.press('Control+Enter');
  await expect(textAnswer).toBeFocused();
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(new Taking(page).onServer).toBeVisible();
  expect(await endOf(school, anna)).toBeNull();
});

test('row 44: an Enter that opened the finish dialog, held or doubled, does not confirm it', async ({
  page,
  school,
}) => {
  const anna = await openTaking(page, school);
  const taking = new Taking(page);
  const { keyboard } = page;
  const back = dialogOf(page).getByRole('button', { name: 'Вернуться к вопросам' });
  // Everything is answered and sent: the button that finishes is filled.
  await page.getByRole('radio').first().check();
  await expect(taking.onServer).toBeVisible();
  await page.getByRole('button', { name: 'Далее' }).click();
  await taking.textAnswer.fill('4,9');
  await taking.textAnswer.blur();
  await expect(taking.onServer).toBeVisible();

  await openFinish(page).focus();
  await holdEnter(page, 20);
  await expect(back).toBeFocused();
  await expect(dialogOf(page).getByText('все ответы на сервере')).toBeVisible();
  await beginAnew(page);
  await keyboard.press('Enter');
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(openFinish(page)).toBeFocused();
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  expect(await endOf(school, anna)).toBeNull();
  // The second one closed the dialog, or came before it had the focus.
  await keyboard.press('Escape');
  await expect(dialogOf(page)).toHaveCount(0);

  await keyboard.press('Enter');
  await keyboard.press('Control+Enter');
  await keyboard.press('Enter');
  expect(await endOf(school, anna)).toBeNull();
  await keyboard.press('Escape');
  await expect(dialogOf(page)).toHaveCount(0);
  await openFinish(page).press('Enter');
  await tabTo(page, dialogOf(page).getByRole('button', { name: 'Завершить тест' }), 12);
  await keyboard.press('Enter');
  await expect(new Verdict(page).mayClose).toBeVisible();
});

test('a held or doubled Enter that removes an option, or opens a form, writes and sends nothing in it', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const four = smallTest.filter(({ text }) => text === 'Векторные величины?');
  const testId = await school.test(teacher, { students: [], questions: four });
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/manage/${testId}/edit/custom`);
  const { form } = new Editor(page);
  const options = form.getByRole('textbox', { name: /^Вариант \d+$/ });
  const remove = form.getByRole('button', { name: 'Удалить вариант 2' });
  await options.first().waitFor();
  const { keyboard } = page;
  const before = await options.count();
  // The code that guards presses is loaded by the first press.
  await keyboard.press('Shift');
  await page.locator('[data-page-title]').waitFor({ state: 'attached' });
  await remove.focus();
  await holdEnter(page, 10);
  await expect(options).toHaveCount(before - 1);
  await expect(options.nth(1)).toBeFocused();
  await beginAnew(page);
  await remove.focus();
  await doubleEnter(page);
  await expect(options).toHaveCount(before - 2);
  // Enter from row to row continues to add them.
  await keyboard.press('End');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await expect(options.last()).toBeFocused();
  await expect(options).toHaveCount(before);

  await execute(
    school.pool,
    `insert into groups (id, name, owner_id, join_code, created_at)
     values (gen_random_uuid(), '9А', $1, null, now())`,
    [teacher.userId],
  );
  await page.goto(`${school.network.url}/groups`);
  await page.getByRole('link', { name: '9А' }).click();
  await page.getByRole('button', { name: 'Действия с классом' }).click();
  await expect(page.getByRole('menuitem', { name: 'Переименовать' })).toBeFocused();
  await doubleEnter(page);
  const name = page.getByRole('dialog').getByLabel('Название класса');
  await expect(name).toBeFocused();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test.describe('by touch', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('row 44: a double tap and a double click on «Далее», and on what ends the test, confirm nothing', async ({
    page,
    school,
  }) => {
    const anna = await openTaking(page, school);
    const middleOf = async (name: string) => {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      if (!box) throw new Error(`${name} is not visible`);
      return [box.x + box.width / 2, box.y + box.height / 2] as Point;
    };
    await doubleTap(page, await middleOf('Далее'));
    await expect(question(page, 2)).toBeVisible();
    await expect(dialogOf(page)).toHaveCount(0);

    // The next press is a separate gesture.
    await page.reload();
    await expect(question(page, 2)).toBeVisible();
    const confirm = dialogOf(page).getByRole('button', { name: 'Завершить тест', exact: true });
    for (const twice of [
      (at: Point) => doubleTap(page, at),
      (at: Point) => page.mouse.dblclick(...at),
      async (at: Point) => {
        await page.mouse.click(...at);
        await page.mouse.click(...at);
      },
    ]) {
      await twice(await middleOf('Завершить'));
      await expect(confirm).toBeVisible();
      expect(await endOf(school, anna)).toBeNull();
      await page.keyboard.press('Escape');
      await expect(dialogOf(page)).toHaveCount(0);
    }
    await page.getByRole('button', { name: 'Завершить', exact: true }).click();
    await confirm.click();
    await expect(new Verdict(page).mayClose).toBeVisible();
  });
});
