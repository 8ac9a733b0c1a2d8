import { ROLE } from '#contract/auth.ts';
import { Q, RIGHT } from '#tests/school.ts';
import { expectArrivedOnce } from './answers.ts';
import { deviceOperations } from './device-rows.ts';
import { expect, test } from './device.ts';
import { attemptOf, countingAnswers, journal } from './journal.ts';
import { Result } from './pages/result.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { PASSWORD } from './test-school.ts';
import { signInAndStart, signInToOverview } from './start.ts';

test.describe.configure({ mode: 'parallel' });

test('a phone that dies with three unsent answers fills what its owner left open on the tablet, and replaces nothing', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student] });
  const phone = await device('phone');
  const onPhone = await phone.open();
  let taking = await signInAndStart(onPhone, student);
  const attempt = await attemptOf(school.pool, student);

  await phone.goOffline();
  await taking.textAnswer.fill('4,9');
  await taking.goTo(2);
  await taking.choose('Паскаль');
  await taking.goTo(3);
  await taking.choose('Сила', 'Скорость');
  await expect(taking.onDevice).toBeVisible();
  await phone.untilSignInLasts(onPhone);
  await phone.kill();

  const tablet = await device('tablet');
  const onTablet = await tablet.open();
  const overview = await signInToOverview(onTablet, student);
  await overview.goOnHere();
  const there = new Taking(onTablet);
  await expect(there.timer).toBeVisible();
  await there.goTo(2);
  await there.choose('Ньютон');
  await expect(there.onServer).toBeVisible();

  await phone.goOnline();
  const again = await phone.open();
  await again.goto(`/tests/${testId}`);
  taking = new Taking(again);
  await expect(taking.note).toContainText('Тест продолжается на другом устройстве');
  await expect(taking.sync).toContainText('открыт на другом устройстве');
  await taking.goTo(2);
  await expect(taking.option('Ньютон')).toBeDisabled();
  await expect
    .poll(async () => (await deviceOperations(again)).filter(({ state }) => state === 'waiting'))
    .toEqual([]);
  const arrived = await expectArrivedOnce([again, onTablet], school.pool, attempt.id);
  expect(
    arrived.filter(({ questionId }) => questionId === Q.single).map(({ outcome }) => outcome),
  ).toEqual(['stored', 'superseded']);
  expect(await countingAnswers(school.pool, attempt.id)).toMatchObject({
    [Q.open]: { text: '4,9' },
    [Q.single]: RIGHT.single,
    [Q.several]: RIGHT.several,
  });

  await there.goTo(4);
  await there.match('Сила', 'Н');
  await there.match('Мощность', 'Вт');
  await there.match('Давление', 'Па');
  await there.finish();
  await expect(new Verdict(onTablet).mayClose).toBeVisible();
  await expect(new Result(onTablet).score).toHaveText('8');
  expect(await attemptOf(school.pool, student)).toMatchObject({ ended: 'finished', points: 8 });
});

test('on a shared tablet the second student sees and sends nothing of the first; the answers are sent at the next sign-in', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const boris = await school.person({ userName: 'Борис Орлов' });
  const testId = await school.test(teacher, { students: [anna, boris] });
  const tablet = await device('tablet');
  const page = await tablet.open();
  const taking = await signInAndStart(page, anna);
  const hers = await attemptOf(school.pool, anna);

  await tablet.goOffline();
  await taking.textAnswer.fill('4,9');
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await expect(taking.onDevice).toBeVisible();
  await page.goto('/tests/my');
  const shell = new Shell(page);
  await shell.askToSignOut();
  await expect(shell.logoutQuestion).toContainText('2 ответа ещё не на сервере');
  await expect(shell.logoutQuestion).toContainText('Идёт тест «Законы Ньютона»');
  await shell.confirmSignOut();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Анна')).toBeHidden();
  const signIn = new SignIn(page);
  await expect(signIn.unsentNote).toBeVisible();

  await tablet.goOnline();
  const overview = await signInToOverview(page, boris);
  await expect(shell.resume).toBeHidden();
  await expect(shell.sync).toContainText('на сервере');
  await overview.untilReady();
  await overview.start.click();
  await expect(taking.textAnswer).toHaveValue('');
  await taking.textAnswer.fill('5');
  await expect(taking.onServer).toBeVisible();
  expect(await journal(school.pool, hers.id)).toEqual([]);
  await page.goto('/tests/my');
  await shell.askToSignOut();
  await shell.confirmSignOut();

  await page.goto(`/tests/${testId}`);
  await signIn.signIn({ email: anna.email, password: PASSWORD });
  await taking.goTo(1);
  await expect(taking.textAnswer).toHaveValue('4,9');
  await expect
    .poll(async () => (await journal(school.pool, hers.id)).map(({ outcome }) => outcome))
    .toEqual(['stored', 'stored']);
  expect(await countingAnswers(school.pool, hers.id)).toMatchObject({
    [Q.open]: { text: '4,9' },
    [Q.single]: RIGHT.single,
  });
});

test('a second tab only reads; when the first one closes, the second one writes', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student] });
  const desktop = await device('desktop');
  const first = await desktop.open();
  const taking = await signInAndStart(first, student);
  await taking.textAnswer.fill('4,9');
  await expect(taking.onServer).toBeVisible();

  const second = await desktop.context.newPage();
  await second.goto(`/tests/${testId}`);
  const beside = new Taking(second);
  await expect(beside.note).toContainText('Тест открыт в другой вкладке');
  await expect(beside.sync).toContainText('открыт в другой вкладке');
  await expect(beside.textAnswer).toHaveValue('4,9');
  await expect(beside.textAnswer).not.toBeEditable();

  await first.close();
  await expect(beside.note).toBeHidden();
  await beside.textAnswer.fill('5');
  await expect(beside.onServer).toBeVisible();
  const attempt = await attemptOf(school.pool, student);
  await expect
    .poll(async () => countingAnswers(school.pool, attempt.id))
    .toMatchObject({ [Q.open]: { text: '5' } });
});
