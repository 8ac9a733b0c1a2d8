import { ROLE } from '#contract/auth.ts';
import { audit } from './audit.ts';
import { photograph } from './answers.ts';
import { expect, test } from './device.ts';
import { attemptOf } from './journal.ts';
import { Verdict } from './pages/verdict.ts';
import { assignOnlyTest, openNewTest, signInAndStart } from './start.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.use({ viewport: { width: 1280, height: 800 } });

const FORCE = 'По закону $F = ma$ найдите силу';
const BLOCK = 'Что верно для бруска на рисунке?';
const ACCELERATION = 'Ускорение тела, м/с²?';
const UNITS = 'Подберите единицы';
const SOLUTION = 'Приложите решение';
/** 2 of 2, 1 of 1 twice, 3 of 3; the file awaits the teacher. */
const DESERVED = 7;

test('a test with all four kinds, a formula and a picture is created, published, passed offline on a phone and graded', async ({
  page,
  school,
  device,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const { keyboard } = page;
  const editor = await openNewTest(page, school, teacher);
  await expect(page.getByRole('heading', { name: 'В тесте пока нет вопросов' })).toBeVisible();
  await audit(page, info, 'editor-empty');

  await editor.add('Один ответ', FORCE);
  await editor.write({ 'Вариант 1': '6 Н', 'Вариант 2': '12 Н', 'Вариант 3': '18 Н' });
  await editor.form.getByRole('button', { name: 'Удалить вариант 4' }).click();
  await editor.form.getByRole('textbox', { name: 'Баллы за вопрос' }).fill('2');
  await expect(editor.seen.locator('.katex')).toBeVisible();

  await editor.add('Несколько ответов', `${BLOCK} `);
  await editor.picture({ ...(await photograph(page)), name: 'брусок.jpg' }, 'Брусок на плоскости');
  await expect(editor.seen.getByRole('img', { name: 'Брусок на плоскости' })).toBeVisible();
  await editor.write({
    'Вариант 1': 'Опора действует на брусок',
    'Вариант 2': 'Брусок невесом',
    'Вариант 3': 'Трение есть',
  });
  await editor.form.getByRole('button', { name: 'Удалить вариант 4' }).click();
  await editor.right(1, 3);

  await editor.add('Ввод ответа', ACCELERATION);
  await editor.form.getByRole('radio', { name: 'Число' }).check();
  await editor.write({ 'Ответ 1': '4,9' });

  await editor.add('Соответствие', UNITS);
  await editor.write({
    'Слева 1': 'Сила',
    'Справа 1': 'ньютон',
    'Слева 2': 'Мощность',
    'Справа 2': 'ватт',
    'Слева 3': 'Давление',
    'Справа 3': 'паскаль',
  });
  await editor.form.getByRole('textbox', { name: 'Баллы за вопрос' }).fill('3');
  await editor.add('Файл', SOLUTION);

  // By keys: the last one goes first, and back; a deleted one returns.
  await editor.row(SOLUTION).focus();
  await keyboard.press('Alt+Home');
  await expect(editor.row(SOLUTION)).toBeFocused();
  expect((await editor.names())[0]).toBe(SOLUTION);
  await keyboard.press('Alt+ArrowDown');
  expect((await editor.names())[1]).toBe(SOLUTION);
  await keyboard.press('Control+z');
  await keyboard.press('Control+z');
  await expect.poll(async () => (await editor.names()).at(-1)).toBe(SOLUTION);
  await editor.row(UNITS).focus();
  await keyboard.press('Delete');
  await expect(editor.row(UNITS)).toBeHidden();
  await page.getByRole('button', { name: 'Вернуть', exact: true }).click();
  await expect(editor.row(UNITS)).toBeVisible();

  // Typing is undone and redone inside its field too.
  await editor.row(ACCELERATION).click();
  await editor.field('Текст вопроса').focus();
  await keyboard.press('Control+End');
  await keyboard.type(' Лишнее');
  await keyboard.press('Control+z');
  await expect(editor.field('Текст вопроса')).toHaveValue(ACCELERATION);

  // Publishing lists what is missing, and where.
  await expect(editor.onServer).toBeVisible();
  await editor.publish.click();
  const notReady = page.getByRole('dialog', { name: 'Публиковать рано' });
  await notReady.getByRole('link', { name: 'Вопрос 1: не отмечен верный вариант' }).click();
  await expect(notReady).toBeHidden();
  await expect(editor.form).toHaveAccessibleName('Вопрос 1');
  await page.getByRole('button', { name: '1 замечание' }).click();
  await audit(page, info, 'editor');
  await editor.right(2);
  await expect(page.getByRole('region', { name: 'Замечания' })).toBeHidden();
  await expect(editor.onServer).toBeVisible();
  await page.reload();
  await expect(editor.form).toHaveAccessibleName('Вопрос 1');
  await editor.publish.click();
  await expect(page.getByText('Опубликован', { exact: true })).toBeVisible();

  await assignOnlyTest(school, student);
  const phone = await device('phone');
  const taken = await phone.open();
  const taking = await signInAndStart(taken, student, 'Новый тест');
  // Pictures load right after the start; they are missing when the network fails before.
  const hasPicture = () =>
    taken.evaluate(async () => {
      const cached = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
      );
      return cached.flat().some(({ url }) => url.includes('/api/Files/file'));
    });
  await expect.poll(hasPicture).toBe(true);
  await phone.goOffline();
  await expect(taken.locator('.katex')).toBeVisible();
  await taking.choose('12 Н');
  await taking.goTo(2);
  await expect(taken.getByRole('img', { name: 'Брусок на плоскости' })).toBeVisible();
  await taking.choose('Опора действует на брусок', 'Трение есть');
  await taking.goTo(3);
  await taking.textAnswer.fill('4.9');
  await taking.goTo(4);
  await taking.match('Сила', 'ньютон');
  await taking.match('Мощность', 'ватт');
  await taking.match('Давление', 'паскаль');
  await taking.goTo(5);
  await taking.attach(await photograph(taken));
  await expect(taking.onDevice).toBeVisible();
  await taking.finish();
  await phone.goOnline();
  await expect(new Verdict(taken).mayClose).toBeVisible();
  expect(await attemptOf(school.pool, student)).toMatchObject({
    ended: 'finished',
    points: DESERVED,
  });
});
