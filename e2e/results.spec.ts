import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { gradeItem } from '#contract/attempts.ts';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import type { Question } from '#contract/questions.ts';
import { listResults } from '#contract/results.ts';
import { execute } from '#server/db/query.ts';
import { liveCall } from '#tests/live-call.ts';
import { CANARY, Q, RIGHT, smallTest } from '#tests/school.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { withMoment } from './pages/moment.ts';
import { photograph } from './answers.ts';
import { audit } from './audit.ts';
import { tabTo } from './keys.ts';
import { Overview } from './pages/overview.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { startElsewhere, takeElsewhere } from './remote-device.ts';
import { addPicture, richQuestions } from './rich-test.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { openSignIn, pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.describe.configure({ mode: 'parallel' });

const WIDTHS = firstUnlessWhole([
  [360, 740],
  [1280, 800],
] as const);
const ESSAY: Answer = { questionId: Q.essay, kind: 'open', text: 'Опыт <b>с</b> *пружиной*' };
const WRONG: Answer = { questionId: Q.single, kind: 'variant', optionIds: ['a'] };
const HALF: Answer = {
  questionId: Q.matching,
  kind: 'compliance',
  pairs: [
    { leftId: '1', rightId: 'b' },
    { leftId: '2', rightId: 'a' },
  ],
};
const MANY = [RIGHT.open, WRONG, HALF, ESSAY];

async function people(school: TestSchool) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  return { teacher, anna: await school.person() };
}

const show = (ownAnswers: string, points: string, correctAnswers: string) => ({
  ownAnswers,
  points,
  correctAnswers,
});

const setVisibility = (school: TestSchool, testId: string, visibility: ReturnType<typeof show>) =>
  execute(school.pool, 'update tests set visibility = $2 where id = $1', [
    testId,
    JSON.stringify(visibility),
  ]);

async function grade(
  school: TestSchool,
  teacher: Person,
  attemptId: string,
  points: number,
  comment: string,
): Promise<void> {
  const { token } = await openSignIn(school, teacher);
  const input = { params: { attemptId }, body: { questionId: Q.essay, points, comment } };
  expect((await liveCall(school.network.url, gradeItem, input, { token })).status).toBe(200);
}

const itemOf = (page: Page, number: number) =>
  page.getByRole('article').filter({
    has: page.getByRole('heading', { name: `Вопрос ${number}`, exact: true }),
  });

