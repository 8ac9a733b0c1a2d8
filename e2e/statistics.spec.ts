import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { v7 } from 'uuid';
import { gradeItem } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { finishAttempt, saveAnswer, startAttempt } from '#contract/passing.ts';
import type { Question } from '#contract/questions.ts';
import { liveCall } from '#tests/live-call.ts';
import { keyedQuestions, makeMarkedAttempts } from '#tests/marked-attempts.ts';
import { makeGroup, Q, smallTest } from '#tests/school.ts';
import { readWorkbook } from '#tests/workbook.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { audit } from './audit.ts';
import { tabTo } from './keys.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { openSignIn, pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });

const EMPTY_TITLE = 'Статистика по тесту пуста';

interface Judged {
  teacher: Person;
  testId: string;
  groupId: string;
  attemptIds: string[];
}

/** Thirty students who passed a test of twelve questions; half of them are in the class 9А. */
async function judgedTest(school: TestSchool, attempts = 30): Promise<Judged> {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const questions: Question[] = keyedQuestions(12).map((question, i) =>
    i === 0 ? { ...question, text: 'Чему равна сила $F = ma$ при **двух** телах?' } : question,
  );
  const testId = await school.test(teacher, { students: [], questions });
  const builder = { pool: school.pool, deps: { newId: () => v7() }, clock: { now: new Date() } };
  const made = await makeMarkedAttempts(builder, testId, questions, attempts);
  const half = made.userIds.slice(0, attempts / 2).map((userId) => ({ userId }));
  const groupId = await makeGroup(builder, teacher, half, '9А');
  return { teacher, testId, groupId, attemptIds: made.attemptIds };
}

/** Answers the essay over the network, and finishes. Returns the attempt's id. */
async function handIn(school: TestSchool, person: Person, testId: string): Promise<string> {
  const { token } = await openSignIn(school, person);
  const base = school.network.url;
  const { userTestId: id } = (
    await liveCall(base, startAttempt, { params: { id: testId } }, { token })
  ).body;
  const body = { questionId: Q.essay, kind: 'open', text: 'Трубка Ньютона' } as const;
  await liveCall(base, saveAnswer, { params: { id }, body }, { token });
  const finished = await liveCall(base, finishAttempt, { params: { id } }, { token });
  expect(finished.status).toBe(200);
  return id;
}

const open = async (page: Page, school: TestSchool, testId: string, search = '') => {
  await page.goto(`${school.network.url}/tests/manage/${testId}/statistics${search}`);
};

const students = (page: Page) => page.getByRole('region', { name: 'Ученики' });
const firstStudent = (page: Page) => students(page).getByRole('link').first();

test('section 2: /tests/manage/{testId}/statistics shows statistics to teachers and sends students to /tests', async ({
  page,
  school,
}) => {
  const { teacher, testId } = await judgedTest(school);
  await signIn(page, school, await school.person());
  await open(page, school, testId);
  await expect.poll(() => pathOf(page)).toBe('/tests');
  await signIn(page, school, teacher);
  await open(page, school, testId);
  await expect(page.getByText('завершённых попыток')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Статистика' })).toHaveAttribute(
    'aria-current',
    'page',
  );
});

