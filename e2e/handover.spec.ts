import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { rows } from '#server/db/query.ts';
import { Q, RIGHT } from '#tests/school.ts';
import { audit } from './audit.ts';
import { type Device, expect, test } from './device.ts';
import { recordCodes, writeQrVideo } from './qr-video.ts';
import { countingAnswers } from './journal.ts';
import { OfflineStart } from './pages/offline-start.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { showCode, signInToOverview, TITLE } from './start.ts';
import { PASSWORD, type Person, type TestSchool } from './test-school.ts';

/** At the top of the full-screen dialog and at its end. */
async function expectHeadingInSight(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const heading = dialog.getByRole('heading', { name: /через камеру/ });
  for (const top of [0, 100_000]) {
    await dialog.evaluate((element, to) => element.scrollTo(0, to), top);
    await expect(heading).toBeInViewport({ ratio: 1 });
  }
}

/** A camera reads a code only as a whole, so that nobody needs to scroll to it. */
async function expectWholeInSight(page: Page, codes: Locator): Promise<void> {
  const own = page.viewportSize() ?? { width: 1280, height: 720 };
  const sizes = [
    { width: 820, height: 1100 },
    { width: 800, height: 600 },
    { width: 360, height: 740 },
    { width: 320, height: 640 },
    { width: 1280, height: 720 },
  ];
  for (const size of [...sizes, own]) {
    await page.setViewportSize(size);
    await expect(codes, `${size.width} px`).toBeInViewport({ ratio: 1 });
  }
}

/** Begins the prepared test by its code without a network, answers twice and finishes. */
async function sitWithoutNetwork(
  phone: Device,
  school: TestSchool,
  { student, testId }: { student: Person; testId: string },
): Promise<Page> {
  const page = await phone.open();
  const overview = await signInToOverview(page, student);
  await overview.untilReady();
  const offline = new OfflineStart(page);
  await expect(offline.ready).toBeVisible();
  const code = await showCode(school, testId);
  await phone.goOffline();
  await offline.open.click();
  await offline.enterUntilTried(code);
  const taking = new Taking(page);
  await taking.textAnswer.fill('4,9');
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await expect(taking.onDevice).toBeVisible();
  await taking.finish();
  await expect(new Verdict(page).stay).toBeVisible();
  return page;
}

async function makeLesson(school: TestSchool) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person({ userName: 'Анна Кузнецова' });
  const testId = await school.test(teacher, {
    students: [student],
    name: TITLE,
    offlineStart: true,
  });
  return { teacher, student, testId };
}

/** More codes than a reader needs for the answers of these tests. */
const CODES = 12;

test('a test that was begun without a network goes to the teacher’s camera and counts; the receipts come back by camera, and the device sends nothing twice', async ({
  device,
  school,
}, info) => {
  const { teacher, student, testId } = await makeLesson(school);
  const phone = await device('phone');
  phone.camera = info.outputPath('receipts.y4m');
  // Chromium opens the recording only when the camera is used.
  await writeQrVideo(phone.camera, []);
  const page = await sitWithoutNetwork(phone, school, { student, testId });

  await page.getByRole('button', { name: 'Передать ответы через камеру' }).click();
  const codes = page.getByRole('img', { name: 'QR-коды с ответами для камеры преподавателя' });
  await expectWholeInSight(page, codes);
  await expectHeadingInSight(page);
  await audit(page, info, 'handover-show');
  const laptop = await device('desktop');
  laptop.camera = info.outputPath('answers.y4m');
  await writeQrVideo(laptop.camera, await recordCodes(codes, CODES));

  const desk = await laptop.open();
  await desk.goto(`/tests/manage/${testId}/grading?view=missing`);
  await new SignIn(desk).signIn({ email: teacher.email, password: PASSWORD });
  await desk.getByRole('button', { name: 'Принять через камеру…' }).click();
  await expect(
    desk.getByText('Анна Кузнецова: принято начало теста, 2 ответа, завершение теста.'),
  ).toBeVisible({ timeout: 30_000 });
  const receipts = desk.getByRole('img', { name: 'QR-коды с подтверждением для ученика' });
  await expectWholeInSight(desk, receipts);
  await expectHeadingInSight(desk);
  await audit(desk, info, 'handover-receive');
  const attempt = await school.attempt(student);
  expect(attempt).toMatchObject({ ended: 'finished' });
  const attemptId = attempt?.id ?? '';
  expect(await countingAnswers(school.pool, attemptId)).toMatchObject({
    [Q.open]: { text: '4,9' },
    [Q.single]: RIGHT.single,
  });

  await writeQrVideo(phone.camera, await recordCodes(receipts, CODES));
  await page.getByRole('button', { name: 'Прочитать подтверждение' }).click();
  await expect(new Verdict(page).mayClose).toBeVisible({ timeout: 30_000 });

  // The camera stayed open behind the codes: the same answers are read again, and change nothing.
  await Promise.all([
    desk.waitForResponse((response) => /handover/i.test(response.url()), { timeout: 60_000 }),
    desk.getByRole('button', { name: 'Следующий ученик' }).click(),
  ]);
  await expect(receipts).toBeVisible();

  await phone.goOnline();
  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
  const journal = await rows<{ kind: string }>(
    school.pool,
    'select kind from operations where attempt_id = $1',
    [attemptId],
  );
  expect(journal).toHaveLength(3);
});

test('the receipts come back as a file where there is no camera', async ({
  device,
  school,
}, info) => {
  const { teacher, student, testId } = await makeLesson(school);
  const phone = await device('phone');
  const page = await sitWithoutNetwork(phone, school, { student, testId });
  const [answers] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Сохранить ответы в файл' }).click(),
  ]);

  const desk = await (await device('desktop')).open();
  await desk.goto(`/tests/manage/${testId}/grading?view=missing`);
  await new SignIn(desk).signIn({ email: teacher.email, password: PASSWORD });
  await desk.getByRole('button', { name: 'Ответы из файла…' }).click();
  await desk.getByLabel('Файл с ответами').setInputFiles(await answers.path());
  await desk.getByRole('button', { name: 'Загрузить', exact: true }).click();
  await expect(desk.getByText('Анна Кузнецова: принято начало теста, 2 ответа')).toBeVisible();
  for (const width of [360, 820, 1280]) {
    await desk.setViewportSize({ width, height: 860 });
    await audit(desk, info, 'confirmation-save');
  }
  const [confirmation] = await Promise.all([
    desk.waitForEvent('download'),
    desk.getByRole('button', { name: 'Сохранить подтверждение' }).click(),
  ]);
  expect(confirmation.suggestedFilename()).toBe('Подтверждение, Анна Кузнецова.json');
  const text = await readFile(await confirmation.path(), 'utf8');

  await page.getByRole('button', { name: 'Передать ответы через камеру' }).click();
  await page.getByRole('button', { name: 'Прочитать подтверждение' }).click();
  const dialog = page.getByRole('dialog', { name: 'Подтверждение' });
  const pick = (content: string) =>
    dialog.getByLabel('Файл с подтверждением').setInputFiles({
      name: 'Подтверждение.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
  await pick(text.slice(0, -9));
  await expect(dialog.getByText('Это не файл с подтверждением')).toBeVisible();
  for (const width of [360, 820, 1280]) {
    await page.setViewportSize({ width, height: 860 });
    await audit(page, info, 'confirmation-read');
  }
  await pick(text);
  await expect(new Verdict(page).mayClose).toBeVisible();
});