for (const [width, height] of WIDTHS) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024 });

    test('«/tests/{testId}/results : list of results for the user», «…/{attemptId} : one result», «…/preview : answers preview of an attempt»: by keyboard there and back', async ({
      page,
      school,
    }, info) => {
      const { teacher, anna } = await people(school);
      const testId = await school.test(teacher, { students: [anna], attemptsCount: 4 });
      const base = `/tests/${testId}/results`;
      await signIn(page, school, anna);
      await page.goto(`${school.network.url}${base}`);
      await expect(page.getByRole('heading', { name: 'Попыток пока нет' })).toBeVisible();
      await audit(page, info, 'results-empty');
      await tabTo(page, page.getByRole('link', { name: 'К описанию теста' }).last(), 40);
      await page.keyboard.press('Enter');
      await expect.poll(() => pathOf(page)).toBe(`/tests/${testId}/overview`);

      const first = await takeElsewhere(school, anna, testId, MANY);
      const second = await takeElsewhere(school, anna, testId, [RIGHT.several]);
      await startElsewhere(school, anna, testId);
      const calls: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
      });
      await page.goto(`${school.network.url}${base}`);
      const rows = page.getByRole('main').getByRole('listitem');
      await expect(rows).toHaveCount(3);
      await expect(rows.nth(0)).toContainText(withMoment('Попытка 1, '));
      await expect(rows.nth(0)).toContainText('На проверке');
      await expect(rows.nth(0)).toContainText('3 из 17 баллов');
      await expect(rows.nth(0)).toContainText('В зачёт');
      await expect(rows.nth(1)).toContainText('Завершена');
      await expect(rows.nth(1)).not.toContainText('В зачёт');
      await expect(rows.nth(2)).toContainText('Идёт');
      await expect(rows.nth(2)).toContainText('баллов пока нет');
      await expect(page.getByRole('main')).toContainText('Итог: 3 из 17 баллов');
      await expect(page.getByRole('main')).toContainText('В зачёт идёт лучшая попытка');
      await audit(page, info, 'results');

      await grade(school, teacher, first, 3.5, 'Опыт верный, но нет вывода.');
      await tabTo(page, page.getByRole('link', { name: /^Попытка 1/ }), 40);
      await page.keyboard.press('Enter');
      await expect.poll(() => pathOf(page)).toBe(`${base}/${first}`);
      await expect(page.getByRole('main')).toContainText('6,5');
      await expect(page.getByRole('main')).toContainText('Опыт верный, но нет вывода.');
      await audit(page, info, 'result');
      await tabTo(page, page.getByRole('link', { name: 'Вопросы и ответы' }), 40);
      await page.keyboard.press('Enter');
      await expect.poll(() => pathOf(page)).toBe(`${base}/${first}/preview`);
      await expect(itemOf(page, 6)).toContainText('3,5 из 5');
      await audit(page, info, 'preview');
      await tabTo(page, page.getByRole('link', { name: 'К результату' }), 40);
      await page.keyboard.press('Enter');
      await expect.poll(() => pathOf(page)).toBe(`${base}/${first}`);
      await page.goBack();
      await expect.poll(() => pathOf(page)).toBe(`${base}/${first}/preview`);
      expect(second).not.toBe(first);
      expect(calls).toEqual(
        expect.arrayContaining([
          `GET /api/Test/${testId}/results`,
          `GET /api/Test/results/${first}`,
          `GET /api/Test/results/${first}/preview`,
        ]),
      );
    });

    test('the answers preview shows each part from its moment on: own answers, points, right answers', async ({
      page,
      school,
    }, info) => {
      const { teacher, anna } = await people(school);
      const testId = await school.test(teacher, {
        students: [anna],
        endTime: new Date(Date.now() + 3 * 86_400_000),
      });
      const attemptId = await takeElsewhere(school, anna, testId, MANY);
      await signIn(page, school, anna);
      const replies: Promise<string>[] = [];
      page.on('response', (response) => {
        if (response.url().endsWith('/preview')) {
          replies.push(response.text().catch(() => ''));
        }
      });
      const open = async () => {
        replies.length = 0;
        await page.goto(`${school.network.url}/tests/${testId}/results/${attemptId}/preview`);
        await itemOf(page, 6).waitFor();
        return (await Promise.all(replies)).join('\n');
      };
      const main = page.getByRole('main');

      const early = await open();
      expect(early).not.toContain(CANARY);
      expect(early).not.toMatch(/isRight|accepted|tolerance|explanation/);
      await expect(main).toContainText(/Верные ответы откроются \d+ [а-я]+, \d\d:\d\d/);
      await expect(itemOf(page, 1)).toContainText('4.9');
      await expect(itemOf(page, 1)).toContainText('2 из 2');
      await expect(itemOf(page, 2)).toContainText('Неверно');
      await expect(itemOf(page, 2).getByRole('listitem').first()).toContainText('Ваш ответ');
      await expect(itemOf(page, 3)).toContainText('Без ответа');
      await expect(itemOf(page, 6)).toContainText('На проверке');
      await expect(itemOf(page, 6).getByText('Опыт <b>с</b> *пружиной*')).toBeVisible();

      await setVisibility(school, testId, show('never', 'never', 'never'));
      expect(await open()).not.toContain('пружиной');
      await expect(main).toContainText('Преподаватель не показывает ваши ответы');
      await expect(main).toContainText('Преподаватель не показывает баллы');
      await expect(main).toContainText('Преподаватель не показывает верные ответы');
      await expect(main).not.toContainText('Ваш ответ');
      await expect(main).not.toContainText('Неверно');
      await audit(page, info, 'preview-hidden');

      await setVisibility(school, testId, show('atOnce', 'atOnce', 'atOnce'));
      expect(await open()).toContain(CANARY);
      await expect(itemOf(page, 1)).toContainText('Верный ответ: 4,9 (допуск ±0,05)');
      const options = itemOf(page, 2).getByRole('listitem');
      await expect(options.nth(0)).toContainText('Ваш ответ, неверно');
      await expect(options.nth(1)).toContainText('Верный ответ');
      const pairs = itemOf(page, 4).getByRole('list').first().getByRole('listitem');
      await expect(pairs.nth(0)).toContainText('Ваш ответ, верно');
      await expect(pairs.nth(1)).toContainText('Ваш ответ, неверно');
      await expect(pairs.nth(1)).toContainText('Верная пара');
      await expect(pairs.nth(2)).toContainText('Пары нет');
      await expect(itemOf(page, 1)).toContainText('Пояснение');
      await audit(page, info, 'preview-with-key');
    });
  });
}

