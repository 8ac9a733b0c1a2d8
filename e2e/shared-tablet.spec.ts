import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import type { Question } from '#contract/questions.ts';
import { Q, smallTest } from '#tests/school.ts';
import { expectArrivedOnce } from './answers.ts';
import { expect, test } from './device.ts';
import { attemptOf, countingAnswers, journal, uploads } from './journal.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { addPicture, PICTURE } from './rich-test.ts';
import { PASSWORD } from './test-school.ts';
import { signInAndStart, signInToOverview } from './start.ts';
import { everythingStored, placesWith } from './stored.ts';

const TITLE = 'Контрольная первой смены';
const QUESTION = 'Ускорение бруска на рисунке, м/с²?';
const ESSAY_QUESTION = 'Опишите, как вели измерения';
const ESSAY = 'Измеряли линейкой и секундомером, оффлайн';
const NUMBER = '4,90007315';
const FILE = {
  name: 'решение-первой-смены.jpg',
  mimeType: 'image/jpeg',
  buffer: Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
    Buffer.from('байты решения первой смены '.repeat(40)),
  ]),
};

const questions = smallTest.map((question): Question => {
  if (question.questionId === Q.open)
    return { ...question, text: `${QUESTION}\n\n![Брусок](file:${PICTURE})` };
  return question.questionId === Q.essay ? { ...question, text: ESSAY_QUESTION } : question;
});

/** The stored texts on the device, and where. */
async function found(page: Page, words: readonly string[]): Promise<string[]> {
  const stored = await everythingStored(page);
  return words.flatMap((word) =>
    placesWith(stored, word).map((place) => `${word.slice(0, 30)}: ${place}`),
  );
}

const keyOwners = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('exam-room');
        opening.addEventListener('error', () => reject(new Error(String(opening.error))));
        opening.addEventListener('success', () => {
          const db = opening.result;
          const reading = db.transaction(['deviceKeys']).objectStore('deviceKeys').getAll();
          reading.addEventListener('success', () => {
            db.close();
            const rows = reading.result as { owner: string; key: CryptoKey }[];
            resolve(rows.map(({ owner, key }) => `${owner} ${key.extractable}`));
          });
        });
      }),
  );

