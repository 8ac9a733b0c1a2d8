import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { execute, one } from '#server/db/query.ts';
import { Q, smallTest } from '#tests/school.ts';
import { expect, test } from './device.ts';
import { Manage } from './pages/authoring.ts';
import { Editor } from './pages/editor.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { takeElsewhere } from './remote-device.ts';
import { everythingStored, placesWith } from './stored.ts';
import { PASSWORD, type Person, type TestSchool } from './test-school.ts';

const [FIRST] = smallTest.map(({ text }) => text) as [string, ...string[]];
const TITLE = 'Контрольная с ключами';
const EDITED = 'Правка с верным ответом Шрёдингера';
const QUARANTINED = 'Испорченная правка с ключом Гейзенберга';
const AGAIN = 'Вторая правка с ключом Бора';

async function onServer(school: TestSchool): Promise<string> {
  const row = await one<{ questions: unknown }>(
    school.pool,
    'select questions from test_drafts where questions is not null',
  );
  return JSON.stringify(row?.questions ?? []);
}

/** Puts a row into the database of working copies, as an app that was closed has left it. */
const leaveRow = (page: Page, store: string, key: string, text: string) =>
  page.evaluate(
    ([name, id, value]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('exam-room-drafts');
        opening.addEventListener('error', () => reject(new Error(String(opening.error))));
        opening.addEventListener('success', () => {
          const tx = opening.result.transaction([name], 'readwrite');
          tx.objectStore(name).put({ mine: value, points: Number.NaN, none: undefined }, id);
          tx.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
        });
      }),
    [store, key, text] as const,
  );

/** How many working copies wait on the device, readable or not. */
const rowsOnDevice = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('exam-room-drafts');
        opening.addEventListener('success', () => {
          const counting = opening.result.transaction('drafts').objectStore('drafts').count();
          counting.addEventListener('success', () => {
            opening.result.close();
            resolve(counting.result);
          });
        });
      }),
  );

/** How many forms the tab has stored, readable or not. */
const formsInTab = (page: Page) =>
  page.evaluate(
    () => Object.keys(sessionStorage).filter((key) => /^(grading|settings):/.test(key)).length,
  );

async function found(page: Page, words: readonly string[]): Promise<string[]> {
  const stored = await everythingStored(page);
  return words.flatMap((word) => placesWith(stored, word).map((place) => `${word}: ${place}`));
}

/** Opens the editor of a new test on a class computer, with the app's worker. */
async function openEditor(page: Page, teacher: Person, testId: string, name = FIRST) {
  await page.goto('/login');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto(`/tests/manage/${testId}/edit/custom`);
  await new SignIn(page).signIn({ email: teacher.email, password: PASSWORD });
  const editor = new Editor(page);
  await editor.row(name).click();
  await expect(editor.field('Текст вопроса')).toHaveValue(name);
  return editor;
}

const askToSignOut = (page: Page) =>
  page.getByRole('button', { name: 'Выйти', exact: true }).click();

test('an edit right before the sign-out reaches the server, and nothing of it stays in the clear', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person({ userName: 'Анна Кузнецова' });
  const testId = await school.test(teacher, { students: [], name: TITLE, lifecycle: 'draft' });
  const computer = await device('desktop');
  const page = await computer.open();
  const editor = await openEditor(page, teacher, testId);
  await leaveRow(page, 'broken', `${teacher.userId}/${testId}/old`, QUARANTINED);
  await editor.field('Текст вопроса').fill(EDITED);
  await askToSignOut(page);
  await expect(page).toHaveURL(/\/login$/);
  expect(await onServer(school)).toContain(EDITED);
  const words = [EDITED, QUARANTINED, TITLE, FIRST, teacher.userName];
  await expect.poll(() => found(page, words)).toEqual([]);

  await page.reload();
  await new SignIn(page).signIn({ email: student.email, password: PASSWORD });
  await expect(page).toHaveURL(/\/$|\/tests/);
  expect(await found(page, words)).toEqual([]);
});

