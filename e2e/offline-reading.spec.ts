import type { Page } from '@playwright/test';
import { v7 } from 'uuid';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { audit } from './audit.ts';
import { expect, test, type Device } from './device.ts';
import { attemptOf } from './journal.ts';
import { Overview } from './pages/overview.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { Verdict } from './pages/verdict.ts';
import { PASSWORD, type Person, type TestSchool } from './test-school.ts';
import { signInAndStart, TITLE } from './start.ts';
import { everythingStored, placesWith } from './stored.ts';

test.describe.configure({ mode: 'parallel' });

/** A running attempt with two answers on the server, which the persisted queries have. */
async function answeredTwice(school: TestSchool, phone: Device) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student] });
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  await taking.textAnswer.fill('4,90007315');
  await expect(taking.onServer).toBeVisible();
  await taking.goTo(2);
  await taking.choose('Паскаль');
  await expect(taking.onServer).toBeVisible();
  const persisted = () =>
    page.evaluate((owner) => localStorage.getItem(`queries:${owner}`) ?? '', student.userId);
  await expect.poll(persisted).toMatch(/4,90007315.*optionIds":\["a"\]/);
  return { page, taking, testId, student };
}

const copyNote = (page: Page) =>
  page.getByRole('status').filter({ hasText: /^Показано сохранённое в \d\d:\d\d\./ });

test('with an emptied IndexedDB and no network, time left and saved answers come from the persisted queries, marked so', async ({
  device,
  school,
}, info) => {
  const phone = await device('phone');
  const { page, taking, testId } = await answeredTwice(school, phone);
  // A page of the same origin without the app.
  await page.goto('/healthz');
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase('exam-room');
        deleting.addEventListener('success', () => resolve());
        deleting.addEventListener('error', () => reject(new Error(String(deleting.error))));
      }),
  );
  await phone.goOffline();
  await page.goto(`/tests/${testId}`);
  const shown = async () => {
    await expect(copyNote(page)).toContainText('в памяти браузера этого теста нет');
    await expect(taking.timer).toHaveText(/^(?:1:)?\d{1,2}:\d\d осталось$/);
    await expect(page.getByRole('listitem')).toHaveText([
      /^4,90007315Сохранено на сервере \d\d:\d\d$/,
      /^Выбрано: 1\sвариантСохранено на сервере \d\d:\d\d$/,
    ]);
    await expect(page.getByRole('textbox')).toHaveCount(0);
  };
  await shown();
  await page.reload();
  await shown();
  await audit(page, info, 'copy-phone');
  await page.setViewportSize({ width: 820, height: 1100 });
  await audit(page, info, 'copy-tablet');
  await page.setViewportSize({ width: 1280, height: 860 });
  await audit(page, info, 'copy-desktop');

  // The server's reply replaces the copy: the test continues from there.
  await phone.goOnline();
  await expect(page).toHaveURL(/\/overview$/);
  await new Overview(page).goOnHere();
  await expect(taking.textAnswer).toHaveValue('4,90007315');
});

test('questions with a damaged row on the device are reloaded from the server in the same attempt', async ({
  device,
  school,
}, info) => {
  const phone = await device('phone');
  const { page, taking, testId, student } = await answeredTwice(school, phone);
  await page.goto('/healthz');
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('exam-room');
        opening.addEventListener('error', () => reject(new Error(String(opening.error))));
        opening.addEventListener('success', () => {
          const database = opening.result;
          const writing = database.transaction('contents', 'readwrite');
          const contents = writing.objectStore('contents');
          const reading = contents.getAll();
          reading.addEventListener('success', () => {
            for (const row of reading.result) contents.put({ ...row, questions: 'damaged' });
          });
          writing.addEventListener('complete', () => {
            database.close();
            resolve();
          });
        });
      }),
  );
  await phone.goOffline();
  await page.goto(`/tests/${testId}`);
  const problem = page.getByRole('alert');
  await expect(problem).toContainText('Вопросы этого теста на устройстве не сохранились.');
  await expect(problem).toContainText('Сервер не отвечает.');
  await audit(page, info, 'lost-questions-phone');
  await phone.goOnline();
  await problem.getByRole('button', { name: 'Повторить' }).click();
  await expect(taking.timer).toBeVisible();
  await taking.goTo(1);
  await expect(taking.textAnswer).toHaveValue('4,90007315');
  const { rows } = await school.pool.query('select id from attempts where user_id = $1', [
    student.userId,
  ]);
  expect(rows).toHaveLength(1);
});