test("a student's data on a shared tablet cannot be read there, and arrive once after the next sign-in", async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const boris = await school.person({ userName: 'Борис Орлов' });
  const testId = await school.test(teacher, { students: [anna], name: TITLE, questions });
  await addPicture(school, testId);
  await school.test(teacher, { students: [boris], name: 'Вторая смена' });
  const picture = await readFile(
    new URL('../server/demo/pictures/physics-incline.png', import.meta.url),
  );
  const reply = await fetch(`${school.network.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: anna.email, password: PASSWORD }),
  });
  const { deviceKey } = (await reply.json()) as { deviceKey?: string };
  const words = [
    TITLE,
    QUESTION,
    ESSAY_QUESTION,
    NUMBER,
    ESSAY,
    FILE.name,
    'байты решения',
    anna.userName,
    anna.email,
    deviceKey ?? 'no key',
    picture.subarray(300, 360).toString('base64'),
  ];

  const tablet = await device('tablet');
  const page = await tablet.open();
  const shell = new Shell(page);
  const signIn = new SignIn(page);
  // A student's first visit installs the worker, which caches lists and pictures from then on.
  await page.goto('/login');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const taking = await signInAndStart(page, anna, TITLE);
  const hers = await attemptOf(school.pool, anna);
  await taking.textAnswer.fill(NUMBER);
  await expect(taking.onServer).toBeVisible();
  await expect(page.getByRole('img', { name: 'Брусок' })).toBeVisible();
  await expect.poll(async () => (await found(page, words)).join('\n')).toMatch(/cache pictures/);

  await tablet.goOffline();
  await taking.goTo(6);
  await taking.textAnswer.fill(ESSAY);
  await taking.goTo(5);
  await taking.attach(FILE);
  await expect(taking.onDevice).toBeVisible();
  const before = await found(page, words);
  for (const word of words.slice(0, 9)) expect(before.join('\n')).toContain(word.slice(0, 30));
  await page.goto('/tests/my');
  await shell.askToSignOut();
  await shell.confirmSignOut();
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => found(page, words)).toEqual([]);
  expect(await keyOwners(page)).toEqual([]);
  await expect(signIn.unsentNote).toBeVisible();
  await page.reload();
  await expect(signIn.unsentNote).toBeVisible();

  await tablet.goOnline();
  await signInToOverview(page, boris, 'Вторая смена');
  await expect(shell.sync).toContainText('на сервере');
  expect(await found(page, words)).toEqual([]);
  expect(await keyOwners(page)).toEqual([`${boris.userId} false`]);
  expect((await journal(school.pool, hers.id)).map(({ questionId }) => questionId)).toEqual([
    Q.open,
  ]);
  await page.goto('/tests/my');
  await shell.askToSignOut();
  await expect(page).toHaveURL(/\/login$/);

  await page.goto(`/tests/${testId}`);
  await signIn.signIn({ email: anna.email, password: PASSWORD });
  await new Taking(page).goTo(6);
  await expect(taking.textAnswer).toHaveValue(ESSAY);
  await expect(taking.sync).toContainText('на сервере');
  await expectArrivedOnce([page], school.pool, hers.id);
  expect(await countingAnswers(school.pool, hers.id)).toMatchObject({
    [Q.open]: { text: NUMBER },
    [Q.essay]: { text: ESSAY },
  });
  expect(await uploads(school.pool, hers.id)).toEqual([
    expect.objectContaining({ size: FILE.buffer.length, isComplete: true }),
  ]);
  expect(await keyOwners(page)).toEqual([`${anna.userId} false`]);

  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  await page.goto('/tests/my');
  await shell.askToSignOut();
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => found(page, words)).toEqual([]);
  await expect(signIn.unsentNote).toBeHidden();
});

test('after an expired sign-in the next user finds nothing of the previous one', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const boris = await school.person({ userName: 'Борис Орлов' });
  await school.test(teacher, { students: [anna], name: TITLE, questions });
  await school.test(teacher, { students: [boris], name: 'Вторая смена' });
  const words = [TITLE, QUESTION, NUMBER, ESSAY, anna.userName, anna.email];
  const tablet = await device('tablet');
  const page = await tablet.open();
  const taking = await signInAndStart(page, anna, TITLE);
  const hers = await attemptOf(school.pool, anna);
  await taking.textAnswer.fill(NUMBER);
  await expect(taking.onServer).toBeVisible();
  await tablet.goOffline();
  await taking.goTo(6);
  await taking.textAnswer.fill(ESSAY);
  await expect(taking.onDevice).toBeVisible();
  await page.evaluate(() => {
    for (const key of ['token', 'session']) localStorage.removeItem(key);
  });
  await page.reload();
  await taking.goTo(6);
  await expect(taking.textAnswer, 'she goes on where she was').toHaveValue(ESSAY);

  await tablet.goOnline();
  await page.goto('/login');
  await signInToOverview(page, boris, 'Вторая смена');
  await expect.poll(() => found(page, words)).toEqual([]);
  expect(await journal(school.pool, hers.id)).toHaveLength(1);
  await page.goto('/tests/my');
  await new Shell(page).askToSignOut();
  await expect(page).toHaveURL(/\/login$/);
  await new SignIn(page).signIn({ email: anna.email, password: PASSWORD });
  await expect
    .poll(() => countingAnswers(school.pool, hers.id))
    .toMatchObject({ [Q.open]: { text: NUMBER }, [Q.essay]: { text: ESSAY } });
});

/** Flips one bit of every ciphertext on the device; a second call restores it. */
const damageCiphers = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('exam-room');
        opening.addEventListener('error', () => reject(new Error(String(opening.error))));
        opening.addEventListener('success', () => {
          const db = opening.result;
          const tx = db.transaction(['encrypted'], 'readwrite');
          const cursors = tx.objectStore('encrypted').openCursor();
          cursors.addEventListener('success', () => {
            const cursor = cursors.result;
            if (!cursor) return;
            const row = cursor.value as { cipher: ArrayBuffer };
            const bytes = new Uint8Array(row.cipher);
            bytes[0] = (bytes[0] ?? 0) ^ 1;
            cursor.update(row);
            cursor.continue();
          });
          tx.addEventListener('complete', () => {
            db.close();
            resolve();
          });
        });
      }),
  );

test('a ciphertext that cannot be decrypted is reported and retained, and opens once it is intact', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  await school.test(teacher, { students: [anna], name: TITLE, questions });
  const tablet = await device('tablet');
  const page = await tablet.open();
  const shell = new Shell(page);
  const note = page.getByRole('status').filter({ hasText: 'не удалось открыть' });
  const taking = await signInAndStart(page, anna, TITLE);
  const hers = await attemptOf(school.pool, anna);
  await tablet.goOffline();
  await taking.textAnswer.fill(NUMBER);
  await expect(taking.onDevice).toBeVisible();
  await page.goto('/tests/my');
  await shell.askToSignOut();
  await shell.confirmSignOut();
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => found(page, [NUMBER])).toEqual([]);
  await damageCiphers(page);

  await tablet.goOnline();
  await page.goto('/tests/my');
  await new SignIn(page).signIn({ email: anna.email, password: PASSWORD });
  await expect(note).toBeVisible();
  await expect(shell.sync).not.toContainText('на сервере');
  expect(await journal(school.pool, hers.id)).toEqual([]);
  await damageCiphers(page);
  await page.reload();
  await expect
    .poll(() => countingAnswers(school.pool, hers.id))
    .toMatchObject({ [Q.open]: { text: NUMBER } });
  await expect(note).toBeHidden();
});
