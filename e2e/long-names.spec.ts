import { v7 } from 'uuid';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { keyedQuestions, makeMarkedAttempts } from '#tests/marked-attempts.ts';
import { RIGHT, smallTest } from '#tests/school.ts';
import type { Locator, Page } from '@playwright/test';
import { firstUnlessWhole } from '#tests/whole.ts';
import { BoardPage } from './pages/board.ts';
import { startElsewhere } from './remote-device.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });

const NAME =
  'Итоговая проверочная работа по механике за первое полугодие: законы Ньютона, импульс, работа, энергия и статика, 10 «Б»';
const SURNAMES = ['Александрова-Преображенская', 'Белов', 'Григорьев-Константинопольский', 'Ён'];
const GIVEN = ['Елизавета Константиновна', 'Лев', 'Тимофей Александрович'];
const longName = (index: number) => `${SURNAMES[index % 4]} ${GIVEN[index % 3]}`;

const fitsPage = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

/** Nothing of an element is cut, neither below nor at its side. */
const isWhole = (element: Locator): Promise<boolean> =>
  element.evaluate(
    (node) =>
      node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth + 1,
  );

const openTeacher = (school: TestSchool): Promise<Person> =>
  school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });

for (const width of firstUnlessWhole([320, 360])) {
  test(`at ${width} px a teacher reads the whole name of a test on each of its pages`, async ({
    page,
    school,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    const teacher = await openTeacher(school);
    const testId = await school.test(teacher, { students: [], name: NAME });
    await signIn(page, school, teacher);
    const base = school.network.url;
    await page.goto(`${base}/tests/my/created`);
    const link = page.getByRole('link', { name: NAME });
    await link.waitFor();
    expect(await isWhole(link)).toBe(true);
    await fitsPage(page);
    for (const path of ['edit/custom', 'settings', 'preview', 'live', 'grading', 'statistics']) {
      await page.goto(`${base}/tests/manage/${testId}/${path}`);
      const heading = page.getByRole('heading', { level: 1, name: NAME });
      await heading.waitFor();
      expect(await isWhole(heading), path).toBe(true);
      await fitsPage(page);
    }
  });
}

for (const width of firstUnlessWhole([1024, 360, 820, 1280])) {
  test(`at ${width} px the live board of 30 long names stays within its frames`, async ({
    page,
    school,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const teacher = await openTeacher(school);
    const students: Person[] = [];
    for (let i = 0; i < 30; i += 1) students.push(await school.person({ userName: longName(i) }));
    const testId = await school.test(teacher, { students, questions: smallTest });
    const answers = Object.values(RIGHT);
    for (const [i, student] of students.entries()) {
      if (i > 11 || i % 5 === 4) continue;
      const device = await startElsewhere(school, student, testId);
      for (const answer of answers.slice(0, 1 + (i % 3))) await device.answer(answer);
      if (i % 7 === 0) await device.finish();
    }
    await execute(
      school.pool,
      `update streams set last_heard_at = last_heard_at - interval '12 minutes',
         head_at = head_at - interval '12 minutes', head_since = head_since - interval '12 minutes'`,
      [],
    );
    await signIn(page, school, teacher);
    await new BoardPage(page).open(school.network.url, testId);
    const row = new BoardPage(page).row(longName(0)).first();
    await expect(row).toContainText('сдано');
    await fitsPage(page);
    const tables = page.getByRole('table', { name: /^Ученики/ });
    for (const table of await tables.all()) {
      const overflow = await table.evaluate(
        (node) => node.scrollWidth - (node.parentElement?.clientWidth ?? 0),
      );
      expect(overflow).toBeLessThanOrEqual(0);
    }
    // «сдано 10:43» is one line: its icon and its time stand together.
    const { height } = (await row.locator('td > span').first().boundingBox()) ?? { height: 0 };
    expect(height).toBeGreaterThan(0);
    expect(height).toBeLessThan(40);
  });
}

for (const [width, most] of firstUnlessWhole([
  [360, 6_000],
  [820, 3_700],
  [1280, 3_000],
] as const)) {
  test(`at ${width} px the statistics of 30 students and 20 questions are short and fit`, async ({
    page,
    school,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const teacher = await openTeacher(school);
    const questions = keyedQuestions(20).map((question, i) => ({
      ...question,
      text: `Тело массой ${i + 1} кг движется по горизонтальной поверхности; чему равно ускорение?`,
    }));
    const testId = await school.test(teacher, { students: [], questions, name: NAME });
    const builder = { pool: school.pool, deps: { newId: () => v7() }, clock: { now: new Date() } };
    const { userIds } = await makeMarkedAttempts(builder, testId, questions, 30);
    for (const [i, id] of userIds.entries())
      await execute(school.pool, 'update users set user_name = $2 where id = $1', [
        id,
        longName(i),
      ]);
    await signIn(page, school, teacher);
    await page.goto(`${school.network.url}/tests/manage/${testId}/statistics`);
    await page.locator('.recharts-bar-rectangle').first().waitFor();
    await fitsPage(page);
    const items = page.getByRole('region', { name: 'Вопросы' });
    const answers = items.getByRole('button', { name: /^Ответы на вопрос \d+$/ });
    await expect(answers).toHaveCount(width < 640 ? 5 : 10);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeLessThan(most);
    if (width >= 640) {
      const cell = items.getByRole('cell', { name: /Тело массой 1 кг/ });
      expect((await cell.boundingBox())?.width).toBeGreaterThan(240);
    }
    await items.getByRole('button', { name: 'Показать все: 20 вопросов' }).click();
    await expect(answers).toHaveCount(20);
    await fitsPage(page);
  });
}
