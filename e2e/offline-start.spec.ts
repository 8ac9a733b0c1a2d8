import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import type { ReadinessProblem } from '#contract/readiness.ts';
import { isReady } from '#domain/readiness.ts';
import { one } from '#server/db/query.ts';
import { Q, RIGHT, smallTest } from '#tests/school.ts';
import { expectArrivedOnce } from './answers.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { countingAnswers } from './journal.ts';
import { OfflineStart } from './pages/offline-start.ts';
import { addPicture, PICTURE } from './rich-test.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { showCode, signInToOverview, TITLE } from './start.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { PASSWORD, type TestSchool } from './test-school.ts';
import { pathOf } from './visitor.ts';

const MAX_BACK_OFF_MS = 45_000;

const beginOf = ({ pool }: TestSchool, testId: string) =>
  one<{ attemptId: string; hold: string | null; isEarly: boolean }>(
    pool,
    `select a.id as "attemptId", b.hold, a.started_at < b.received_at as "isEarly"
     from attempts a join begins b on b.attempt_id = a.id join offers o on o.id = a.id
     where a.test_id = $1`,
    [testId],
  );

/** A student whose test may begin without a network. */
async function assignTest(school: TestSchool) {
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person();
  const plan = { students: [student], name: TITLE, offlineStart: true };
  return { student, testId: await school.test(teacher, plan) };
}

async function openTestOffline(page: Page): Promise<OfflineStart> {
  await page.goto('/tests/my');
  await new Shell(page).testLink(TITLE).click();
  return new OfflineStart(page);
}

test('a test begins, is passed and finished without a network by its code, survives kill -9, and counts', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person();
  const questions = smallTest
    .filter(({ questionId }) => questionId !== Q.file)
    .map((question) => ({ ...question, text: `${question.text}\n\n![Брусок](file:${PICTURE})` }));
  const testId = await school.test(teacher, {
    students: [student],
    name: TITLE,
    questions,
    offlineStart: true,
  });
  await addPicture(school, testId);
  const phone = await device('phone');
  let page = await phone.open();
  const overview = await signInToOverview(page, student);
  await overview.untilReady();
  await expect(new OfflineStart(page).ready).toBeVisible();
  await phone.untilSignInLasts(page);

  await phone.goOffline();
  let offline = await openTestOffline(page);
  await offline.open.click();
  await offline.enter('CHKM PTX2 3456');
  await expect(offline.wrongCode).toBeVisible();
  await audit(page, test.info(), 'start-code');
  const code = await showCode(school, testId);
  await offline.enterUntilTried(code);
  let taking = new Taking(page);
  await expect(taking.timer).toBeVisible();
  await expect(offline.checkedLater).toBeVisible();
  await expect(page.locator('img[alt="Брусок"][data-loaded]')).toBeVisible();
  await audit(page, test.info(), 'begun-offline');
  expect(await beginOf(school, testId)).toBeNull();

  await phone.kill();
  page = await phone.open();
  taking = new Taking(page);
  await page.goto('/tests/my');
  await new Shell(page).resumeTest();
  await taking.textAnswer.fill('4,9');
  await expect(taking.onDevice).toBeVisible();
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await expect(taking.onDevice).toBeVisible();
  await taking.finish();
  const verdict = new Verdict(page);
  await expect(verdict.stay).toBeVisible();

  await phone.goOnline();
  await expect(verdict.mayClose).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  offline = new OfflineStart(page);
  await expect(offline.checkedLater).toBeHidden();
  const begun = await beginOf(school, testId);
  if (!begun) throw new Error('the begin did not arrive');
  expect(begun).toMatchObject({ hold: null, isEarly: true });
  await expectArrivedOnce([page], school.pool, begun.attemptId);
  expect(await countingAnswers(school.pool, begun.attemptId)).toMatchObject({
    [Q.open]: { text: '4,9' },
    [Q.single]: RIGHT.single,
  });
  expect(await school.attempt(student)).toMatchObject({ ended: 'finished' });
});

test('a begin before the code was shown is held with its reason on the screen, and no answer is lost', async ({
  device,
  school,
}) => {
  const { student, testId } = await assignTest(school);
  const phone = await device('phone');
  const page = await phone.open();
  await signInToOverview(page, student);
  const offline = new OfflineStart(page);
  await expect(offline.ready).toBeVisible();
  // Somebody has read the code from the teacher's notes.
  const leaked = await one<{ code: string }>(
    school.pool,
    'select code from start_codes where test_id = $1',
    [testId],
  );
  await phone.goOffline();
  await offline.open.click();
  await offline.enter(leaked?.code ?? '');
  const taking = new Taking(page);
  await taking.textAnswer.fill('4,9');
  await expect(taking.onDevice).toBeVisible();
  await phone.goOnline();
  await expect(offline.held).toContainText('тест начат раньше, чем был показан код', {
    timeout: MAX_BACK_OFF_MS,
  });
  await expect(page.getByRole('main').getByText(/Ждёт решения преподавателя/)).toBeVisible();
  expect(await beginOf(school, testId)).toMatchObject({ hold: 'beforeCode' });
});

test('a test is loaded whatever page is open, and begins without a network', async ({
  device,
  school,
}) => {
  const { student, testId } = await assignTest(school);
  const phone = await device('phone');
  const page = await phone.open();
  await page.goto('/profile');
  const isControlled = () => page.evaluate(() => navigator.serviceWorker.controller !== null);
  await expect.poll(isControlled).toBe(true);
  await new SignIn(page).signIn({ email: student.email, password: PASSWORD });
  const readReport = () =>
    one<{ problems: ReadinessProblem[] }>(
      school.pool,
      'select problems from readiness_reports where test_id = $1',
      [testId],
    );
  await expect
    .poll(async () => isReady((await readReport())?.problems ?? ['notFetched']))
    .toBe(true);
  expect(pathOf(page)).toBe('/profile');

  await phone.goOffline();
  const offline = await openTestOffline(page);
  await offline.open.click();
  await offline.enter(await showCode(school, testId));
  await expect(new Taking(page).timer).toBeVisible();
});
