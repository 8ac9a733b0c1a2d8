import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { Q, RIGHT } from '#tests/school.ts';
import { expectArrivedOnce } from './answers.ts';
import { expect, test } from './device.ts';
import { attemptOf, countingAnswers, journal } from './journal.ts';
import { SignIn } from './pages/sign-in.ts';
import { Verdict } from './pages/verdict.ts';
import { PASSWORD } from './test-school.ts';
import { signInAndStart } from './start.ts';

test.describe.configure({ mode: 'parallel' });

test('a sign-in that ends during an attempt stops sending only: the student continues, signs in in place, and all arrives', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const other = await school.person({ userName: 'Борис Орлов' });
  await school.test(teacher, { students: [student, other] });
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  const attempt = await attemptOf(school.pool, student);
  await taking.textAnswer.fill('4,9');
  await expect(taking.onServer).toBeVisible();

  await execute(school.pool, 'delete from sessions where user_id = $1', [student.userId]);
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await expect(taking.note).toContainText('Вход закончился. Отвечайте дальше');
  await expect(taking.sync).toContainText('войдите снова');
  await taking.goTo(3);
  await taking.choose('Сила', 'Скорость');
  await expect(taking.onDevice).toBeVisible();
  await page.reload();
  await expect(taking.option('Скорость')).toBeChecked();
  await expect(taking.note).toContainText('Вход закончился');

  await taking.note.getByRole('button', { name: 'Войти' }).click();
  const inPlace = new SignIn(taking.signInModal);
  await inPlace.signIn({ email: other.email, password: PASSWORD });
  await expect(inPlace.otherPersonNote).toBeVisible();
  expect((await journal(school.pool, attempt.id)).map(({ questionId }) => questionId)).toEqual([
    Q.open,
  ]);
  await inPlace.signIn({ email: student.email, password: PASSWORD });
  await expect(taking.signInModal).toBeHidden();
  await expect(taking.sync).toContainText('на сервере');
  await expect(taking.option('Скорость')).toBeChecked();
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  await expectArrivedOnce([page], school.pool, attempt.id);
  expect(await countingAnswers(school.pool, attempt.id)).toMatchObject({
    [Q.open]: { text: '4,9' },
    [Q.single]: RIGHT.single,
    [Q.several]: RIGHT.several,
  });
  expect(await attemptOf(school.pool, student)).toMatchObject({ ended: 'finished', points: 5 });
});

test('a token that is lost or broken while a test runs leads back to the test, and asks to sign in in place', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student] });
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  const attempt = await attemptOf(school.pool, student);
  await phone.goOffline();
  await taking.textAnswer.fill('4,9');
  await expect(taking.onDevice).toBeVisible();

  await page.evaluate(() => localStorage.removeItem('token'));
  await page.reload();
  await expect(taking.textAnswer).toHaveValue('4,9');
  await expect(taking.note).toContainText('Вход закончился');
  await phone.goOnline();
  for (const broken of ['испорчен', 'broken']) {
    await page.evaluate((token) => localStorage.setItem('token', token), broken);
    await page.goto(`/tests/${testId}`);
    await expect(taking.textAnswer).toHaveValue('4,9');
    await expect(taking.note).toContainText('Вход закончился');
  }

  await taking.note.getByRole('button', { name: 'Войти' }).click();
  await new SignIn(taking.signInModal).signIn({ email: student.email, password: PASSWORD });
  await expect(taking.onServer).toBeVisible();
  await expectArrivedOnce([page], school.pool, attempt.id);
});