test('questions are shown as the student saw them: Markdown, formulas, pictures; a handed-in file is opened and saved', async ({
  page,
  school,
}, info) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { teacher, anna } = await people(school);
  const questions: Question[] = richQuestions.map((question) => ({
    ...question,
    explanation: 'По второму закону $F = ma$.',
  }));
  const testId = await school.test(teacher, { students: [anna], questions });
  await addPicture(school, testId);
  await setVisibility(school, testId, show('atOnce', 'atOnce', 'atOnce'));
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  await taking.choose('12 Н, против оси');
  await taking.goTo(7);
  await taking.attach(await photograph(page));
  await expect(taking.onServer).toBeVisible();
  await taking.finish();
  await new Verdict(page).mayClose.waitFor();
  await page.getByRole('link', { name: 'Результат по вопросам' }).click();
  await page.getByRole('link', { name: 'Вопросы и ответы' }).click();

  await expect(itemOf(page, 1).locator('.katex').first()).toBeVisible();
  await expect(itemOf(page, 1)).toContainText('Ваш ответ, верно');
  await expect(itemOf(page, 2).locator('[data-picture] img')).toBeVisible();
  await expect(itemOf(page, 5).getByRole('table')).toBeVisible();
  const file = itemOf(page, 7);
  await expect(file).toContainText('решение.jpg');
  await audit(page, info, 'preview-rich');
  await file.getByRole('button', { name: 'Открыть файл решение.jpg' }).click();
  const viewer = page.getByRole('dialog', { name: 'решение.jpg' });
  await expect(viewer.getByRole('img')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  const download = page.waitForEvent('download');
  await file.getByRole('button', { name: 'Скачать файл решение.jpg' }).click();
  const downloaded = await download;
  expect(downloaded.suggestedFilename()).toBe('решение.jpg');
  expect((await readFile(await downloaded.path())).subarray(0, 3).toString('hex')).toBe('ffd8ff');
});