test('offline the author decides: sent later, left encrypted, deleted', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const other = await school.person({ role: ROLE.teacher, userName: 'И. П. Громов' });
  const testId = await school.test(teacher, { students: [], name: TITLE, lifecycle: 'draft' });
  const computer = await device('desktop');
  const page = await computer.open();
  const shell = new Shell(page);
  const signIn = new SignIn(page);
  const editor = await openEditor(page, teacher, testId);
  const text = editor.field('Текст вопроса');
  const press = (name: string) => shell.logoutQuestion.getByRole('button', { name }).click();

  // Left encrypted.
  await computer.goOffline();
  await text.fill(EDITED);
  await askToSignOut(page);
  await expect(shell.logoutQuestion).toContainText('Правки в 1 тесте ещё не на сервере');
  await press('Оставить зашифрованными');
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => found(page, [EDITED, TITLE, FIRST])).toEqual([]);
  expect(await rowsOnDevice(page)).toBe(1);
  await computer.goOnline();
  await signIn.signIn({ email: other.email, password: PASSWORD });
  await expect(page).not.toHaveURL(/login/);
  await page.goto(`/tests/manage/${testId}/edit/custom`);
  expect(await found(page, [EDITED, TITLE, FIRST])).toEqual([]);
  await page.goto('/tests/my');
  await askToSignOut(page);
  await expect(page).toHaveURL(/\/login$/);
  expect(await onServer(school)).not.toContain(EDITED);
  await openEditor(page, teacher, testId, EDITED);
  await expect.poll(() => onServer(school)).toContain(EDITED);
  await expect.poll(() => rowsOnDevice(page)).toBe(0);

  // Sent once the network is back.
  await computer.goOffline();
  await text.fill(AGAIN);
  await askToSignOut(page);
  await press('Отправить');
  await expect(shell.logoutQuestion).toContainText('Сервер не отвечает');
  await computer.goOnline();
  await press('Отправить');
  await expect(page).toHaveURL(/\/login$/);
  expect(await onServer(school)).toContain(AGAIN);
  await expect.poll(() => found(page, [AGAIN, TITLE])).toEqual([]);

  // Deleted.
  await openEditor(page, teacher, testId, AGAIN);
  await computer.goOffline();
  await text.fill(EDITED);
  await askToSignOut(page);
  await press('Удалить');
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => rowsOnDevice(page)).toBe(0);
  await expect.poll(() => found(page, [EDITED, TITLE])).toEqual([]);
  await computer.goOnline();
  await page.goto(`/tests/manage/${testId}/edit/custom`);
  await signIn.signIn({ email: teacher.email, password: PASSWORD });
  await expect(editor.row(AGAIN)).toBeVisible();
  expect(await onServer(school)).not.toContain(EDITED);
});

test('forms interrupted by an expired sign-in cannot be read on the device and return to their author alone', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const other = await school.person({ role: ROLE.admin, userName: 'И. П. Громов' });
  const student = await school.person({ userName: 'Анна Кузнецова' });
  const testId = await school.test(teacher, { students: [student], name: TITLE });
  await takeElsewhere(school, student, testId, [
    { questionId: Q.essay, kind: 'open', text: 'Опыт с пружиной' },
  ]);
  const page = await (await device('desktop')).open();
  const manage = new Manage(page);
  const signIn = new SignIn(page);
  const comment = page.getByLabel('Комментарий ученику');
  const words = [EDITED, AGAIN];

  await page.goto('/login');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto(`/tests/manage/${testId}/grading`);
  await signIn.signIn({ email: teacher.email, password: PASSWORD });
  await comment.fill(AGAIN);
  await manage.tab('Настройки').click();
  await manage.field('Название').fill(EDITED);
  await execute(school.pool, 'delete from sessions', []);
  await manage.saveWithoutSignIn();
  await expect.poll(() => found(page, words)).toEqual([]);
  await expect.poll(() => formsInTab(page)).toBe(2);
  await page.reload();
  await expect(signIn.submit).toBeVisible();
  expect(await found(page, words)).toEqual([]);

  await signIn.signIn({ email: other.email, password: PASSWORD });
  await expect(manage.field('Название')).toHaveValue(TITLE);
  expect(await found(page, words)).toEqual([]);
  await askToSignOut(page);
  await expect(page).toHaveURL(/\/login$/);

  await page.goto(`/tests/manage/${testId}/settings`);
  await signIn.signIn({ email: teacher.email, password: PASSWORD });
  await expect(manage.field('Название')).toHaveValue(EDITED);
  await manage.save.click();
  await expect(manage.state).toContainText('Сохранено на сервере');
  await manage.tab('Проверка').click();
  await expect(comment).toHaveValue(AGAIN);
  await askToSignOut(page);
  await expect(page).toHaveURL(/\/login$/);
  expect(await formsInTab(page)).toBe(0);
  await expect.poll(() => found(page, words)).toEqual([]);
});
