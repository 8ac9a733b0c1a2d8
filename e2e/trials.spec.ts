import type { Page } from '@playwright/test';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { finishAttempt, saveAnswer, startAttempt } from '#contract/passing.ts';
import { one } from '#server/db/query.ts';
import { liveCall } from '#tests/live-call.ts';
import { makeGroup, Q, RIGHT } from '#tests/school.ts';
import { v7 } from 'uuid';
import { firstUnlessWhole } from '#tests/whole.ts';
import { audit } from './audit.ts';
import { BoardPage } from './pages/board.ts';
import { Manage } from './pages/authoring.ts';
import { Editor } from './pages/editor.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { openSignIn, pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.use({ viewport: { width: 1280, height: 800 } });

const NAME = 'Лаптева Ольга Викторовна';
const ESSAY: Answer = { questionId: Q.essay, kind: 'open', text: 'Трубка Ньютона' };

/** Starts over the network, answers, and optionally finishes. */
async function take(school: TestSchool, person: Person, testId: string, isFinished: boolean) {
  const { token } = await openSignIn(school, person);
  const base = school.network.url;
  const { userTestId: id } = (
    await liveCall(base, startAttempt, { params: { id: testId } }, { token })
  ).body;
  for (const body of [RIGHT.single, ESSAY])
    await liveCall(base, saveAnswer, { params: { id }, body }, { token });
  if (isFinished) await liveCall(base, finishAttempt, { params: { id } }, { token });
}

/** An open test that a student has passed, and its teacher twice: the second attempt runs. */
async function triedTest(school: TestSchool) {
  const teacher = await school.person({ role: ROLE.teacher, userName: NAME });
  const anna = await school.person();
  const testId = await school.test(teacher, {
    students: [anna],
    openToAll: true,
    attemptsCount: 3,
  });
  const builder = { pool: school.pool, deps: { newId: () => v7() }, clock: { now: new Date() } };
  await makeGroup(builder, teacher, [anna], '9А');
  await take(school, anna, testId, true);
  await take(school, teacher, testId, true);
  await take(school, teacher, testId, false);
  return { teacher, testId };
}

const theSwitch = (page: Page) => page.getByRole('checkbox', { name: /^Показать пробные/ });

test("a teacher's trials are in no figure, table or queue until a switch, stored in the URL, shows them marked", async ({
  page,
  school,
}) => {
  const { teacher, testId } = await triedTest(school);
  const manage = (path: string) => `${school.network.url}/tests/manage/${testId}/${path}`;
  await signIn(page, school, teacher);
  const students = page.getByRole('region', { name: 'Ученики' });
  await page.goto(manage('statistics'));
  await expect(students.getByRole('link')).toHaveText(['Анна Кузнецова']);
  await expect(page.getByText('завершённая попытка')).toBeVisible();
  await theSwitch(page).check();
  await expect(students.getByRole('link', { name: NAME })).toHaveCount(2);
  await expect(students.getByText('Пробная')).toHaveCount(2);
  await expect.poll(() => pathOf(page)).toContain('trials=');
  await page.reload();
  await expect(students.getByRole('link', { name: NAME })).toHaveCount(2);
  await theSwitch(page).uncheck();
  await expect(students.getByRole('link')).toHaveText(['Анна Кузнецова']);

  await page.goto(manage('grading'));
  const queue = page.getByRole('navigation', { name: 'Ответы' });
  await expect(queue.getByRole('button')).toHaveCount(1);
  await theSwitch(page).check();
  await expect(queue.getByRole('button', { name: new RegExp(NAME) })).toContainText('пробная');

  const board = new BoardPage(page);
  await board.open(school.network.url, testId);
  expect(await board.names()).toEqual(['Анна Кузнецова']);
  await expect(board.count('1 сдал')).toBeVisible();
  await theSwitch(page).check();
  await expect(board.row(NAME)).toContainText('Пробная');
  await expect(theSwitch(page)).toBeFocused();
  await board.filter('Все').click();
  await expect.poll(() => pathOf(page)).toContain('trials=');
  await page.reload();
  await expect(board.row(NAME)).toContainText('Пробная');
});

