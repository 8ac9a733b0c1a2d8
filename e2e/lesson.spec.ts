import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { one } from '#server/db/query.ts';
import { Q, smallTest } from '#tests/school.ts';
import { expectArrivedOnce } from './answers.ts';
import { expect, test } from './device.ts';
import { attemptOf, countingAnswers } from './journal.ts';
import type { Network } from './network.ts';
import { OfflineStart } from './pages/offline-start.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { recordCodes, writeQrVideo } from './qr-video.ts';
import { showCode, signInToOverview, TITLE } from './start.ts';
import { PASSWORD, type Person, type TestSchool } from './test-school.ts';

/** A whole class: `LESSON_PHONES=30`. A run of all tests has a phone of each kind, and some more. */
const PHONES = Number(process.env['LESSON_PHONES'] ?? 6);
/** Each sixth student hands the answers over in a file, and each sixth by camera. */
const DELIVERIES = ['network', 'file', 'network', 'camera', 'network', 'network'] as const;
/** What the machine prepares at the same time. */
const AT_ONCE = 3;

const CODES = 12;
const MAX_BACK_OFF_MS = 45_000;

interface Phone {
  readonly number: number;
  readonly student: Person;
  readonly delivery: (typeof DELIVERIES)[number];
  readonly context: BrowserContext;
  readonly line: Network;
  page: Page;
}

const isOpenRight = ({ number }: Phone) => number % 3 !== 0;
const isSingleRight = ({ number }: Phone) => number % 2 === 0;
const essayOf = ({ number }: Phone) => `Опыт ученика ${number}`;
const pointsOf = (phone: Phone) => (isOpenRight(phone) ? 2 : 0) + (isSingleRight(phone) ? 1 : 0);

/** Does the work for all phones, for a few of them at the same time. */
async function forEachPhone(phones: readonly Phone[], work: (phone: Phone) => Promise<void>) {
  const left = [...phones];
  const next = async (): Promise<void> => {
    const phone = left.shift();
    if (!phone) return;
    await test.step(`phone ${phone.number}`, () => work(phone));
    await next();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function openPhone(browser: Browser, school: TestSchool, number: number): Promise<Phone> {
  const line = await school.line();
  const context = await browser.newContext({
    baseURL: line.url,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    serviceWorkers: 'allow',
  });
  return {
    number,
    student: await school.person({ userName: `Ученик Номер ${number}` }),
    delivery: DELIVERIES[number % DELIVERIES.length] ?? 'network',
    context,
    line,
    page: await context.newPage(),
  };
}

async function goOffline({ context, line }: Phone): Promise<void> {
  line.rule = () => 'loseRequest';
  await context.setOffline(true);
}

async function goOnline({ context, line }: Phone): Promise<void> {
  line.rule = () => 'deliver';
  await context.setOffline(false);
}

async function fetchOffer({ page, student }: Phone): Promise<void> {
  const overview = await signInToOverview(page, student);
  await overview.untilReady();
  await expect(new OfflineStart(page).ready).toBeVisible();
}

/** Returns after how many milliseconds the first question was shown. */
async function begin({ page }: Phone, code: string): Promise<number> {
  const from = performance.now();
  await new OfflineStart(page).enter(code);
  const taking = new Taking(page);
  await expect(taking.textAnswer).toBeVisible({ timeout: 300_000 });
  await expect(taking.timer).toBeVisible();
  return performance.now() - from;
}

/** The page ends in the middle of the test, without a last word, and is opened again without a network. */
async function killAndReopen(phone: Phone): Promise<void> {
  const { context, page } = phone;
  const crashed = page.waitForEvent('crash');
  const session = await context.newCDPSession(page);
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
  phone.page = await context.newPage();
  await phone.page.goto('/tests/my');
  await new Shell(phone.page).resumeTest();
}

async function pass(phone: Phone): Promise<void> {
  let taking = new Taking(phone.page);
  await taking.textAnswer.fill(isOpenRight(phone) ? '4,9' : '7');
  await expect(taking.onDevice).toBeVisible();
  await taking.goTo(2);
  await taking.choose(isSingleRight(phone) ? 'Ньютон' : 'Паскаль');
  await expect(taking.onDevice).toBeVisible();
  await killAndReopen(phone);
  taking = new Taking(phone.page);
  await taking.goTo(3);
  await taking.textAnswer.fill(essayOf(phone));
  await expect(taking.onDevice).toBeVisible();
  await taking.finish();
  await expect(new Verdict(phone.page).stay).toBeVisible();
}

/** «0.9, 1.2 s» */
const inSeconds = (times: readonly number[]) =>
  `${times
    .map((time) => Math.round(time / 100) / 10)
    .sort((a, b) => a - b)
    .join(', ')} s`;

const acceptedOf = ({ student }: Phone) =>
  `${student.userName}: принято начало теста, 3 ответа, завершение теста.`;

async function bringFile({ page, ...phone }: Phone, desk: Page): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('main').getByRole('button', { name: 'Сохранить ответы в файл' }).click(),
  ]);
  const buffer = await readFile(await download.path());
  await desk.getByRole('button', { name: 'Ответы из файла…' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog
    .getByLabel('Файл с ответами')
    .setInputFiles({ name: 'Ответы.json', mimeType: 'application/json', buffer });
  await dialog.getByRole('button', { name: 'Загрузить' }).click();
  await expect(dialog.getByText(acceptedOf({ page, ...phone }))).toBeVisible();
  await desk.reload();
}

/**
 * Returns after how many milliseconds the school had the answers that its camera saw.
 * @param video what the teacher's camera sees; the browser opens it anew with each use of the camera
 */
async function bringByCamera(phone: Phone, desk: Page, video: string): Promise<number> {
  const { page } = phone;
  await page.getByRole('button', { name: 'Передать ответы через камеру' }).click();
  const codes = page.getByRole('img', { name: 'QR-коды с ответами для камеры преподавателя' });
  await writeQrVideo(video, await recordCodes(codes, CODES));
  const from = performance.now();
  await desk.getByRole('button', { name: 'Принять через камеру…' }).click();
  await expect(desk.getByText(acceptedOf(phone))).toBeVisible();
  const passed = performance.now() - from;
  await desk.reload();
  await page.keyboard.press('Escape');
  await expect(new Verdict(page).stay).toBeVisible();
  return passed;
}

/** The receipt is fetched, and the phone checks it without a network. */
async function verifyReceipt(phone: Phone): Promise<void> {
  const { page } = phone;
  await page.getByRole('button', { name: 'Квитанция', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Квитанция' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Скачать файл' }).click(),
  ]);
  const receipt = await readFile(await download.path(), 'utf8');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('receipt-keys') ?? ''))
    .toContain('publicKey');
  await goOffline(phone);
  await page.goto('/verify');
  await page.getByLabel('Файл квитанции').setInputFiles({
    name: 'квитанция.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(receipt),
  });
  const status = page.getByRole('main').getByRole('status');
  await expect(status.filter({ hasText: 'Квитанция подлинная' })).toBeVisible();
  expect(receipt).toContain(`Ученик: ${phone.student.userName}\n`);
  expect(receipt).toContain('Ответов: 3\n');
}