test('section 3: test statistics: title, maxScore and of each user attemptId, id, name and score, found, sorted and paged in the URL', async ({
  page,
  school,
}) => {
  const { teacher, testId, groupId } = await judgedTest(school);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, school, teacher);
  await open(page, school, testId);
  await expect(page.getByRole('heading', { level: 1, name: 'Законы Ньютона' })).toBeVisible();
  await expect(page.getByText('средний балл из 12')).toBeVisible();
  await expect(firstStudent(page)).toHaveText('Ученик 0001');
  const table = students(page).getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(21);

  await page.getByRole('button', { name: 'Страница 2', exact: true }).click();
  await expect(firstStudent(page)).toHaveText('Ученик 0021');
  await expect.poll(() => pathOf(page)).toContain('page=2');

  await table.getByRole('button', { name: 'Баллы' }).click();
  await table.getByRole('button', { name: 'Баллы' }).click();
  await expect(table.getByRole('columnheader', { name: 'Баллы' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  const best = await school.pool.query<{ points: number }>(
    'select max(points) as points from attempts where test_id = $1',
    [testId],
  );
  const words = String(best.rows[0]?.points).replace('.', ',');
  await expect(table.getByRole('row').nth(1)).toContainText(`${words} из 12`);
  await expect.poll(() => pathOf(page)).toContain('sortOrder=points');

  await page.getByRole('combobox', { name: 'Класс' }).click();
  await page.getByRole('option', { name: '9А, 15 попыток' }).click();
  await expect(students(page).getByText('15 попыток')).toBeVisible();
  await expect.poll(() => pathOf(page)).toContain(`groupId=${groupId}`);

  await page.getByRole('searchbox').fill('0007');
  await expect(firstStudent(page)).toHaveText('Ученик 0007');
  await page.reload();
  await expect(firstStudent(page)).toHaveText('Ученик 0007');
  await expect(table.getByRole('row')).toHaveCount(2);
  const attempt = await school.pool.query<{ id: string }>(
    `select x.id from attempts x join users u on u.id = x.user_id where u.user_name = 'Ученик 0007'`,
  );
  await firstStudent(page).click();
  await expect
    .poll(() => pathOf(page))
    .toContain(`/tests/${testId}/results/${attempt.rows[0]?.id}`);
});

test('sections 7 and 8: on any failure of the statistics an empty object titled «Статистика по тесту пуста» is shown, and may be tried again', async ({
  page,
  school,
}) => {
  const { teacher, testId } = await judgedTest(school);
  await signIn(page, school, teacher);
  const portal = { contentType: 'text/html', body: '<p>Войдите в сеть</p>' };
  for (const fault of ['loseRequest', 'loseReply', portal] as const) {
    school.network.rule = ({ path }) =>
      path.startsWith('/api/Test/statistics/') ? fault : 'deliver';
    await open(page, school, testId);
    await expect(page.getByRole('heading', { name: EMPTY_TITLE, exact: true })).toBeVisible();
    school.network.rule = () => 'deliver';
    await page.getByRole('button', { name: 'Попробовать снова' }).click();
    await expect(page.getByText('завершённых попыток')).toBeVisible();
    await expect(page.getByRole('heading', { name: EMPTY_TITLE })).toBeHidden();
  }
});

test('section 7: names are those of the users list, and results are right at once after a grade', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const essays = smallTest.filter(({ questionId }) => questionId === Q.essay);
  const testId = await school.test(teacher, { students: [anna], questions: essays });
  const { token } = await signIn(page, school, teacher);
  await open(page, school, testId);
  await expect(firstStudent(page)).toBeHidden();
  await expect(students(page).getByText('Не приступал', { exact: true })).toBeVisible();

  const attemptId = await handIn(school, anna, testId);
  await page.reload();
  await expect(firstStudent(page)).toHaveText('Анна Кузнецова');
  await expect(page.getByText('работа на проверке')).toBeVisible();
  const graded = await liveCall(
    school.network.url,
    gradeItem,
    { params: { attemptId }, body: { questionId: Q.essay, points: 4 } },
    { token },
  );
  expect(graded.status).toBe(200);
  await page.reload();
  await expect(students(page).getByText('4 из 5')).toBeVisible();
  await expect(page.getByText('работ на проверке')).toBeVisible();
});

test('everything is reached and done with the keyboard: answers of a question, sort, search, files', async ({
  page,
  school,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { teacher, testId } = await judgedTest(school);
  await signIn(page, school, teacher);
  await open(page, school, testId);
  const xlsx = page.getByRole('button', { name: 'Скачать XLSX' });
  await tabTo(page, xlsx, 50);
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const file = await download;
  expect(file.suggestedFilename()).toBe('Статистика – Законы Ньютона.xlsx');
  const sheets = readWorkbook(await readFile(await file.path()));
  expect([...sheets.keys()]).toEqual(['Попытки', 'Вопросы', 'Ответы']);
  expect(sheets.get('Попытки')).toHaveLength(31);
  expect(sheets.get('Попытки')?.[1]?.[0]).toBe('Ученик 0001');

  const csv = page.getByRole('button', { name: 'Скачать CSV' });
  await tabTo(page, csv, 3);
  const second = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const text = await readFile(await (await second).path(), 'utf8');
  expect(text.startsWith('\ufeffУченик;Класс;')).toBe(true);
  expect(text.trimEnd().split('\r\n')).toHaveLength(31);

  const chart = page.getByText('Показать таблицей').first();
  await tabTo(page, chart, 10);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Распределение баллов' })).toBeVisible();

  const answers = page.getByRole('button', { name: 'Ответы на вопрос 1', exact: true });
  await tabTo(page, answers, 10);
  await page.keyboard.press('Enter');
  await expect(answers).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('list', { name: 'Ответы на вопрос 1' })).toContainText('Вариант a');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Ответы на вопрос 1' })).toBeHidden();

  const byTime = students(page).getByRole('button', { name: 'Время' });
  await tabTo(page, byTime, 50);
  await page.keyboard.press('Enter');
  await expect(students(page).getByRole('columnheader', { name: 'Время' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(byTime).toBeFocused();
});

for (const [width, height] of firstUnlessWhole([
  [360, 740],
  [1280, 800],
] as const)) {
  test.describe(`at ${width} px, light and dark,`, () => {
    test.use({
      viewport: { width, height },
      hasTouch: width < 1024,
    });

    test('the statistics, their answers, their failure and no attempts are accessible and fit', async ({
      page,
      school,
    }, info) => {
      const { teacher, testId } = await judgedTest(school);
      const bare = await school.test(teacher, { students: [] });
      await signIn(page, school, teacher);
      await open(page, school, testId);
      await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible();
      await expect(page.getByRole('main')).not.toContainText('$');
      await page.getByRole('button', { name: 'Ответы на вопрос 1', exact: true }).click();
      await page.getByRole('button', { name: 'Ответы на вопрос 3', exact: true }).click();
      await page.getByText('Показать таблицей').first().click();
      const isTable = width >= 640;
      await expect(students(page).getByRole('table')).toBeVisible({ visible: isTable });
      await expect(students(page).getByRole('list', { name: 'Ученики' })).toBeVisible({
        visible: !isTable,
      });
      await audit(page, info, 'statistics');
      await open(page, school, bare);
      await page.getByRole('heading', { name: 'Попыток пока нет' }).waitFor();
      await audit(page, info, 'statistics-none');
      school.network.rule = ({ path }) =>
        path.startsWith('/api/Test/statistics/') ? 'loseRequest' : 'deliver';
      await open(page, school, testId);
      await page.getByRole('heading', { name: EMPTY_TITLE }).waitFor();
      await audit(page, info, 'statistics-failed');
    });
  });
}