test('a teacher sees that an own attempt was a trial', async ({ page, school }) => {
  const { teacher, testId } = await triedTest(school);
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/${testId}/results`);
  const attempts = page.getByRole('main').getByRole('listitem');
  await expect(attempts.filter({ hasText: 'Пробная' })).toHaveCount(2);
  await attempts.getByRole('link').first().click();
  await expect(page.getByText('1 из 3, пробная')).toBeVisible();
});

test("the preview shows the teacher's latest edits, and the published test by a switch in the URL", async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: NAME });
  const testId = await school.test(teacher, { students: [] });
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/manage/${testId}/edit/custom`);
  const [editor, manage] = [new Editor(page), new Manage(page)];
  await editor.row('Ускорение тела, м/с²?').click();
  await editor.field('Текст вопроса').fill('Какова скорость тела?');
  // At once: saving is not awaited.
  await manage.tab('Предпросмотр').click();
  const frame = manage.frame('компьютер');
  await expect(frame.getByText('Какова скорость тела?')).toBeVisible();
  await expect(frame.getByText('предпросмотр черновика')).toBeVisible();
  await expect(page.getByText('Показан черновик')).toBeVisible();
  const published = page.getByRole('radio', { name: 'Как опубликовано' });
  await published.check();
  await expect(frame.getByText('Ускорение тела, м/с²?')).toBeVisible();
  await expect.poll(() => pathOf(page)).toContain('shown=published');
  await page.reload();
  await expect(published).toBeChecked();
  await expect(frame.getByText('Ускорение тела, м/с²?')).toBeVisible();
  // By the arrow keys, as with radio buttons.
  await published.press('ArrowLeft');
  await expect(frame.getByText('Какова скорость тела?')).toBeVisible();
  await expect.poll(() => pathOf(page)).not.toContain('shown');
});

for (const [width, height] of firstUnlessWhole([
  [820, 1180],
  [360, 740],
  [1280, 800],
] as const)) {
  test(`trials and both previews at ${width} px are accessible and fit`, async ({
    page,
    school,
  }, info) => {
    await page.setViewportSize({ width, height });
    const { teacher, testId } = await triedTest(school);
    const base = `${school.network.url}/tests/manage/${testId}`;
    await signIn(page, school, teacher);
    await page.goto(`${base}/statistics?trials=1`);
    await page.getByText('Пробная').first().waitFor();
    await audit(page, info, 'trials-statistics');
    await page.goto(`${base}/grading?trials=1`);
    await page.getByText('пробная').first().waitFor();
    await audit(page, info, 'trials-grading');
    await page.goto(`${base}/live?trials=1`);
    await page.getByText('Пробная').first().waitFor();
    await audit(page, info, 'trials-board');
    await page.goto(`${school.network.url}/tests/${testId}/results`);
    await page.getByText('Пробная').first().waitFor();
    await audit(page, info, 'trials-results');
    await page.goto(`${base}/edit/custom`);
    const editor = new Editor(page);
    await editor.row('Ускорение тела, м/с²?').click();
    await editor.field('Текст вопроса').fill('Какова скорость тела?');
    await expect
      .poll(() => one(school.pool, 'select 1 from test_drafts where test_id = $1', [testId]))
      .not.toBeNull();
    await page.goto(`${base}/preview`);
    const frame = new Manage(page).frame(width < 1024 ? 'телефон' : 'компьютер');
    await frame.getByText('Какова скорость тела?').waitFor();
    await audit(page, info, 'preview-draft');
    await page.getByRole('radio', { name: 'Как опубликовано' }).check();
    await frame.getByText('Ускорение тела, м/с²?').waitFor();
    await audit(page, info, 'preview-published');
  });
}