test('a class begins by the code without a network, is killed and reopened, and hands its answers over by network, file and camera: all arrive once, marks are right, receipts are genuine', async ({
  browser,
  device,
  school,
}, info) => {
  test.setTimeout(Math.max(1, PHONES / 6) * info.timeout);
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const phones: Phone[] = [];
  for (let number = 1; number <= PHONES; number += 1)
    phones.push(await openPhone(browser, school, number));
  const testId = await school.test(teacher, {
    students: phones.map(({ student }) => student),
    name: TITLE,
    questions: smallTest.filter(({ questionId }) =>
      [Q.open, Q.single, Q.essay].some((id) => id === questionId),
    ),
    offlineStart: true,
  });
  await forEachPhone(phones, fetchOffer);
  for (const phone of phones) {
    await goOffline(phone);
    await new OfflineStart(phone.page).open.click();
  }

  const code = await showCode(school, testId);
  // One after another: each phone of a class has a processor of its own, and the server has no part in it.
  const times: number[] = [];
  for (const phone of phones) times.push(await begin(phone, code));
  info.annotations.push({
    type: 'begins',
    description: `${PHONES} phones show the question after ${inSeconds(times)}`,
  });
  await forEachPhone(phones, pass);
  for (const { student } of phones) expect(await school.attempt(student)).toBeNull();

  const laptop = await device('desktop');
  laptop.camera = info.outputPath('answers.y4m');
  await writeQrVideo(laptop.camera, []);
  const desk = await laptop.open();
  await desk.goto(`/tests/manage/${testId}/grading?view=missing`);
  await new SignIn(desk).signIn({ email: teacher.email, password: PASSWORD });
  const read: number[] = [];
  for (const phone of phones) {
    if (phone.delivery === 'file') await bringFile(phone, desk);
    if (phone.delivery === 'camera') read.push(await bringByCamera(phone, desk, laptop.camera));
    // These count although their phones have had no network yet.
    const attempt = await school.attempt(phone.student);
    expect(attempt?.ended ?? null).toBe(phone.delivery === 'network' ? null : 'finished');
  }
  info.annotations.push({
    type: 'camera',
    description: `the answers of ${read.length} phones are there after ${inSeconds(read)}`,
  });

  // All of them find the network, also those whose answers are there.
  await Promise.all(phones.map(goOnline));
  await forEachPhone(phones, async (phone) => {
    const { page, student } = phone;
    await expect(new Verdict(page).mayClose).toBeVisible({ timeout: 2 * MAX_BACK_OFF_MS });
    const attempt = await attemptOf(school.pool, student);
    expect(attempt).toMatchObject({ ended: 'finished', points: pointsOf(phone) });
    const { length } = await expectArrivedOnce([page], school.pool, attempt.id);
    expect(length).toBe(4);
    expect(await countingAnswers(school.pool, attempt.id)).toMatchObject({
      [Q.open]: { text: isOpenRight(phone) ? '4,9' : '7' },
      [Q.single]: { optionIds: [isSingleRight(phone) ? 'b' : 'a'] },
      [Q.essay]: { text: essayOf(phone) },
    });
    await verifyReceipt(phone);
  });
  const counted = await one(
    school.pool,
    'select count(*)::int as attempts, count(b.hold)::int as held from attempts a left join begins b on b.attempt_id = a.id',
  );
  expect(counted).toEqual({ attempts: PHONES, held: 0 });
});