test('with an IndexedDB that never answers and no network, the same is shown, and is gone after the sign-out', async ({
  device,
  school,
}, info) => {
  const phone = await device('phone');
  const { page, taking, testId } = await answeredTwice(school, phone);
  await page.addInitScript(() => {
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function openSilently(this: IDBFactory, ...given) {
      const request = open.apply(this, given);
      request.addEventListener = () => undefined;
      return request;
    };
  });
  await phone.goOffline();
  await page.goto(`/tests/${testId}`);
  await expect(page.getByText('Память устройства отвечает долго.')).toBeVisible();
  await expect(copyNote(page)).toBeVisible();
  await expect(copyNote(page)).not.toContainText('в памяти браузера');
  await expect(
    page.getByRole('status').filter({ hasText: 'Память браузера не отвечает' }),
  ).toContainText('не пропало');
  await expect(taking.timer).toContainText('осталось');
  await expect(page.getByRole('listitem').first()).toContainText('4,90007315');
  await audit(page, info, 'silent-phone');

  await page.getByRole('button', { name: 'К тестам' }).click();
  const shell = new Shell(page);
  await shell.askToSignOut();
  await expect(page).toHaveURL(/\/login$/);
  const inLocalStorage = () => page.evaluate(() => JSON.stringify(localStorage));
  expect(await inLocalStorage()).not.toContain('4,90007315');
  expect(await inLocalStorage()).not.toContain('queries:');
});

async function addProject(school: TestSchool, owner: Person, name: string): Promise<string> {
  const id = v7();
  await execute(
    school.pool,
    `insert into projects (id, owner_id, name, short_description, description, landing_url, views,
       created_at, updated_at)
     values ($1, $2, $3, 'Краткое описание', 'Полив включается по расписанию',
       'https://school.test/', 0, now(), now())`,
    [id, owner.userId, name],
  );
  return id;
}

const savedNote = (page: Page) =>
  page.getByRole('status').filter({ hasText: /^Нет связи с сервером\. Обновлено в \d\d:\d\d$/ });

test('attempts, answers and projects that were opened are readable without a network, by their addresses, with their age', async ({
  device,
  school,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student] });
  const projectId = await addProject(school, teacher, 'Умная теплица');
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  await taking.textAnswer.fill('4,90007315');
  await expect(taking.onServer).toBeVisible();
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  const { id: attemptId } = await attemptOf(school.pool, student);

  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).first();
  const pages: Readonly<Record<string, () => Promise<void>>> = {
    [`/tests/${testId}/results`]: async () =>
      expect(page.getByRole('link', { name: /^Попытка 1,/ })).toBeVisible(),
    [`/tests/${testId}/results/${attemptId}/preview`]: async () => {
      await expect(heading('Вопрос 1')).toBeVisible();
      await expect(page.getByRole('main')).toContainText('4,90007315');
    },
    '/projects': async () =>
      expect(page.getByRole('link', { name: 'Умная теплица' })).toBeVisible(),
    [`/projects/${projectId}`]: async () =>
      expect(page.getByRole('main')).toContainText('Полив включается по расписанию'),
  };
  for (const [path, isShown] of Object.entries(pages)) {
    await page.goto(path);
    await isShown();
    await expect(savedNote(page)).toBeHidden();
  }
  const storedPlaces = async () => placesWith(await everythingStored(page), 'теплица').join();
  await expect.poll(storedPlaces).toContain(`/api/ProjectCard/${projectId}`);

  await phone.goOffline();
  for (const [path, isShown] of Object.entries(pages)) {
    await page.goto(path);
    await page.reload();
    await isShown();
    await expect(savedNote(page)).toBeVisible();
    await audit(page, info, `saved-${path.split('/').at(-1)?.slice(0, 8)}`);
  }

  await page.goto('/tests/my');
  await new Shell(page).askToSignOut();
  await expect(page).toHaveURL(/\/login$/);
  await expect
    .poll(async () => {
      const stored = await everythingStored(page);
      return ['теплица', '4,90007315', TITLE].flatMap((word) => placesWith(stored, word));
    })
    .toEqual([]);
});

test("a student's answers and the key that a teacher viewed are left on no device", async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student] });
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  await taking.textAnswer.fill('4,90007315');
  await expect(taking.onServer).toBeVisible();
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  const { id: attemptId } = await attemptOf(school.pool, student);

  const desk = await device('desktop');
  const desktop = await desk.open();
  await desktop.goto('/login');
  await desktop.evaluate(() => navigator.serviceWorker.ready);
  await new SignIn(desktop).signIn({ email: teacher.email, password: PASSWORD });
  await expect(desktop).toHaveURL(/\/$/);
  await desktop.goto(`/tests/${testId}/results/${attemptId}/preview`);
  await expect(desktop.getByRole('main')).toContainText('4,90007315');
  await desktop.goto(`/tests/${testId}/results/${attemptId}`);
  await expect(desktop.getByRole('link', { name: 'Вопросы и ответы' })).toBeVisible();
  const places = async (word: string) => placesWith(await everythingStored(desktop), word);
  await expect.poll(async () => (await places(TITLE)).join()).toContain('/api/Test/results/');
  expect(await places('4,90007315')).toEqual([]);

  await desk.goOffline();
  await desktop.goto(`/tests/${testId}/results/${attemptId}/preview`);
  await expect(
    desktop.getByText(/^Этого результата на устройстве ещё нет, а сети нет/),
  ).toBeVisible();
});
