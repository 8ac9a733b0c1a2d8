import { ROLE } from '#contract/auth.ts';
import { expect, test } from './device.ts';
import { morningZone, PICTURE_SCALE, takePicture } from './help-picture.ts';
import { BoardPage } from './pages/board.ts';
import { OfflineStart } from './pages/offline-start.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { recordCodes, writeQrVideo } from './qr-video.ts';
import { openLesson, seedAttempts, stopForMinutes } from './seeded-lesson.ts';
import { beginWithoutProof, showCode, signInToOverview, TITLE } from './start.ts';
import { PASSWORD } from './test-school.ts';
import { signIn } from './visitor.ts';

const ZONE = morningZone();
const SETTINGS = { SCHOOL_TIMEZONE: ZONE };
const CONTEXT = {
  timezoneId: ZONE,
  deviceScaleFactor: PICTURE_SCALE,
  reducedMotion: 'no-preference',
} as const;

test.beforeEach(async ({ school }) => {
  await school.stopServer();
  await school.startServer(SETTINGS);
});

test('pictures of a test without a network, from the ready device to the receipt', async ({
  device,
  school,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const testId = await school.test(teacher, { students: [anna], name: TITLE, offlineStart: true });
  const phone = await device('phone');
  const page = await phone.open(CONTEXT);
  // As for an installed app: this browser does not promise to keep what it stores.
  await page.addInitScript(() => {
    navigator.storage.persisted = () => Promise.resolve(true);
  });
  const overview = await signInToOverview(page, anna);
  await overview.untilReady();
  const offline = new OfflineStart(page);
  await expect(offline.ready).toBeVisible();
  await page.getByText('Что проверено').click();
  const readiness = page.getByRole('region', { name: 'Готовность устройства' });
  await takePicture('student-device-ready', readiness, { margin: 12 });

  const code = await showCode(school, testId);
  await phone.goOffline();
  await offline.open.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Код начала' }).fill(code);
  await takePicture('student-enter-code', dialog);
  await offline.enterUntilTried(code);
  const taking = new Taking(page);
  await taking.textAnswer.fill('4,9');
  await expect(taking.onDevice).toBeVisible();
  await takePicture('student-saved-on-device', page.locator('body'), {
    until: taking.onDevice,
    margin: 16,
  });

  await taking.finish();
  await expect(new Verdict(page).stay).toBeVisible();
  await page.getByRole('button', { name: 'Передать ответы через камеру' }).click();
  const codes = page.getByRole('img', { name: 'QR-коды с ответами для камеры преподавателя' });
  await expect(codes).toBeVisible();
  await takePicture('student-hand-over', page.getByRole('dialog'), {
    until: page.getByText('Преподаватель открывает «Проверку»'),
    margin: 8,
  });

  const laptop = await device('desktop');
  laptop.camera = info.outputPath('answers.y4m');
  await writeQrVideo(laptop.camera, await recordCodes(codes, 12));
  const desk = await laptop.open({ ...CONTEXT, viewport: { width: 560, height: 1000 } });
  await signIn(desk, { ...school, network: laptop.network }, teacher);
  await desk.goto(`/tests/manage/${testId}/grading?view=missing`);
  await desk.getByRole('button', { name: 'Принять через камеру…' }).click();
  await expect(desk.getByText('Анна Кузнецова: принято')).toBeVisible();
  await takePicture('teacher-receive', desk.getByRole('dialog'), {
    from: desk.getByRole('img', { name: 'QR-коды с подтверждением для ученика' }),
    until: desk.getByRole('button', { name: 'Следующий ученик' }),
    margin: 16,
  });

  await phone.goOnline();
  await page.reload();
  await expect(new Verdict(page).mayClose).toBeVisible();
  await page.getByRole('button', { name: 'Квитанция', exact: true }).click();
  const receipt = page.getByRole('dialog', { name: 'Квитанция' });
  await expect(receipt.getByRole('img', { name: /QR-код/ })).toBeVisible();
  await takePicture('student-receipt', receipt);
});

test.describe('pictures of a desk:', () => {
  test.use({ ...CONTEXT, viewport: { width: 1024, height: 700 }, serviceWorkers: 'block' });

  test('who is ready, the start code, and begins that wait', async ({ device, school, page }) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person({ userName: 'Анна Кузнецова' });
    const boris = await school.person({ userName: 'Борис Орлов' });
    const students = [anna, boris];
    const testId = await school.test(teacher, { students, name: TITLE, offlineStart: true });
    const student = await (await device('phone')).open(CONTEXT);
    await (await signInToOverview(student, anna)).untilReady();
    await expect(new OfflineStart(student).ready).toBeVisible();

    await signIn(page, school, teacher);
    await page.goto(`${school.network.url}/tests/manage/${testId}/readiness`);
    const readiness = page.getByRole('table', { name: 'Готовность устройств' });
    await expect(readiness).toBeVisible();
    await takePicture('teacher-readiness', page.getByRole('main'), {
      from: page.getByRole('heading', { name: 'Готовность устройств' }),
      margin: 16,
    });
    await page.goto(`${school.network.url}/tests/manage/${testId}/live`);
    await page.getByRole('button', { name: 'Показать код' }).click();
    await page.getByRole('button', { name: 'На весь экран' }).click();
    await page.setViewportSize({ width: 960, height: 560 });
    await takePicture('teacher-start-code', page.getByRole('dialog'), {
      from: page.getByRole('heading', { name: 'Код начала' }).last(),
      until: page.getByRole('button', { name: 'Распечатать' }),
      margin: 24,
    });

    await beginWithoutProof(school, boris, testId);
    await page.goto(`${school.network.url}/tests/manage/${testId}/grading?view=held`);
    const begins = page.getByRole('region', { name: 'Начала без сети' });
    await begins.getByRole('checkbox', { name: /^Борис Орлов/ }).check();
    await takePicture('teacher-held-begins', begins, { margin: 12 });
  });

  test('minutes that a failure cost', async ({ school, page }) => {
    const { teacher, students, testId } = await openLesson(school);
    await seedAttempts(school, students, testId);
    await stopForMinutes(school, SETTINGS);
    const board = new BoardPage(page);
    await signIn(page, school, teacher);
    await board.open(school.network.url, testId);
    await page.getByRole('button', { name: 'Вернуть по 7 минут 3 ученикам…' }).click();
    const giving = board.dialog('Вернуть минуты');
    await expect(giving.getByRole('checkbox', { name: /^Абрамов Лев/ })).toBeChecked();
    await takePicture('teacher-give-back', giving);
  });

  test('the key that signs receipts, after a change', async ({ school, page }) => {
    const admin = await school.person({ role: ROLE.admin, userName: 'П. П. Громов' });
    await page.goto(`${school.network.url}/admin/audit`);
    // A change of the key needs a password that was typed a short time ago.
    await new SignIn(page).signIn({ email: admin.email, password: PASSWORD });
    await page.getByRole('button', { name: 'Ключ квитанций' }).click();
    const keys = page.getByRole('dialog', { name: 'Ключ квитанций' });
    await keys.getByRole('button', { name: 'Сменить ключ квитанций' }).click();
    await page.getByRole('button', { name: 'Сменить ключ', exact: true }).click();
    await expect(keys.getByRole('heading', { name: 'Прежние ключи' })).toBeVisible();
    await takePicture('operator-receipt-keys', keys);
  });
});
