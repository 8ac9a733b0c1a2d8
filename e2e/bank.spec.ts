import type { Page } from '@playwright/test';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { finishAttempt, saveAnswer, startAttempt } from '#contract/passing.ts';
import type { Question } from '#contract/questions.ts';
import { one } from '#server/db/query.ts';
import { liveCall } from '#tests/live-call.ts';
import { Q, smallTest } from '#tests/school.ts';
import { audit } from './audit.ts';
import { tabTo } from './keys.ts';
import { sheetIsGone } from './pages/authoring.ts';
import { richQuestions } from './rich-test.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { openSignIn, pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.use({ viewport: { width: 1280, height: 800 } });

const FORCE = 'Единица силы?';
const tagged: Question[] = smallTest.map((question) =>
  question.questionId === Q.single ? { ...question, tags: ['ЕГЭ'] } : question,
);

/** Answers the question about force over the network, and finishes. */
async function sit(
  school: TestSchool,
  student: Person,
  testId: string,
  optionId: string,
): Promise<void> {
  const { token } = await openSignIn(school, student);
  const base = school.network.url;
  const started = await liveCall(base, startAttempt, { params: { id: testId } }, { token });
  const params = { id: started.body.userTestId };
  const body: Answer = { questionId: Q.single, kind: 'variant', optionIds: [optionId] };
  await liveCall(base, saveAnswer, { params, body }, { token });
  const finished = await liveCall(base, finishAttempt, { params }, { token });
  expect(finished.status).toBe(200);
}

const count = async (school: TestSchool, sql: string, values: unknown[] = []) =>
  (await one<{ count: number }>(school.pool, sql, values))?.count;

/** A school with two tests and three attempts, from before there was a bank. */
async function openBankSchool(school: TestSchool) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const students = await Promise.all(
    ['Анна', 'Борис', 'Вера'].map((userName) => school.person({ userName })),
  );
  const testId = await school.test(teacher, { students: students, questions: tagged });
  const name = 'Вариант для 9Б';
  const other = await school.test(teacher, {
    students: [],
    questions: richQuestions.slice(0, 1),
    lifecycle: 'draft',
    name,
  });
  for (const [index, student] of students.entries())
    await sit(school, student, testId, index < 2 ? 'b' : 'a');
  await school.stopServer();
  await school.startServer();
  await expect.poll(() => count(school, 'select count(*) as count from bank_uses')).toBe(7);
  return { teacher, testId, other, name };
}

const rowOf = (page: Page, text: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: text });
const menuOf = (page: Page) => page.getByRole('button', { name: `Действия с вопросом «${FORCE}»` });

async function act(page: Page, action: string): Promise<void> {
  await menuOf(page).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('a question is found by text and tag with its facility, is added to another test, changed, removed and restored', async ({
  page,
  school,
}, info) => {
  const { teacher, other, name } = await openBankSchool(school);
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/my/created`);
  await page.getByRole('link', { name: 'Банк вопросов' }).click();
  const search = page.getByRole('searchbox', { name: 'Поиск по тексту, теме или метке' });
  await search.fill('единица сил');
  const row = rowOf(page, FORCE);
  await expect(page.getByText('Найдено: 1 вопрос')).toBeAttached();
  await expect(row).toContainText('решают 67');
  await expect.poll(() => decodeURIComponent(pathOf(page))).toBe('/bank?searchQuery=единица+сил');
  await search.fill('');
  await expect(page.getByText('Найдено: 7 вопросов')).toBeAttached();
  await expect(rowOf(page, 'Тело массой 2 кг')).toContainText('ещё не решали');
  await page.getByLabel('Метка').first().click();
  await page.getByRole('option', { name: 'ЕГЭ (1)' }).click();
  await expect(page.getByText('Найдено: 1 вопрос')).toBeAttached();
  await page.reload();
  await expect(row).toContainText('ЕГЭ');

  // By the keyboard alone.
  await tabTo(page, menuOf(page), 50);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Добавить в тест…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('radio', { name }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Добавить', exact: true }));
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('status').filter({ hasText: `в конец теста «${name}»` }),
  ).toBeVisible();
  await sheetIsGone(page);
  await expect(row).toContainText('в 2 тестах');

  await act(page, 'Изменить');
  await page.getByRole('textbox', { name: 'Текст вопроса' }).fill('Единица силы в СИ?');
  await page.keyboard.press('Escape');
  await sheetIsGone(page);
  await page.getByRole('button', { name: 'Вернуться к правке' }).click();
  await page.getByRole('button', { name: 'Сохранить в банке' }).click();
  await sheetIsGone(page);
  await expect(row).toBeHidden();
  const changed = 'Единица силы в СИ?';
  await expect(rowOf(page, changed)).toContainText('решают 67');
  const storedCount = `select count(*) as count from test_drafts, jsonb_array_elements(questions) q
    where test_id = $1 and q ->> 'text' = $2`;
  expect(await count(school, storedCount, [other, FORCE])).toBe(1);

  await page.getByRole('button', { name: `Действия с вопросом «${changed}»` }).click();
  await page.getByRole('menuitem', { name: 'Убрать из банка…' }).click();
  await page.getByRole('button', { name: 'Убрать', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Ничего не найдено' })).toBeVisible();
  await sheetIsGone(page);
  await page.getByRole('button', { name: 'Вернуть' }).click();
  await expect(rowOf(page, changed)).toBeVisible();

  await page.goto(`${school.network.url}/bank`);
  await expect(page.getByRole('link', { name: 'Законы Ньютона' }).first()).toBeVisible();
  await audit(page, info, 'bank');
  await page.setViewportSize({ width: 360, height: 740 });
  await audit(page, info, 'bank');
});

test('questions of the bank are chosen for a test: its own are left out, the chosen ones stay', async ({
  page,
  school,
}, info) => {
  const { teacher, other } = await openBankSchool(school);
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/manage/${other}/edit/custom`);
  await page.getByRole('button', { name: 'Добавить вопрос' }).click();
  await page.getByRole('menuitem', { name: 'Из банка…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Вопросы из банка' });
  await expect(sheet.getByRole('checkbox')).toHaveCount(6);
  await expect(sheet.getByText('Тело массой 2 кг')).toBeHidden();
  await audit(page, info, 'bank picker');
  await sheet.getByRole('checkbox', { name: 'Опишите опыт' }).check();
  await sheet.getByRole('searchbox').fill('ЕГЭ');
  await expect(sheet.getByRole('checkbox')).toHaveCount(1);
  await sheet.getByRole('checkbox', { name: FORCE }).check();
  await page.setViewportSize({ width: 360, height: 740 });
  await audit(page, info, 'bank picker');
  await page.setViewportSize({ width: 1280, height: 800 });
  await sheet.getByRole('button', { name: 'Добавить 2 вопроса' }).click();
  await sheetIsGone(page);
  await expect(page.getByText('3 вопроса', { exact: true })).toBeVisible();
  await expect
    .poll(() =>
      count(school, 'select count(*) as count from bank_uses where test_id = $1 and is_current', [
        other,
      ]),
    )
    .toBe(3);
});