test('the teacher sees all of an ended attempt, and of a running one the answers without points', async ({
  page,
  school,
}, info) => {
  const { teacher, anna } = await people(school);
  const boris = await school.person({ userName: 'Борис Орлов' });
  const testId = await school.test(teacher, { students: [anna, boris] });
  await setVisibility(school, testId, show('never', 'never', 'never'));
  const ended = await takeElsewhere(school, anna, testId, MANY);
  const running = await startElsewhere(school, boris, testId);
  await running.answer(WRONG);
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/${testId}/results/${ended}/preview`);
  const main = page.getByRole('main');
  await expect(main).toContainText(anna.userName);
  await expect(itemOf(page, 2)).toContainText('Ответ ученика, неверно');
  await expect(itemOf(page, 2)).toContainText('0 из 1');
  await expect(main).toContainText('Верные ответы ученику не показываются');
  await audit(page, info, 'preview-teacher');

  await page.goto(`${school.network.url}/tests/${testId}/results/${running.attemptId}/preview`);
  await expect(main).toContainText('Попытка ещё идёт');
  await expect(itemOf(page, 2)).toContainText('Ответ ученика, неверно');
  await expect(itemOf(page, 2)).toContainText('до 1 балла');
  await expect(main).not.toContainText('0 из 1');
});

test('an attempt of another test, an unknown one, a deleted one: a message, without further links', async ({
  page,
  school,
}, info) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { teacher, anna } = await people(school);
  const testId = await school.test(teacher, { students: [anna] });
  const other = await school.test(teacher, { students: [anna], name: 'Векторы' });
  const attemptId = await takeElsewhere(school, anna, testId, MANY);
  const unknown = '0198c0de-0000-7000-8000-000000000000';
  await signIn(page, school, anna);
  const absent = page.getByRole('heading', { name: 'Такого результата нет' });
  for (const path of [
    `/tests/${other}/results/${attemptId}`,
    `/tests/${other}/results/${attemptId}/preview`,
    `/tests/${unknown}/results/${attemptId}`,
    `/tests/${testId}/results/${unknown}`,
    `/tests/${testId}/results/no-id/preview`,
    `/tests/${unknown}/results`,
  ]) {
    await page.goto(`${school.network.url}${path}`);
    await expect(absent, path).toBeVisible();
    await expect(page.getByRole('main'), path).toContainText('Не найдено');
    await expect(page.getByText('Законы Ньютона'), path).toHaveCount(0);
  }
  await audit(page, info, 'result-absent');
  await page.getByRole('link', { name: 'К моим тестам' }).click();
  await expect.poll(() => pathOf(page)).toBe('/tests/my');

  await execute(school.pool, 'update attempts set deleted_at = now() where id = $1', [attemptId]);
  for (const end of ['', '/preview']) {
    await page.goto(`${school.network.url}/tests/${testId}/results/${attemptId}${end}`);
    await expect(absent).toBeVisible();
    await expect(page.getByRole('main')).toContainText('удал');
  }
});

test('«Test results for a user: testId, title, totalAttempts, attempts (attempt number, attemptId, score, maxScore)»', async ({
  school,
}) => {
  const { teacher, anna } = await people(school);
  const questions = smallTest.filter(({ kind }) => kind === 'variant');
  const testId = await school.test(teacher, { students: [anna], questions, attemptsCount: 2 });
  const first = await takeElsewhere(school, anna, testId, [RIGHT.single]);
  const second = await takeElsewhere(school, anna, testId, [RIGHT.single, RIGHT.several]);
  const { token } = await openSignIn(school, anna);
  const input = { params: { id: testId }, query: {} };
  const { body } = await liveCall(school.network.url, listResults, input, { token });
  expect(body).toMatchObject({
    testId,
    title: 'Законы Ньютона',
    totalAttempts: 2,
    attempts: [
      { attemptNumber: 1, attemptId: first, score: 1, maxScore: 3 },
      { attemptNumber: 2, attemptId: second, score: 3, maxScore: 3 },
    ],
  });
});

test('between deadline and close the result shows neither points nor keys, and says until when answers are accepted', async ({
  page,
  school,
}) => {
  const { teacher, anna } = await people(school);
  const testId = await school.test(teacher, { students: [anna] });
  await setVisibility(school, testId, show('atOnce', 'atOnce', 'atOnce'));
  const device = await startElsewhere(school, anna, testId);
  await device.answer(RIGHT.open);
  await execute(
    school.pool,
    `update attempts set started_at = now() - interval '41 minutes', deadline = now() - interval '1 minute'
     where id = $1`,
    [device.attemptId],
  );
  await signIn(page, school, anna);
  const path = `${school.network.url}/tests/${testId}/results/${device.attemptId}`;
  await page.goto(path);
  const main = page.getByRole('main');
  await expect(main).toContainText(
    withMoment('Баллы появятся, когда всё дойдёт до сервера. Ждём до '),
  );
  await page.goto(`${path}/preview`);
  await expect(itemOf(page, 1)).toContainText('4.9');
  await expect(main).toContainText(withMoment('Баллы откроются '));
  await expect(main).not.toContainText('Верный ответ');
  await expect(main).not.toContainText('Пояснение');
});
