import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { attemptOf } from './journal.ts';
import { Manage } from './pages/authoring.ts';
import { Ordering } from './pages/ordering.ts';
import { Result } from './pages/result.ts';
import { Verdict } from './pages/verdict.ts';
import { assignOnlyTest, openNewTest, signInAndStart } from './start.ts';

test.use({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });

const RIGHT = ['Рюрик', 'Ольга', 'Владимир', 'Ярослав'];
/** Of three neighbourhoods one is right. */
const GIVEN = ['Рюрик', 'Ольга', 'Ярослав', 'Владимир'];
const MAX_BACK_OFF_MS = 45_000;

test('an ordering question is written by keyboard and buttons, previewed, answered offline on a phone, and shown to both', async ({
  page,
  school,
  device,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person({ userName: 'Анна Кузнецова' });
  const editor = await openNewTest(page, school, teacher);
  const item = (number: number) => editor.field(`Пункт ${number}`);
  const written = () =>
    editor.form
      .getByRole('textbox', { name: /^Пункт \d$/ })
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

  await editor.add('Порядок', 'Кто правил раньше?');
  await editor.form.getByRole('textbox', { name: 'Баллы за вопрос' }).fill('3');
  await item(1).focus();
  for (const name of ['Ольга', 'Рюрик', 'Ярослав', 'Владимир']) {
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
  }
  await expect(item(5)).toBeFocused();
  await editor.form.getByRole('button', { name: 'Удалить пункт 5' }).click();
  await new Ordering(editor.form.getByRole('region', { name: 'Пункты по порядку' }), RIGHT).carry(
    2,
    1,
  );
  await expect.poll(written).toEqual(GIVEN);
  await editor.form.getByRole('button', { name: 'Действия с пунктом 4' }).click();
  await page.getByRole('menuitem', { name: 'Выше' }).click();
  await expect.poll(written).toEqual(RIGHT);
  await expect(editor.seen.getByRole('listitem')).toHaveCount(4);
  await audit(page, info, 'ordering-editor');
  await page.setViewportSize({ width: 360, height: 740 });
  await audit(page, info, 'ordering-editor-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(editor.onServer).toBeVisible();

  const manage = new Manage(page);
  await manage.tab('Предпросмотр').click();
  const seen = manage.frame('компьютер').getByRole('main');
  await seen.getByRole('button', { name: 'Оставить так' }).click();
  await expect(seen.getByText('Порядок сверху вниз')).toBeVisible();
  await audit(page, info, 'ordering-preview');
  await manage.tab('Содержание теста').click();
  await editor.publish.click();
  await expect(page.getByText('Опубликован', { exact: true })).toBeVisible();

  const id = await assignOnlyTest(school, student);
  const phone = await device('phone');
  const taken = await phone.open();
  const taking = await signInAndStart(taken, student, 'Новый тест');
  const ordering = new Ordering(taken.getByRole('main'), RIGHT);
  await phone.goOffline();
  await taken.getByRole('button', { name: 'Оставить так' }).tap();
  await ordering.carry((await ordering.order()).indexOf('Рюрик') + 1, 1);
  await ordering.raise('Ольга', 2);
  await ordering.raise('Ярослав', 3);
  await expect.poll(() => ordering.order()).toEqual(GIVEN);
  await expect(taking.onDevice).toBeVisible();
  await audit(taken, info, 'ordering-phone');
  await taken.reload();
  await expect.poll(() => ordering.order()).toEqual(GIVEN);
  await phone.goOnline();
  await expect(taking.onServer).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  await taking.finish();
  await expect(new Verdict(taken).mayClose).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  await expect(new Result(taken).of).toHaveText(/^1из 3/);
  await audit(taken, info, 'ordering-verdict');

  const attempt = await attemptOf(school.pool, student);
  const preview = `/tests/${id}/results/${attempt.id}/preview`;
  const places = (names: readonly string[]) => names.map((name, at) => `${at + 1}${name}`);
  await taken.goto(preview);
  await expect(taken.getByRole('main').getByText('Ваш ответ')).toBeVisible();
  await expect(ordering.rows).toHaveText(places(GIVEN));
  await execute(school.pool, 'update tests set visibility = $2 where id = $1', [
    id,
    JSON.stringify({ ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'atOnce' }),
  ]);
  await taken.reload();
  await expect(taken.getByRole('main').getByText('Верный порядок')).toBeVisible();
  await expect(ordering.rows).toHaveText([...places(GIVEN), ...places(RIGHT)]);
  await audit(taken, info, 'ordering-result');

  await page.goto(`${school.network.url}${preview}`);
  await expect(page.getByRole('main')).toContainText('Ответ ученика');
  await expect(new Ordering(page.getByRole('main'), RIGHT).rows).toHaveText([
    ...places(GIVEN),
    ...places(RIGHT),
  ]);
  await audit(page, info, 'ordering-attempt');
  await page.goto(`${school.network.url}/tests/manage/${id}/statistics`);
  await page.getByRole('button', { name: 'Ответы на вопрос 1' }).click();
  const answers = page.getByRole('list', { name: 'Ответы на вопрос 1' }).getByRole('listitem');
  await expect(answers).toHaveText([/^1 → 2 → 3 → 4Верный0/, /^1 → 2 → 4 → 3Неверный100/]);
  await audit(page, info, 'ordering-statistics');
});
